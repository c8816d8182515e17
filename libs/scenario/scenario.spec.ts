import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { JsonObject } from '#libs/definition/values';
import { runScenarios } from './run-scenarios.ts';
import type { Scenario, ScenarioResult } from './scenario.ts';
import { report, trace } from './trace.ts';

const examples = 'apps/local/examples';
const dayMs = 86_400_000;
const logging = { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) };
beforeAll(() =>
  Runtime.install({ shutdownSignals: [], logger: new DefaultLogger('ERROR'), telemetryOptions: { logging } }),
);

/** The blocks one after the other. */
function line(...blocks: { id: string; type: string; params: JsonObject }[]): JsonObject {
  const ids = ['start', ...blocks.map(({ id }) => id)];
  return { blocks, edges: blocks.map(({ id }, i) => ({ from: ids[i] ?? '', to: id })) };
}

const ask = (id: string, params: JsonObject = {}) => ({
  id,
  type: 'human',
  params: {
    title: `Go on at ${id}?`,
    form: [{ name: 'approved', type: 'boolean', required: true }],
    ...params,
  },
});
const wait = (duration: string) => ({ id: 'rest', type: 'wait', params: { duration } });
const call = { id: 'call', type: 'http', params: { method: 'GET', url: 'https://api.test/{{ start.id }}' } };
const done = (data: string | JsonObject) => ({ id: 'done', type: 'response', params: { data } });

const played = (definition: JsonObject, ...scenarios: Omit<Scenario, 'name'>[]) =>
  runScenarios({ definition, scenarios: scenarios.map((one, i) => ({ name: `number ${i + 1}`, ...one })) });

async function one(definition: JsonObject, scenario: Omit<Scenario, 'name'>): Promise<ScenarioResult> {
  const [result] = await played(definition, scenario);
  if (!result) throw new Error('nothing was played');
  return result;
}

const faultsOf = ({ problems, differences }: ScenarioResult) => [...problems, ...differences];
const textOf = (result: ScenarioResult) => trace(result).join('\n');

describe('the examples', () => {
  test.each(['licence-review', 'approval'])('%s goes as its scenarios say', async (name) => {
    const results = await runScenarios(`${examples}/${name}.scenario.json`);
    expect(results.length).toBeGreaterThan(3);
    expect(results.flatMap((result) => (result.passed ? [] : [report(result)]))).toEqual([]);
  });

  test('are played alone by a part of their names', async () => {
    const only = 'for good';
    const results = await runScenarios(`${examples}/licence-review.scenario.json`, { only });
    expect(results.map(({ name }) => name)).toEqual(['the delivery fails for good']);
  });
});

describe('a wrong expectation', () => {
  test('is told with what was expected and what came, and with what the run did', async () => {
    const result = await one(line(call, ask('approve'), done({ id: '{{ call.data.id }}', ok: true })), {
      inputs: { id: 7 },
      people: [{ block: 'approve', after: 'P2D', answers: { approved: true } }],
      effects: {
        call: [{ fail: { code: 'HTTP_STATUS', message: 'It said 404.' } }, { output: { data: { id: 1 } } }],
      },
      expect: {
        status: 'completed',
        output: { id: 1, ok: false, more: 2 },
        path: [{ block: 'call', attempts: 3 }, 'done'],
        pauses: ['call'],
        failure: { code: 'OTHER' },
        elapsed: 'P3D',
        calls: { call: [{ url: 'https://api.test/8' }] },
      },
    });
    // The block has no retries of its own, so its first failure is its last.
    expect(result).toMatchObject({ passed: false, status: 'failed', problems: [] });
    expect(result.differences).toEqual([
      'status: expected completed, got failed',
      'output: expected {"id":1,"ok":false,"more":2}, got null',
      'failure.code: expected "OTHER", got "HTTP_STATUS"',
      'path: expected call (3 attempts) → done, got call (1 attempts)',
      'pauses: expected call, got nothing',
      'elapsed: expected P3D, got 0.0 s',
      'calls.call[0].url: expected "https://api.test/8", got "https://api.test/7"',
    ]);
    expect(textOf(result)).toMatch(/✖ call +http +failed +HTTP_STATUS: It said 404\./);
    expect(textOf(result)).toMatch(/= +failed +HTTP_STATUS at call: It said 404\./);
  });

  test('of an output names the members that differ', async () => {
    const result = await one(line(done({ a: { b: [1, 2] }, c: 'x', d: true })), {
      expect: { status: 'completed', output: { a: { b: [1, 3] }, c: 'x', e: 1 } },
    });
    expect(result.differences).toEqual([
      'output.a.b[1]: expected 3, got 2',
      'output.e: expected 1, got nothing',
      'output.d: not expected, got true',
    ]);
    expect(report(result)).toContain('FAILED  number 1');
    expect(report(result)).toMatch(/✔ done +response +completed/);
  });

  test('of a path shows what each block came to', async () => {
    const result = await one(line(ask('approve'), done('yes')), {
      people: [{ block: 'approve', after: 'P2D', answers: { approved: true } }],
      expect: { status: 'completed', path: [{ block: 'approve', status: 'expired' }, 'done'] },
    });
    expect(result.differences).toEqual([
      'path: expected approve (expired) → done, got approve (completed) → done',
    ]);
    expect(textOf(result)).toMatch(/✔ approve +human +completed after 2 d +\{"approved":true\}/);
    expect(textOf(result)).toMatch(/\+2 d +· a person answers approve: \{"approved":true\}/);
  });
});

describe('a scenario that cannot be played as it is written', () => {
  test('says which block has no answer', async () => {
    const result = await one(line(call, done('done')), { expect: { status: 'failed' } });
    expect(result.passed).toBe(false);
    expect(faultsOf(result)).toEqual([
      '"call" was called and the scenario has no answer for it: give one under effects.call.',
    ]);
  });

  test('fails although the run goes on after the block that has no answer', async () => {
    const { blocks, edges } = line(call, done('done'));
    const escape = { id: 'caught', type: 'response', params: { data: 'caught' } };
    const definition = {
      blocks: [...(blocks as JsonObject[]), escape],
      edges: [...(edges as JsonObject[]), { from: 'call', port: 'error', to: 'caught' }],
    };
    const result = await one(definition, { expect: { status: 'completed', output: 'caught' } });
    expect(result).toMatchObject({ passed: false, differences: [], status: 'completed' });
  });

  test('says which answer does not fit the form, and leaves the run where it stood', async () => {
    const result = await one(line(ask('approve'), done('done')), {
      people: [{ block: 'approve', after: 'P2D', answers: { approved: 'perhaps', other: 1 } }],
      expect: { status: 'completed' },
    });
    expect(faultsOf(result)).toEqual([
      'The answers for "approve" do not fit its form. input.other: The form has no such field. input.approved: It must be true or false.',
      'status: expected completed, got paused',
    ]);
    expect(result.visits).toMatchObject([{ path: 'approve', status: 'paused' }]);
  });

  test.each<[string, JsonObject, string]>([
    ['a member that is not known', { inputs: {}, wait: 'P1D' }, 'scenarios[0].wait'],
    ['an answer that is neither', { effects: { call: {} } }, 'scenarios[0].effects.call'],
    ['a block that is not there', { effects: { cal: { output: 1 } } }, 'scenarios[0].effects.cal'],
    ['a block of another type', { people: [{ block: 'call', answers: {} }] }, 'scenarios[0].people[0]'],
    ['inputs that do not fit', { inputs: { id: 'x' } }, 'scenarios[0].inputs.id'],
    ['a time that is none', { until: 'two days' }, 'scenarios[0].until'],
  ])('is refused for %s', async (_, members, path) => {
    const start = { inputs: { id: { type: 'number' } } };
    const definition = { ...line(call, done('done')), start };
    const scenario = { name: 'bad', expect: { status: 'completed' as const }, ...members };
    const refusal = runScenarios({ definition, scenarios: [scenario] });
    await expect(refusal).rejects.toMatchObject({ details: [{ path }] });
  });

  test('is refused for a definition that is not valid', async () => {
    const definition = { blocks: [], edges: [{ from: 'start', to: 'nowhere' }] };
    const refusal = runScenarios({ definition, scenarios: [{ name: 'x', expect: { status: 'failed' } }] });
    await expect(refusal).rejects.toThrow('The definition is not valid.');
  });

  test('ends after so much real time', async () => {
    const count = { id: 'spin', type: 'loop', params: { count: 10_000, maxIterations: 10_000 } };
    const body = line({ id: 'tick', type: 'wait', params: { duration: 'PT1S' } });
    const [result] = await runScenarios(
      {
        definition: line({ ...count, body } as unknown as typeof call),
        scenarios: [{ name: 'endless', expect: { status: 'completed' } }],
      },
      { patienceMs: 1500 },
    );
    expect(result?.problems).toEqual(['The run had not ended after 1.5 s of real time and was stopped.']);
  });
});

describe('people', () => {
  const each = {
    id: 'each',
    type: 'loop',
    params: { forEach: '{{ start.names }}', maxIterations: 5, collect: '{{ approve.approved }}' },
    body: line(ask('approve')),
  } as unknown as typeof call;

  test('answer the pause of one pass of a loop, and others in turn', async () => {
    const [named, inTurn, silent] = await played(
      line(each, done('{{ each.results }}')),
      {
        inputs: { names: ['a', 'b', 'c'] },
        people: [
          { block: 'approve', pass: 'each[1]', after: 'P3D', answers: { approved: false } },
          { block: 'approve', after: 'P1D', answers: { approved: true } },
        ],
        expect: {
          status: 'completed',
          output: [true, false, true],
          path: ['each', 'approve@each[0]', 'approve@each[1]', 'approve@each[2]', 'done'],
          pauses: ['approve', { block: 'approve@each[1]', outcome: 'answered' }, 'approve'],
          elapsed: 'P5D',
        },
      },
      {
        inputs: { names: ['a', 'b', 'c'] },
        people: [
          { block: 'approve', answers: { approved: false } },
          { block: 'approve', after: 3600, answers: { approved: true } },
        ],
        expect: { status: 'completed', output: [false, true, true], elapsed: 'PT2H' },
      },
      {
        inputs: { names: ['a', 'b'] },
        people: [{ block: 'approve', pass: 'each[0]', answers: { approved: true } }],
        expect: {
          status: 'paused',
          path: ['each', 'approve', { block: 'approve@each[1]', status: 'paused' }],
        },
      },
    );
    expect([named, inTurn, silent].map((result) => result && faultsOf(result))).toEqual([[], [], []]);
  });

  test('who are asked side by side answer each in their own time', async () => {
    const definition = {
      blocks: [ask('first'), ask('second'), { ...wait('P1D') }],
      edges: ['first', 'second', 'rest'].map((to) => ({ from: 'start', to })),
    };
    const result = await one(definition, {
      people: [
        { block: 'first', after: 'P20D', answers: { approved: true } },
        { block: 'second', after: 'P2D', answers: { approved: false } },
      ],
      expect: { status: 'completed', elapsed: 'P20D', pauses: ['first', 'second'] },
    });
    expect(faultsOf(result)).toEqual([]);
    const lasted = result.visits.map(({ startedAtMs, endedAtMs }) => (endedAtMs ?? 0) - startedAtMs);
    expect(lasted.map((ms) => Math.round(ms / dayMs))).toEqual([20, 2, 1]);
  });

  test('who come after the expiry are told that it is too late', async () => {
    const result = await one(
      line(ask('approve', { expiresAfter: 'P3D', onExpiry: 'continue' }), wait('P9D')),
      {
        people: [{ block: 'approve', after: 'P4D', answers: { approved: true } }],
        expect: { status: 'completed' },
      },
    );
    expect(result.notes.map(({ text }) => text)).toEqual([
      'the answer to approve was refused: the pause is expired already',
    ]);
  });
});

describe('time', () => {
  test('of thirty days passes at once', async () => {
    const result = await one(line(wait('P30D'), done('done')), {
      expect: { status: 'completed', elapsed: 'P30D', path: ['rest', 'done'] },
    });
    expect(faultsOf(result)).toEqual([]);
    expect(result.tookMs).toBeLessThan(10_000);
  });

  test('ends for a run when the scenario says so', async () => {
    const definition = line(wait('P30D'), ask('approve'));
    const [early, late] = await played(
      definition,
      { until: 'P7D', expect: { status: 'completed' } },
      { until: 'P40D', expect: { status: 'paused', elapsed: 'P30D' } },
    );
    expect(early?.differences).toEqual(['status: expected completed, got running']);
    expect(early?.visits).toMatchObject([{ path: 'rest', status: 'running' }]);
    expect(late && faultsOf(late)).toEqual([]);
  });
});

describe('effects', () => {
  test('get parameters rendered with inputs and secrets, and give values of any size', async () => {
    const params = { method: 'GET', url: 'https://api.test/', headers: { key: 'Bearer {{ secrets.KEY }}' } };
    const rows = Array.from({ length: 2000 }, (_, id) => ({ id, name: `row ${id}` }));
    const result = await one(
      line(
        { ...call, params },
        done({ rows: '{{ size(call.data.rows) }}', last: '{{ call.data.rows[1999] }}' }),
      ),
      {
        secrets: { KEY: 'k' },
        effects: { call: { output: { data: { rows } } } },
        expect: {
          status: 'completed',
          output: { rows: 2000, last: { id: 1999, name: 'row 1999' } },
          calls: { call: [{ headers: { key: 'Bearer k' } }] },
        },
      },
    );
    expect(faultsOf(result)).toEqual([]);
  });

  test('that are not to be tried again are not', async () => {
    const fail = { code: 'HTTP_STATUS', message: 'It said 404.', retryable: false };
    const definition = line({ ...call, retry: { maxAttempts: 5 } } as typeof call, done('done'));
    const result = await one(definition, {
      effects: { call: { fail } },
      expect: { status: 'failed', path: [{ block: 'call', attempts: 1 }], failure: { blockId: 'call' } },
    });
    expect(faultsOf(result)).toEqual([]);
  });
});

test('a child workflow comes to what the scenario says', async () => {
  const child = {
    id: 'sub',
    type: 'workflow',
    params: { workflowId: 'wf_1', inputs: { n: '{{ start.n }}' } },
  };
  const [good, bad, none] = await played(
    line(child, done('{{ sub.sum }}')),
    {
      inputs: { n: 2 },
      children: { sub: { output: { sum: 5 } } },
      expect: { status: 'completed', output: 5, path: ['sub', 'done'] },
    },
    {
      inputs: { n: 2 },
      children: { sub: { fail: { code: 'CHILD_BROKE', message: 'It broke.' } } },
      expect: { status: 'failed', failure: { code: 'CHILD_BROKE', blockId: 'sub' } },
    },
    { inputs: { n: 2 }, expect: { status: 'failed' } },
  );
  expect([good, bad].map((result) => result && faultsOf(result))).toEqual([[], []]);
  expect(none?.problems).toEqual([
    '"sub" was called and the scenario has no answer for it: give one under children.sub.',
  ]);
});
