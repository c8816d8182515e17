import type { Block } from '#libs/language/definition/blocks/registry';

import { parseEdges, givenRun, http, respond } from './support/given.ts';

const ref = { $payload: 'pay_1', bytes: 9999, preview: '{' };

const set = (id: string, value: string): Block => ({
  id,
  type: 'variables',
  params: { set: { v: value } },
});

describe('stored values', () => {
  test('move the evaluation of a pure block that reads them out of the workflow', () => {
    const run = givenRun([respond('a', '{{ start.big.x }} {{ start.small }}')], {
      inputs: { big: ref, small: 1, other: 2 },
    });
    expect(run.takeReady(0)).toEqual([
      {
        kind: 'evaluate',
        visit: { path: 'a', blockId: 'a' },
        type: 'response',
        params: { data: '{{ start.big.x }} {{ start.small }}' },
        scope: { start: { big: ref, small: 1 } },
      },
    ]);
    expect(run.quiet).toBe(false);
    run.evaluated('a', { data: ref, status: 201, headers: { a: 'b' }, raw: true }, 1);
    expect(run.outcome()).toEqual({
      status: 'completed',
      output: ref,
      response: { status: 201, headers: { a: 'b' }, raw: true },
    });
  });

  test('leave the evaluation of a block that does not read them in the workflow', () => {
    const run = givenRun([respond('a', '{{ start.small }}')], { inputs: { big: ref, small: 1 } });
    expect(run.takeReady(0)).toEqual([]);
    expect(run.outcome()).toMatchObject({ output: 1 });
  });

  test('stored values are given to an effect as references', () => {
    const run = givenRun([http('a', '{{ start.big.x }}')], { inputs: { big: ref } });
    expect(run.takeReady(0)).toMatchObject([{ kind: 'activity', scope: { start: { big: ref } } }]);
  });
});

describe('an evaluation outside of the workflow', () => {
  test('an evaluation outside of the workflow leads to a pause or a branch', () => {
    const fork: Block = { id: 'fork', type: 'condition', cases: [{ port: 'yes', when: 'start.big.x' }] };
    const ask: Block = { id: 'ask', type: 'human', params: { title: '{{ start.big.x }}' } };
    const run = givenRun([fork, ask], {
      inputs: { big: ref },
      edges: parseEdges('start fork', 'fork ask yes'),
    });
    expect(run.takeReady(0)).toMatchObject([{ kind: 'evaluate', type: 'condition' }]);
    run.evaluated('fork', { port: 'yes' }, 1);
    expect(run.takeReady(1)).toMatchObject([{ kind: 'evaluate', type: 'human' }]);
    run.evaluated(
      'ask',
      { title: 'T', message: '', fields: [{ label: 'l', value: ref }], form: [], expiresAfterMs: null },
      2,
    );
    expect(run.takeReady(3)).toMatchObject([
      { kind: 'pause', title: 'T', fields: [{ value: ref }], expiresAtMs: null },
    ]);
    expect(run.takeLog()).toMatchObject([{ path: 'fork' }, { path: 'ask', status: 'paused' }]);
  });

  test('an evaluation outside of the workflow renders an object with the marker of a stored value from an expression or a literal', () => {
    for (const data of [{ $payload: 'pay_of_another' }, '{{ {"$payload": "pay_of_another"} }}'])
      expect(givenRun([respond('a', data)]).takeReady(0)).toMatchObject([{ kind: 'evaluate' }]);
  });

  test('an evaluation outside of the workflow is refused when its whole result is a reference', () => {
    const run = givenRun([respond('a', '{{ start.big }}')], { inputs: { big: ref } });
    run.takeReady(0);
    expect(run.evaluated('a', ref, 1)).toBe(true);
    expect(run.outcome()).toMatchObject({
      status: 'failed',
      failure: { code: 'ENGINE_FAULT', blockId: 'a' },
    });
  });
});

describe('work that is too much for workflow code', () => {
  test('work that is too much for workflow code is done outside when it costs too much', () => {
    const items = Array.from({ length: 1000 }, (_, i) => i);
    const run = givenRun([respond('a', '{{ start.items.map(a, start.items.map(b, a * b)) }}')], {
      inputs: { items },
    });
    expect(run.takeReady(0)).toMatchObject([{ kind: 'evaluate' }]);
  });

  test('work that is too much for workflow code is done outside when its value is too large', () => {
    const inputs = { text: 'x'.repeat(4000) };
    const run = givenRun(
      [respond('a', '{{ start.text }} {{ start.text }} {{ start.text }} {{ start.text }} {{ start.text }}')],
      { inputs },
    );
    expect(run.takeReady(0)).toMatchObject([{ kind: 'evaluate' }]);
  });
});

describe('variables', () => {
  test('begin with their initial value, and hold the last set value', () => {
    const run = givenRun(
      [set('a', '{{ vars.v + 1 }}'), set('b', '{{ vars.v * 10 }}'), respond('c', '{{ vars.v }}')],
      { variables: { v: { type: 'number', initial: 1 } } },
    );
    run.takeReady(0);
    expect(run.outcome()).toMatchObject({ output: 20 });
  });

  test('keep their type', () => {
    const run = givenRun([set('a', 'text')], { variables: { v: { type: 'number' } } });
    run.takeReady(0);
    expect(run.outcome()).toMatchObject({
      status: 'failed',
      failure: { code: 'INVALID_VALUE', blockId: 'a' },
    });
  });
});
