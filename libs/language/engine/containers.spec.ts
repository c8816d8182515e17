import { compile } from '#libs/language/definition/compile';
import type { Block } from '#libs/language/definition/blocks/registry';
import type { Definition, Edge } from '#libs/language/definition/definition';
import { validate } from '#libs/language/definition/checks/validate';
import type { Json, JsonObject } from '#libs/platform/json/json';

import type { Effect } from './effects.ts';
import { evaluateBlock, packRendered } from './evaluate.ts';
import { parseEdges, http, respond } from './support/given.ts';
import { Run } from './run.ts';

/** A definition with the blocks one after the other. */
function line(...blocks: Block[]): { blocks: Block[]; edges: Edge[] } {
  const ids = ['start', ...blocks.map(({ id }) => id)];
  return { blocks, edges: ids.slice(1).map((to, i) => ({ from: ids[i] ?? '', to })) };
}

function loop(id: string, params: object, ...body: Block[]): Block {
  return { id, type: 'loop', params, body: line(...body) };
}

function parallel(id: string, params: object, ...body: Block[]): Block {
  return { id, type: 'parallel', params, body: line(...body) };
}

const add = (id: string, by = '1'): Block => ({
  id,
  type: 'variables',
  params: { set: { n: `{{ vars.n + ${by} }}` } },
});

const human = (id: string): Block => ({ id, type: 'human', params: { title: id } });

function given(graph: Pick<Definition, 'blocks' | 'edges'>, inputs: JsonObject = {}): Run {
  const definition = { ...graph, variables: { n: { type: 'number' as const, initial: 0 } } };
  expect(validate(definition).faults).toEqual([]);
  return Run.start(compile(definition), { inputs, run: { id: 'exec_1' }, nowMs: 0 });
}

/** Settles each effect as it is launched; `answer` returns an output or throws a code. Returns the paths in order. */
function play(run: Run, answer: (effect: Effect) => Json = () => null): string[] {
  const paths: string[] = [];
  for (let open = run.takeReady(0); open.length > 0; open = run.takeReady(0)) {
    for (const effect of open) {
      const { path } = effect.visit;
      paths.push(path);
      if (effect.kind === 'evaluate') run.evaluated(path, outside(effect), 0);
      else settle(run, path, () => answer(effect));
    }
  }
  return paths;
}

function settle(run: Run, path: string, answer: () => Json): void {
  try {
    run.succeed(path, answer(), 0);
  } catch (error) {
    run.fail(path, { code: String(error), message: 'bad luck' }, 0);
  }
}

/** Evaluates an effect as the activity does, with a stored list in `start.stored`. */
function outside({ type, params, scope }: Extract<Effect, { kind: 'evaluate' }>): Json {
  const whole = JSON.parse(JSON.stringify(scope).replaceAll(JSON.stringify(stored), JSON.stringify(many)));
  return packRendered(type, evaluateBlock(type, params, whole), (value) =>
    Array.isArray(value) && value.length === many.length ? stored : value,
  );
}

const many = Array.from({ length: 250 }, (_, i) => ({ i }));
const stored = { $payload: 'pay_1', bytes: 9999, preview: '' };

const output = (run: Run) => run.outcome()?.output;

describe('a loop', () => {
  test('a loop runs its body as often as its count says, and each pass reads its number', () => {
    const run = given(
      line(
        loop('each', { count: 3, collect: '{{ [loop.index, vars.n] }}' }, add('inc', 'loop.index')),
        respond('done', '{{ each }}'),
      ),
    );
    play(run);
    expect(output(run)).toEqual({
      count: 3,
      results: [
        [0, 0],
        [1, 1],
        [2, 3],
      ],
    });
    expect(run.takeLog().map(({ path }) => path)).toEqual([
      'each',
      'inc@each[0]',
      'inc@each[1]',
      'inc@each[2]',
      'done',
    ]);
  });

  test('a loop runs over a list, item by item', () => {
    const run = given(
      line(
        loop(
          'each',
          {
            forEach: '{{ start.names }}',
            collect: '{{ loop.index }}: {{ loop.item }} of {{ size(loop.items) }}',
          },
          add('inc'),
        ),
        respond('done', '{{ each.results }}'),
      ),
      { names: ['a', 'b'] },
    );
    play(run);
    expect(output(run)).toEqual(['0: a of 2', '1: b of 2']);
  });

  test.each([
    ['while', { while: 'vars.n < 3', maxIterations: 10 }, 3],
    ['while that is false from the start', { while: 'vars.n < 0', maxIterations: 10 }, 0],
    ['while over the number of the pass', { while: 'loop.index < 2', maxIterations: 10 }, 2],
    ['until', { until: 'vars.n >= 3', maxIterations: 10 }, 3],
    ['until over an output of its body', { until: 'inc.n >= 2', maxIterations: 10 }, 2],
    ['count from an expression', { count: '{{ vars.n + 4 }}' }, 4],
    ['count of zero', { count: 0 }, 0],
    ['empty list', { forEach: [] }, 0],
  ])('a loop makes as many passes as its parameters say: %s', (_, params, count) => {
    const run = given(line(loop('each', params, add('inc')), respond('done', '{{ [each.count, vars.n] }}')));
    play(run);
    expect(output(run)).toEqual([count, count]);
  });

  test.each([
    [{ while: 'true', maxIterations: 5 }, 'LOOP_LIMIT_EXCEEDED'],
    [{ until: 'false', maxIterations: 5 }, 'LOOP_LIMIT_EXCEEDED'],
    [{ while: 'vars.n.gone > 1', maxIterations: 5 }, 'EXPRESSION_FAILED'],
    [{ while: '1 + vars.n', maxIterations: 5 }, 'INVALID_VALUE'],
    [{ until: 'vars.n.gone > 1', maxIterations: 5 }, 'EXPRESSION_FAILED'],
    [{ count: '{{ vars.n - 1 }}' }, 'INVALID_VALUE'],
    [{ count: '{{ 10001 + vars.n }}' }, 'INVALID_VALUE'],
    [{ forEach: '{{ vars.n }}' }, 'INVALID_VALUE'],
    [{ count: 1, collect: '{{ inc.n.gone + 1 }}' }, 'EXPRESSION_FAILED'],
  ])('fails, and names itself: %j', (params, code) => {
    const run = given(line(loop('each', params, add('inc'))));
    play(run);
    expect(run.outcome()).toMatchObject({ status: 'failed', failure: { code, blockId: 'each' } });
  });

  test('a loop reports nothing in flight while its query has not been launched', () => {
    const run = given(line(loop('each', { forEach: '{{ start.stored }}' }, add('inc'))), { stored });
    run.takeReady(0);
    expect(run.openEffects).toMatchObject([{ visit: { path: 'each#over0' }, kind: 'evaluate' }]);
    run.evaluated('each#over0', { total: 250, items: stored }, 0);
    // A run that moves to a new history launches nothing more, so it must not wait for this query.
    expect(run.hasReady).toBe(true);
  });

  test('a loop reads a stored list in batches, and has its results packed', () => {
    const run = given(
      line(
        loop('each', { forEach: '{{ start.list }}', collect: '{{ loop.item.i }}' }, add('inc')),
        respond('done', '{{ each.count }}'),
      ),
      { list: stored },
    );
    const asked = play(run);
    expect(output(run)).toBe(250);
    expect(asked).toEqual(['each#over0', 'each#batch0', 'each#batch100', 'each#batch200']);
  });

  test('a loop restores a state of release 0.1.0, where only the path of a query names its pass', () => {
    const graph = line(loop('each', { forEach: '{{ start.list }}' }, add('inc')));
    const plan = compile({ ...graph, variables: { n: { type: 'number', initial: 0 } } });
    let run = given(graph, { list: stored });
    const asked: string[] = [];
    for (let open = run.takeReady(0); open.length > 0 && asked.length < 9; open = run.takeReady(0)) {
      const { state } = run;
      for (const visit of Object.values(state.open)) delete visit.pass;
      run = Run.restore(plan, state);
      for (const effect of open) {
        asked.push(effect.visit.path);
        if (effect.kind === 'evaluate') run.evaluated(effect.visit.path, outside(effect), 0);
      }
    }
    expect(asked).toEqual(['each#over0', 'each#batch0', 'each#batch100', 'each#batch200']);
    expect(run.vars).toEqual({ n: 250 });
  });

  test('a loop keeps only the current one of ten thousand passes in its state', () => {
    const run = given(line(loop('each', { count: 10_000 }, add('a'), add('b'))));
    let most = 0;
    while (!run.done) {
      run.takeReady(0, 500);
      run.takeLog();
      most = Math.max(most, JSON.stringify(run.state).length);
    }
    expect(run.vars).toEqual({ n: 20_000 });
    expect(most).toBeLessThan(5000);
  });
});

describe('a parallel', () => {
  test('a parallel keeps as many branches under way as its concurrency allows, and orders results by branch', () => {
    const run = given(
      line(
        parallel('fan', { count: 5, concurrency: 2, collect: '{{ call }}' }, http('call')),
        respond('done', '{{ fan.results }}'),
      ),
    );
    const open = run.takeReady(0).map(({ visit }) => visit.path);
    expect(open).toEqual(['call@fan[0]', 'call@fan[1]']);
    while (!run.done) {
      const path = open.pop() ?? '';
      run.succeed(path, path, 0);
      open.push(...run.takeReady(0).map(({ visit }) => visit.path));
      expect(open.length).toBeLessThanOrEqual(2);
    }
    expect(output(run)).toEqual([0, 1, 2, 3, 4].map((i) => `call@fan[${i}]`));
  });

  const failing = (effect: Effect) => {
    if (effect.visit.path === 'call@fan[1]') throw 'BAD_LUCK';
    return effect.visit.path;
  };

  test('a parallel fails with its first branch and cancels the others', () => {
    const run = given(line(parallel('fan', { count: 3 }, http('call'))));
    run.takeReady(0);
    run.fail('call@fan[1]', { code: 'BAD_LUCK', message: 'bad luck' }, 0);
    expect(run.outcome()).toMatchObject({ status: 'failed', failure: { code: 'BAD_LUCK', blockId: 'call' } });
    expect(run.takeCancelled().map(({ path }) => path)).toEqual(['call@fan[0]', 'call@fan[2]']);
    expect(run.takeLog().map(({ path, status }) => [path, status])).toEqual([
      ['fan', 'failed'],
      ['call@fan[0]', 'cancelled'],
      ['call@fan[1]', 'failed'],
      ['call@fan[2]', 'cancelled'],
    ]);
  });

  test('a parallel goes on by its error port', () => {
    const run = given({
      blocks: [parallel('fan', { count: 3 }, http('call')), respond('caught', '{{ fan.error.code }}')],
      edges: parseEdges('start fan', 'fan caught error'),
    });
    play(run, failing);
    expect(output(run)).toBe('BAD_LUCK');
  });

  test('a parallel collects the errors of branches when onBranchError is collect', () => {
    const run = given(
      line(
        parallel('fan', { count: 3, onBranchError: 'collect', collect: '{{ call }}' }, http('call')),
        respond('done', '{{ fan }}'),
      ),
    );
    play(run, failing);
    const error = { code: 'BAD_LUCK', message: 'bad luck', blockId: 'call' };
    expect(output(run)).toEqual({
      count: 3,
      results: ['call@fan[0]', { error }, 'call@fan[2]'],
      errors: [{ index: 1, ...error }],
    });
  });

  test('a parallel follows the error port of a block that fails in a branch', () => {
    const body = {
      blocks: [http('call'), respond('caught', '{{ call.error.code }}')],
      edges: parseEdges('start call', 'call caught error'),
    };
    const fan = { id: 'fan', type: 'parallel', params: { count: 2 }, body } as Block;
    const run = given(line(fan, respond('done', 'done')));
    play(run, failing);
    expect(output(run)).toBe('BAD_LUCK');
  });
});

describe('containers in containers', () => {
  test('read all passes around them', () => {
    const inner = parallel(
      'fan',
      { forEach: '{{ loop.item }}', collect: '{{ [each.index, branch.index, branch.item] }}' },
      add0('noop'),
    );
    const run = given(
      line(
        loop('each', { forEach: [['a', 'b'], ['c']], collect: '{{ fan.results }}' }, inner),
        respond('done', '{{ each.results }}'),
      ),
    );
    play(run);
    expect(output(run)).toEqual([
      [
        [0, 0, 'a'],
        [0, 1, 'b'],
      ],
      [[1, 0, 'c']],
    ]);
  });

  test('containers in containers have one path for each visit, and pause at a human block in each', () => {
    const run = given(line(parallel('fan', { count: 2 }, loop('each', { count: 2 }, human('ask')))));
    const asked: string[] = [];
    for (let open = run.takeReady(0); open.length > 0; open = run.takeReady(0)) {
      expect(run.waitingForPeople).toBe(true);
      for (const { visit } of open) {
        asked.push(visit.path);
        run.resume(visit.path, {}, 0);
      }
    }
    expect(asked).toEqual([
      'ask@fan[0]/each[0]',
      'ask@fan[1]/each[0]',
      'ask@fan[0]/each[1]',
      'ask@fan[1]/each[1]',
    ]);
    expect(run.outcome()?.status).toBe('completed');
  });

  test('run eight deep', () => {
    let body: Block = http('call');
    for (let depth = 8; depth > 0; depth--) body = loop(`l${depth}`, { count: 2 }, body);
    const run = given(line(body));
    expect(play(run)).toHaveLength(256);
    expect(run.outcome()).toMatchObject({ status: 'completed', output: { count: 2 } });
  });

  test('ignore a result that comes late or twice', () => {
    const run = given(line(parallel('fan', { count: 3, onBranchError: 'collect' }, http('a'), http('b'))));
    run.takeReady(0);
    run.fail('a@fan[0]', { code: 'X', message: 'x' }, 0);
    const before = run.state;
    expect(run.succeed('a@fan[0]', 1, 0)).toBe(false);
    expect(run.succeed('b@fan[0]', 1, 0)).toBe(false);
    expect(run.state).toEqual(before);
  });
});

function add0(id: string): Block {
  return { id, type: 'condition', cases: [{ port: 'yes', when: 'true' }] };
}
