import { searchAttributes } from '../../../temporal/search-attributes.ts';

/**
 * The settings of every Temporal server of this project; the compose file reads the same values from
 * `dynamic-config.yaml`, and a test compares the two.
 */
export const dynamicConfig: Readonly<Record<string, number | boolean | string>> = {
  // The default is 20 polls a second and shard: each hop of an idle system then waits up to 50 ms for the next
  // tick.
  'history.transferProcessorMaxPollRPS': 500,
  'history.timerProcessorMaxPollRPS': 500,
  'history.visibilityProcessorMaxPollRPS': 100,
  // A timer fires no sooner than this after it was set; with the default of a second a wait of 10 ms took 980.
  'history.timerProcessorMaxTimeShift': '10ms',
  // One partition: with four, a poller and its task meet only after a forward between partitions.
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
  // Tasks wait in a line for each workspace, which runs name as their fairness key: a backlog of one delays no other.
  'matching.enableFairness': true,
  // A synchronous resume holds an update open until the run settles; the default of 10 for each run is too few.
  'history.maxInFlightUpdates': 100,
  'history.maxTotalUpdates': 10_000,
  'frontend.enableUpdateWorkflowExecution': true,
  'frontend.enableUpdateWorkflowExecutionAsyncAccepted': true,
  'frontend.enableExecuteMultiOperation': true,
  'system.enableEagerWorkflowStart': true,
  'system.enableActivityEagerExecution': true,
  // The embedded server reads the names of its search attributes from the database with each start, end and list; others keep
  // them for a minute. Ours are made before it serves.
  'system.forceSearchAttributesCacheRefreshOnRead': false,
};

/** The search attributes with their types as the Temporal CLI names them. */
export const cliAttributes = Object.fromEntries(
  Object.entries(searchAttributes).map(([name, type]) => [name, type === 'INT' ? 'Int' : 'Keyword']),
);

/** The content of the file that a Temporal server other than the embedded one reads. */
export function dynamicConfigYaml(): string {
  const head = '# Made from dynamic-config.ts, which says why. Change it there.\n';
  const said = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value));
  const entries = Object.entries(dynamicConfig).map(([key, value]) => `${key}:\n  - value: ${said(value)}\n`);
  return head + entries.join('');
}
