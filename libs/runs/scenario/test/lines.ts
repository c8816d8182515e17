import type { JsonObject } from '#libs/platform/json/json';
import { runScenarios, type ScenarioOptions } from '../run-scenarios.ts';
import type { Scenario, ScenarioResult } from '../scenario.ts';
import { report } from '../trace.ts';

/** A block as an author writes it. */
export interface Block extends JsonObject {
  id: string;
  type: string;
}

/** A definition with the blocks one after the other. */
export function line(...blocks: Block[]): { blocks: Block[]; edges: JsonObject[] } {
  const ids = ['start', ...blocks.map(({ id }) => id)];
  return { blocks, edges: blocks.map(({ id }, i) => ({ from: ids[i] ?? '', to: id })) };
}

/** A definition like `line`, with one more block behind a port. */
export function branching(
  { blocks, edges }: ReturnType<typeof line>,
  from: string,
  port: string,
  to: Block,
): ReturnType<typeof line> {
  return { blocks: [...blocks, to], edges: [...edges, { from, port, to: to.id }] };
}

export const ask = (id: string, params: JsonObject = {}): Block => ({
  id,
  type: 'human',
  params: {
    title: `Go on at ${id}?`,
    form: [{ name: 'approved', type: 'boolean', required: true }],
    ...params,
  },
});

export const wait = (id: string, duration: string): Block => ({ id, type: 'wait', params: { duration } });

export const get = (id: string, more: JsonObject = {}): Block => ({
  id,
  type: 'http',
  params: { method: 'GET', url: 'https://api.test/{{ start.id }}' },
  ...more,
});

export const done = (data: string | JsonObject, id = 'done'): Block => ({
  id,
  type: 'response',
  params: { data },
});

/** A loop or a parallel around the blocks, one after the other. */
export const around = (id: string, type: string, params: JsonObject, ...inner: Block[]): Block => ({
  id,
  type,
  params,
  body: line(...inner),
});

export type Unnamed = Omit<Scenario, 'name'>;

/** Plays the scenarios; the first is `number 1`. Without inputs of its own it has the id that the calls read. */
export function played(definition: JsonObject, scenarios: Unnamed[], options: ScenarioOptions = {}) {
  const withNames = scenarios.map((scenario, i) => ({
    name: `number ${i + 1}`,
    inputs: { id: 7 },
    ...scenario,
  }));
  return runScenarios({ definition, scenarios: withNames }, options);
}

export async function one(definition: JsonObject, scenario: Unnamed): Promise<ScenarioResult> {
  const [result] = await played(definition, [scenario]);
  if (!result) throw new Error('nothing was played');
  return result;
}

/** The reports of the scenarios that failed; none when all expectations were met. */
export async function failures(definition: JsonObject, ...scenarios: Unnamed[]): Promise<string[]> {
  const results = await played(definition, scenarios);
  return results.flatMap((result) => (result.passed ? [] : [report(result)]));
}
