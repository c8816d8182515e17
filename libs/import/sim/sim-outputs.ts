import { objectOf } from '#libs/platform/json/json';
import type { CelPlace, CelSteps } from '../cel-text.ts';
import type { SimBlock } from './sim-graph.ts';
import { getFormat, toRows } from './sim-fields.ts';
import { toText } from '../values.ts';

/** The types of blocks that begin a workflow. */
export const simTriggers = new Set([
  'starter',
  'start_trigger',
  'input_trigger',
  'manual_trigger',
  'api_trigger',
  'chat_trigger',
  'webhook',
  'generic_webhook',
  'schedule',
]);

/** The places of each type's output members in ours; members that are not listed have no counterpart. */
const outputs: Record<string, Record<string, CelSteps>> = {
  function: { result: [] },
  api: { data: ['data'], status: ['status'], headers: ['headers'] },
  router: { reasoning: ['reason'] },
  router_v2: { reasoning: ['reason'] },
  response: { data: ['data'], status: ['status'], headers: ['headers'] },
  loop: { results: ['results'] },
  parallel: { results: ['results'] },
  workflow: { result: [] },
  workflow_input: { result: [] },
  wait: { resumeAt: ['waitedUntil'] },
  mcp: { content: ['content'] },
  knowledge: { results: ['results'], totalResults: ['totalResults'], document: ['document'] },
  table: Object.fromEntries(
    'row rows rowCount totalCount insertedCount updatedCount updatedRowIds deletedCount deletedRowIds operation'
      .split(' ')
      .map((name) => [name, [name]]),
  ),
};

/** The place of a block's output, by the members that it has in Sim. */
export function outputOf(block: SimBlock, id: string): CelPlace {
  const { type, fields } = block;
  const at = (steps: CelSteps): CelPlace => ({ root: id, steps });
  const members = (all: Record<string, CelSteps>, root = id): CelPlace => ({
    root,
    steps: [],
    members: Object.fromEntries(Object.entries(all).map(([name, steps]) => [name, { root, steps }])),
  });
  if (simTriggers.has(type)) return { root: 'start', steps: [] };
  if (type === 'agent') {
    const properties = objectOf(objectOf(getFormat(fields['responseFormat']))['properties']);
    const own = Object.keys(properties).map((name): [string, CelSteps] => [name, ['data', name]]);
    return members({ content: ['content'], model: ['model'], ...Object.fromEntries(own) });
  }
  if (type === 'evaluator') {
    const named = toRows(fields['metrics']).map(({ name }) => toText(name));
    return members(
      Object.fromEntries(
        named.flatMap((name) => [name, name.toLowerCase()].map((key) => [key, ['scores', name]])),
      ),
    );
  }
  if (type === 'human_in_the_loop') {
    const named = toRows(fields['inputFormat']).map(({ name }): [string, CelSteps] => [
      toText(name),
      [toText(name)],
    ]);
    return members({ submission: [], resumeInput: [], ...Object.fromEntries(named) });
  }
  if (type === 'variables') {
    const named = toRows(fields['variables']).map(({ variableName }): [string, CelSteps] => [
      toText(variableName),
      [toText(variableName)],
    ]);
    return members(Object.fromEntries(named));
  }
  const known = Object.hasOwn(outputs, type) ? outputs[type] : undefined;
  return known ? members(known) : at([]);
}
