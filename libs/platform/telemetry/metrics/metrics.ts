import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** All metrics of this process. Labels have values from fixed lists only: no id, name or text of a user. */
export const registry = new Registry();

const registers = [registry];
const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
  new Counter({ name: `holdfast_${name}`, help, labelNames, registers });

/** A gauge whose values are read at each scrape. */
export function gauge<Label extends string>(
  name: string,
  help: string,
  labelNames: Label[],
  collect: (gauge: Gauge<Label>) => void | Promise<void>,
): Gauge<Label> {
  return new Gauge({
    name: `holdfast_${name}`,
    help,
    labelNames,
    registers,
    collect() {
      return collect(this);
    },
  });
}

/** Buckets in seconds: from a cached read (5 ms) to the longest wait of a caller for a result (5 minutes). */
const callBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

export const requests = counter('http_requests_total', 'Answered requests.', ['method', 'route', 'status']);
export const requestSeconds = new Histogram({
  name: 'holdfast_http_request_duration_seconds',
  help: 'Time from the head of a request to the end of its answer.',
  labelNames: ['method', 'route'],
  buckets: callBuckets,
  registers,
});
export const accepted = counter('executions_accepted_total', 'Committed executions.', ['mode', 'trigger']);
export const settled = counter('executions_settled_total', 'Runs that ended or paused.', ['status']);
export const blocks = counter('blocks_total', 'Visits of blocks that ended.', ['type', 'status']);
/** Buckets in seconds: from an inline run (10 ms) to a run that waits for people for a week. */
const runBuckets = [
  0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 3600, 21_600, 86_400, 604_800,
];

export const executionSeconds = new Histogram({
  name: 'holdfast_execution_duration_seconds',
  help: 'Time from the acceptance of an execution to its end.',
  labelNames: ['status'],
  buckets: runBuckets,
  registers,
});
export const blockSeconds = new Histogram({
  name: 'holdfast_block_duration_seconds',
  help: 'Time of a visit of a block that calls out, retries and waits for a worker included.',
  labelNames: ['type'],
  buckets: callBuckets,
  registers,
});
export const refused = counter('limit_refusals_total', 'Calls that a limit refused.', ['reason']);
export const unsynced = counter('executions_unsynced_total', 'Ended runs that Temporal is not shown.', [
  'reason',
]);
export const repairs = counter('reconciler_repairs_total', 'Rows that disagreed with Temporal.', []);
export const loopFailures = counter('maintenance_failures_total', 'Turns of a loop that failed.', ['loop']);
export const deferrals = counter('maintenance_deferrals_total', 'Items that a turn of a loop put off.', [
  'kind',
]);

/** Memory, CPU, garbage collection and the delay of the event loop. */
export function countProcess(): void {
  collectDefaultMetrics({ register: registry });
}
