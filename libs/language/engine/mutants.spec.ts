import { fc } from '#libs/platform/text/support/random';

import { compile } from '#libs/language/definition/compile';
import { type DefinitionFault, validate } from '#libs/language/definition/checks/validate';
import { holdsRef, isRef, type Json, objectOf } from '#libs/platform/json/json';

import type { Effect } from './effects.ts';
import { evaluateBlock, evaluationFailure, packRendered } from './evaluate.ts';
import { drawLuck } from './support/generate.ts';
import { type Mutant, mutants } from './support/mutate.ts';
import { Run } from './run.ts';

/** More turns than any mutant needs, because the counts that a change can set are small. */
const turnsMax = 20_000;

const steps = /\.?([A-Za-z_][\w-]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g;

/** True when the path leads through the definition to its last step; the last step itself may be missing. */
function exists(definition: Json, path: string): boolean {
  const all = [...path.matchAll(steps)];
  if (all.map(([whole]) => whole).join('') !== path) return false;
  let holder: unknown = definition;
  for (const [, name, index, quoted] of all.slice(0, -1)) {
    const key = name ?? index ?? JSON.parse(quoted ?? '""');
    if (!Object.hasOwn(Object(holder), key)) return false;
    holder = Reflect.get(Object(holder), key);
  }
  return typeof holder === 'object' && holder !== null;
}

/** The id of the innermost block on the path, when there is one with an id. */
function blockOn(definition: Json, path: string): unknown {
  const ways = [...path.matchAll(/blocks\[\d+\](?=[.[]|$)/g)].map(({ index, 0: step }) =>
    path.slice(0, index + step.length),
  );
  const blocks = ways
    .filter((way) => /^blocks\[\d+\](\.body\.blocks\[\d+\])*$/.test(way))
    .map((way) => valueAt(definition, way));
  const id: unknown = Reflect.get(
    Object(blocks.findLast((block) => Object(block) === block && !Array.isArray(block))),
    'id',
  );
  return typeof id === 'string' && id !== '' ? id.slice(0, 64) : undefined;
}

function valueAt(definition: Json, path: string): unknown {
  return path
    .split(/[.[\]]+/)
    .filter(Boolean)
    .reduce<unknown>((at, step) => Reflect.get(Object(at), step), definition);
}

/** A whole fault has a code, a sentence, a path that exists, and the block at that path. */
function isWhole(definition: Json, { path, code, message, blockId }: DefinitionFault): boolean {
  const isSentence = /^[a-z_]+$/.test(code) && message.endsWith('.');
  return isSentence && exists(definition, path) && blockId === blockOn(definition, path);
}

/** Settles one effect with a good or a bad result. */
function happen(run: Run, effect: Effect, luck: number, store: Store): void {
  const { path } = effect.visit;
  if (effect.kind === 'evaluate') return evaluate(run, effect, store);
  if (effect.kind === 'wait') return void run.succeed(path, null, 0);
  if (effect.kind === 'pause')
    return void (luck % 2 === 0 ? run.resume(path, { ok: true }, 0) : run.expire(path, 0));
  if (luck === 0) return void run.fail(path, { code: 'BAD_LUCK', message: 'bad luck' }, 0);
  const { type } = effect.kind === 'activity' ? effect : { type: 'child' };
  run.succeed(path, type === 'router' ? { port: luck % 2 ? 'yes' : 'nowhere' } : { luck, data: [luck] }, 0);
}

function evaluate(
  run: Run,
  { visit: { path }, type, params, scope }: Extract<Effect, { kind: 'evaluate' }>,
  store: Store,
): void {
  try {
    const rendered = evaluateBlock(type, params, objectOf(store.read(scope)));
    run.evaluated(path, packRendered(type, rendered, store.pack), 0);
  } catch (error) {
    const failure = evaluationFailure(error);
    if (!failure) throw error;
    run.fail(path, failure, 0);
  }
}

/** A payload store like that of the activities: an object with the marker of a stored value is stored and read again. */
class Store {
  private readonly bodies: Json[] = [];

  readonly pack = (value: Json): Json => {
    if (!holdsRef(value)) return value;
    return { $payload: `${this.bodies.push(value) - 1}`, bytes: 1, preview: '' };
  };

  read(value: Json): Json {
    if (typeof value !== 'object' || value === null) return value;
    if (isRef(value)) return this.bodies[Number(value.$payload)] ?? null;
    if (Array.isArray(value)) return value.map((member) => this.read(member));
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, this.read(member)]));
  }
}

/** Plays a mutant that passed `validate`, until nothing is left to do. */
function play({ definition, n, fortune }: Mutant): Run {
  const plan = compile(definition as never);
  const run = Run.start(JSON.parse(JSON.stringify(plan)), { inputs: { n }, run: { id: 'exec_1' }, nowMs: 0 });
  const store = new Store();
  const open: Effect[] = [];
  for (let turn = 0; !run.done; turn++) {
    if (turn > turnsMax) throw new Error(`the run took more than ${turnsMax} turns`);
    open.push(...run.takeReady(0, 50));
    run.takeCancelled();
    if (run.hasReady) continue;
    const [effect] = open.splice((fortune.picks[turn % fortune.picks.length] ?? 0) % (open.length || 1), 1);
    if (effect) happen(run, effect, drawLuck(fortune, effect.visit.path), store);
    else if (!run.done) throw new Error('nothing is left to do and the run has not ended');
  }
  return run;
}

test('2,000 definitions that were changed at random are refused with the path of each fault, or run to an end', () => {
  const counts = { refused: 0, run: 0 };
  const seen = new Set<string>();
  fc.assert(
    fc.property(mutants, (mutant) => {
      const { faults } = validate(mutant.definition);
      expect(faults.filter((fault) => !isWhole(mutant.definition, fault))).toEqual([]);
      for (const change of mutant.changes) seen.add(`${change}: ${faults.length > 0}`);
      if (faults.length > 0) return void counts.refused++;
      counts.run++;
      const outcome = play(mutant).outcome();
      const code = outcome && 'failure' in outcome ? outcome.failure.code : '';
      expect({ status: outcome?.status, code }).not.toMatchObject({ code: 'ENGINE_FAULT' });
      expect(['completed', 'failed']).toContain(outcome?.status);
    }),
    { numRuns: 2000 },
  );
  // Almost every kind of change is among the refused definitions and among those that ran.
  expect(Math.min(counts.refused, counts.run)).toBeGreaterThan(200);
  expect(seen.size).toBeGreaterThan(30);
});
