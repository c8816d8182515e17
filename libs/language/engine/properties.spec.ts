import { fc, lessOften } from '#libs/platform/text/support/random';

import { compile } from '#libs/language/definition/compile';
import { validate } from '#libs/language/definition/checks/validate';

import type { Effect, VisitEntry } from './effects.ts';
import { type Case, cases, drawLuck } from './support/generate.ts';
import { Model, type ModelOutcome } from './support/model.ts';
import { Run } from './run.ts';

/** A failing property prints its seed and the smallest case. */
const settings = { numRuns: lessOften(600) };

interface Observed {
  launched: Effect[][];
  log: VisitEntry[];
  run: Run;
}

/** Plays a case to its end; `between` may replace the run by another one after every call. */
function play({ definition, n, fortune }: Case, between: (run: Run) => Run = (run) => run): Observed {
  const plan = compile(definition);
  let run = between(Run.start(plan, { inputs: { n }, run: {}, nowMs: 0 }));
  const launched: Effect[][] = [];
  const log: VisitEntry[] = [];
  let open: Effect[] = [];
  for (let step = 0; ; step++) {
    const effects = run.takeReady(0);
    launched.push(effects);
    open.push(...effects);
    const dropped = new Set(run.takeCancelled().map(({ path }) => path));
    open = open.filter(({ visit }) => !dropped.has(visit.path));
    run = between(run);
    log.push(...run.takeLog());
    if (run.done || open.length === 0) return { launched, log, run };
    if (step === fortune.cancelAt) run.cancel(0);
    else {
      const pick = (fortune.picks[step % fortune.picks.length] ?? 0) % open.length;
      for (const effect of open.splice(pick, 1)) happen(run, effect, drawLuck(fortune, effect.visit.path));
    }
    run = between(run);
  }
}

function happen(run: Run, { kind, visit: { path } }: Effect, luck: number): void {
  if (kind === 'wait') run.succeed(path, null, 0);
  else if (kind === 'pause') {
    if (luck % 2 === 0) run.resume(path, { ok: true }, 0);
    else run.expire(path, 0);
  } else if (luck === 0) run.fail(path, { code: 'BAD_LUCK', message: 'bad luck' }, 0);
  else run.succeed(path, { luck }, 0);
}

function paths(launched: Effect[][]): string[][] {
  return launched.map((effects) => effects.map(({ visit }) => visit.path));
}

/** The outcome of a run in the model's form: a failure is its code. */
function modelOutcomeOf({ launched, log, run }: Observed): ModelOutcome {
  const outcome = run.outcome();
  const statuses: Record<string, string> = Object.fromEntries(log.map(({ path, status }) => [path, status]));
  return {
    launched: paths(launched),
    statuses,
    status: outcome?.status ?? 'unfinished',
    output: JSON.parse(
      JSON.stringify(outcome?.output ?? null, (key, value) => (key === 'message' ? undefined : value)),
    ),
    ...(outcome && 'failure' in outcome ? { code: outcome.failure.code } : {}),
  };
}

test('every generated definition is valid', () => {
  fc.assert(
    fc.property(cases, ({ definition }) => {
      expect(validate(definition).faults).toEqual([]);
    }),
    settings,
  );
});

test('the engine and the model agree on every launch, status and outcome', () => {
  fc.assert(
    fc.property(cases, (given) => {
      expect(modelOutcomeOf(play(given))).toEqual(new Model(given).run());
    }),
    { ...settings, numRuns: lessOften(4_000) },
  );
});

test('a run that is serialised and restored after every call ends like a run that is not', () => {
  fc.assert(
    fc.property(cases, (given) => {
      const plan = compile(given.definition);
      const whole = play(given);
      const broken = play(given, (run) =>
        Run.restore(JSON.parse(JSON.stringify(plan)), JSON.parse(JSON.stringify(run.state))),
      );
      expect(broken.launched).toEqual(whole.launched);
      expect(broken.log).toEqual(whole.log);
      expect(broken.run.state).toEqual(whole.run.state);
    }),
    settings,
  );
});

test('equal results give equal effects, logs and states', () => {
  fc.assert(
    fc.property(cases, (given) => {
      const [first, second] = [play(given), play(given)];
      expect(second.launched).toEqual(first.launched);
      expect(second.log).toEqual(first.log);
      expect(second.run.state).toEqual(first.run.state);
    }),
    settings,
  );
});

test('every run ends, and visits and launches each block at most once', () => {
  fc.assert(
    fc.property(cases, (given) => {
      const { launched, log, run } = play(given);
      expect(run.done).toBe(true);
      const visited = log.filter(({ endedAtMs }) => endedAtMs !== null).map(({ path }) => path);
      expect(new Set(visited).size).toBe(visited.length);
      expect(new Set(paths(launched).flat()).size).toBe(launched.flat().length);
      const seqs = new Map(log.map(({ path, seq }) => [path, seq]));
      expect(log.every(({ path, seq }) => seqs.get(path) === seq)).toBe(true);
      expect(new Set(seqs.values()).size).toBe(seqs.size);
    }),
    settings,
  );
});

test('a result that comes late or twice changes nothing', () => {
  fc.assert(
    fc.property(cases, (given) => {
      const { run, launched } = play(given);
      const before = run.state;
      for (const effect of launched.flat()) for (const luck of [0, 1, 2]) happen(run, effect, luck);
      run.cancel(1);
      expect(run.takeReady(1)).toEqual([]);
      expect(run.state).toEqual(before);
    }),
    settings,
  );
});
