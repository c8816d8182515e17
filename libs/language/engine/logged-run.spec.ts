import { compile } from '#libs/language/definition/compile';
import type { Definition } from '#libs/language/definition/definition';
import { LoggedRun, type LoggedEvent } from './logged-run.ts';
import type { RunEvent } from './run-events.ts';
import { copyState } from './state.ts';

const call = (id: string) => ({ id, type: 'http', params: { method: 'GET', url: 'http://a.test/' } });
const body = (...blocks: { id: string }[]) =>
  ({
    blocks,
    edges: blocks.map(({ id }, i) => ({ from: blocks[i - 1]?.id ?? 'start', to: id })),
  }) as Definition;

/** Calls in a row, a loop with a variable, branches that fail or ask, and an end. */
const plan = compile({
  variables: { sum: { type: 'number', initial: 0 } },
  ...body(
    call('first'),
    {
      id: 'each',
      type: 'loop',
      params: { count: 3, collect: '{{ loop.index }}' },
      body: body(call('inner'), {
        id: 'add',
        type: 'variables',
        params: { set: { sum: '{{ vars.sum + inner.status }}' } },
      } as {
        id: string;
      }),
    } as { id: string },
    {
      id: 'both',
      type: 'parallel',
      params: { count: 4, failFast: false },
      body: body(call('side'), {
        id: 'ask',
        type: 'human',
        params: { title: 'Go on?', expiresAfter: 60 },
      } as { id: string }),
    } as { id: string },
    { id: 'done', type: 'response', params: { data: '{{ vars.sum }}' } } as { id: string },
  ),
});
const opening = { inputs: {}, run: { id: 'exec_1' }, nowMs: 1000 };

/** The same numbers at each run, so that a failure can be repeated. */
function random(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}

/** Plays a run to its end: open effects end in any order, some of them twice. */
function play(seed: number): { live: LoggedRun; log: LoggedEvent[]; states: string[] } {
  const next = random(seed);
  const live = LoggedRun.open(plan, opening);
  const log: LoggedEvent[] = [];
  const states: string[] = [];
  const take = (events: RunEvent[]) => {
    log.push(...live.advance(events, 1000 + log.length * 10).logged);
    states.push(stateOf(live));
  };
  take([{ kind: 'started' }]);
  while (!live.run.done) {
    const open = live.run.openEffects;
    const effect = open[Math.floor(next() * open.length)];
    if (!effect) throw new Error('nothing is open');
    const { path } = effect.visit;
    const event: RunEvent =
      effect.kind === 'pause'
        ? next() < 0.5
          ? { kind: 'answered', path, answers: {} }
          : { kind: 'expired', path }
        : next() < 0.1
          ? { kind: 'failed', path, failure: { code: 'HTTP_500', message: 'no' } }
          : { kind: 'succeeded', path, output: { status: 2, data: null } };
    take(next() < 0.2 ? [event, event] : [event]);
  }
  return { live, log, states };
}

const stateOf = ({ run }: LoggedRun) => JSON.stringify({ ...copyState(run.state), cancelled: [] });

describe('the log of a run', () => {
  const seeds = Array.from({ length: 40 }, (_, i) => i + 1);

  test.each(seeds)('the log of run %i gives its state after each event, also in parts', (seed) => {
    const { live, log, states } = play(seed);
    const again = LoggedRun.open(plan, opening);
    for (const [i, event] of log.entries()) {
      again.replay([event]);
      if (i === log.length - 1) expect(stateOf(again)).toBe(states.at(-1));
    }
    const whole = LoggedRun.open(plan, opening);
    whole.replay(log);
    expect([stateOf(whole), whole.number, whole.blocks.all]).toEqual([
      stateOf(live),
      live.number,
      live.blocks.all,
    ]);
  });

  test.each(seeds)('the log of run %i goes on from a snapshot after any of its events', (seed) => {
    const { live, log } = play(seed);
    for (const [i, { number, atMs }] of log.slice(0, -1).entries()) {
      const before = LoggedRun.open(plan, opening);
      before.replay(log.slice(0, i + 1));
      const snapshot = JSON.parse(JSON.stringify(before.snapshot));
      const after = LoggedRun.restore(plan, snapshot, { number, atMs });
      after.replay(log.slice(i + 1));
      expect(stateOf(after)).toBe(stateOf(live));
    }
  });

  test('the log of a run does not hold an event that changes nothing', () => {
    const run = LoggedRun.open(plan, opening);
    run.advance([{ kind: 'started' }], 1000);
    const event: RunEvent = { kind: 'succeeded', path: 'first', output: { status: 1, data: null } };
    expect(run.advance([event, event], 1001).logged.map(({ number }) => number)).toEqual([2]);
    expect(run.advance([event, { kind: 'expired', path: 'nowhere' }], 1002).logged).toEqual([]);
    expect(run.number).toBe(2);
  });

  test('the log of a run has a later time for each step, also when the clock goes back', () => {
    const run = LoggedRun.open(plan, opening);
    const first = run.advance([{ kind: 'started' }], 1000).atMs;
    const event: RunEvent = { kind: 'succeeded', path: 'first', output: { status: 1, data: null } };
    expect(run.advance([event], 5).atMs).toBeGreaterThan(first);
  });

  test('the log of a wait whose end passed while the run was under way ends it again, at the moment of its event', () => {
    const wait = { id: 'wait', type: 'wait', params: { until: '1970-01-01T00:00:01.500Z' } };
    const waiting = compile(body(call('first'), wait, call('last')));
    const live = LoggedRun.open(waiting, opening);
    const log = live.advance([{ kind: 'started' }], 1000).logged;
    log.push(...live.advance([{ kind: 'succeeded', path: 'first', output: null }], 2000).logged);
    log.push(...live.advance([{ kind: 'succeeded', path: 'last', output: null }], 2001).logged);
    expect(live.run.outcome()).toMatchObject({ status: 'completed' });
    const again = LoggedRun.open(waiting, opening);
    again.replay(log);
    expect(stateOf(again)).toBe(stateOf(live));
  });

  test('the log of a long computation has an event for each thousand blocks, and gives the same state', () => {
    const long = compile(
      body({
        id: 'each',
        type: 'loop',
        params: { count: 2500 },
        body: body({ id: 'add', type: 'variables', params: { set: {} } } as { id: string }),
      } as { id: string }),
    );
    const live = LoggedRun.open(long, opening);
    const log = live.advance([{ kind: 'started' }], 1000).logged;
    while (!live.run.done) log.push(...live.advance([{ kind: 'continued' }], 1000).logged);
    expect(log.length).toBeGreaterThan(2);
    const again = LoggedRun.open(long, opening);
    again.replay(log);
    expect(stateOf(again)).toBe(stateOf(live));
  });
});
