import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '#libs/platform/json/json';
import { runScenarios } from './run-scenarios.ts';
import type { ScenarioResult } from './scenario.ts';
import { around, ask, branching, done, get, line, one } from './test/lines.ts';
import { report, trace } from './trace.ts';

const call = get('call');
const examples = 'apps/local/examples';

const faultsOf = ({ problems, differences }: ScenarioResult) => [...problems, ...differences];
const textOf = (result: ScenarioResult) => trace(result).join('\n');

describe('the examples', () => {
  test.each(['licence-review', 'approval', 'complaint'])('%s passes its scenarios', async (name) => {
    const results = await runScenarios(`${examples}/${name}.scenario.json`);
    expect(results.length).toBeGreaterThan(3);
    expect(results.flatMap((result) => (result.passed ? [] : [report(result)]))).toEqual([]);
  });

  test('the examples on their page pass when they are copied into a file', async () => {
    const page = readFileSync('apps/docs/pages/scenarios.md', 'utf8');
    const text = page.match(/^```json\n(.*?)^```$/ms)?.[1] ?? '';
    const results = await runScenarios(JSON.parse(text));
    expect(results.length).toBeGreaterThan(0);
    expect(results.flatMap((result) => (result.passed ? [] : [report(result)]))).toEqual([]);
  });

  test('the examples are played alone when the caller names a part of their name', async () => {
    const only = 'for good';
    const results = await runScenarios(`${examples}/licence-review.scenario.json`, { only });
    expect(results.map(({ name }) => name)).toEqual(['the delivery fails for good']);
  });
});

describe('an expectation that is not met', () => {
  test('an expectation that is not met is reported with the expected value, the actual value, and the path of the run', async () => {
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
      expect.stringMatching(/^elapsed: expected P3D, got \d+(\.\d)? s$/),
      'calls.call[0].url: expected "https://api.test/8", got "https://api.test/7"',
    ]);
    expect(textOf(result)).toMatch(/✖ call +http +failed( after [\d.]+ s)? +HTTP_STATUS: It said 404\./);
    expect(textOf(result)).toMatch(/= +failed +HTTP_STATUS at call: It said 404\./);
  });

  test('about an output is reported with the members that differ', async () => {
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

  test('about a path is reported with the status of each block', async () => {
    const result = await one(line(ask('approve'), done('yes')), {
      people: [{ block: 'approve', after: 'P2D', answers: { approved: true } }],
      expect: {
        status: 'completed',
        path: [{ block: 'approve', status: 'expired' }, 'done'],
        elapsed: 'P1D',
      },
    });
    expect(result.differences).toEqual([
      'path: expected approve (expired) → done, got approve (completed) → done',
      'elapsed: expected P1D, got 2 d',
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

  test('a scenario that cannot be played as it is written fails also when the run continues after the block that has no answer', async () => {
    const definition = branching(line(call, done('done')), 'call', 'error', done('caught', 'caught'));
    const result = await one(definition, { expect: { status: 'completed', output: 'caught' } });
    expect(result).toMatchObject({ passed: false, differences: [], status: 'completed' });
  });

  test('says which answer does not fit the form, and shows the run at that moment', async () => {
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
});

describe('a file with a fault is refused', () => {
  const start = { inputs: { id: { type: 'number' } } };
  const fan = around('fan', 'parallel', { count: 2 }, get('inner'), ask('inside'));
  const definition = { ...line(call, ask('approve'), fan, done('done')), start };
  const twice = [{ output: 1 }, { output: 2 }];
  const yes = { answers: { approved: true } };

  test.each<[string, JsonObject, string]>([
    ['an unknown member', { inputs: {}, wait: 'P1D' }, 'scenarios[0].wait'],
    ['an answer without output and without failure', { effects: { call: {} } }, 'scenarios[0].effects.call'],
    [
      'an answer with output and failure',
      { effects: { call: { output: 1, fail: { code: 'X', message: '' } } } },
      'scenarios[0].effects.call',
    ],
    ['no answers at all', { effects: { call: [] } }, 'scenarios[0].effects.call'],
    ['a block that does not exist', { effects: { cal: { output: 1 } } }, 'scenarios[0].effects.cal'],
    ['a block of another type', { people: [{ block: 'call', answers: {} }] }, 'scenarios[0].people[0]'],
    ['an effect that is a child', { children: { call: { output: 1 } } }, 'scenarios[0].children.call'],
    [
      'a pass of a block that has none',
      { effects: { 'call@fan[0]': { output: 1 } } },
      'scenarios[0].effects["call@fan[0]"]',
    ],
    [
      'a pass of another container',
      { effects: { 'inner@fun[1]': { output: 1 } } },
      'scenarios[0].effects["inner@fun[1]"]',
    ],
    [
      'a person in a pass that there is not',
      { people: [{ block: 'inside', pass: 'fan', ...yes }] },
      'scenarios[0].people[0]',
    ],
    ['inputs that do not fit', { inputs: { id: 'x' } }, 'scenarios[0].inputs.id'],
    ['a time that is not a duration', { until: 'two days' }, 'scenarios[0].until'],
    ['a step that does not exist', { expect: { status: 'paused', path: ['cal'] } }, 'scenarios[0].expect'],
    ['a status that no run has', { expect: { status: 'done' } }, 'scenarios[0].expect.status'],
    ['answers in turn side by side', { effects: { inner: twice } }, 'scenarios[0]'],
    [
      'people in turn side by side',
      { people: [1, 2].map(() => ({ block: 'inside', ...yes })) },
      'scenarios[0]',
    ],
  ])('a file with a fault is refused for %s', async (_, members, path) => {
    const scenario = { name: 'bad', expect: { status: 'completed' as const }, ...members };
    const refusal = runScenarios({ definition, scenarios: [scenario] });
    await expect(refusal).rejects.toMatchObject({ details: [{ path }] });
  });

  test('when its definition is not valid, with the faults of that', async () => {
    const bad = { blocks: [], edges: [{ from: 'start', to: 'nowhere' }] };
    const refusal = runScenarios({
      definition: bad,
      scenarios: [{ name: 'x', expect: { status: 'failed' } }],
    });
    await expect(refusal).rejects.toMatchObject({
      message: 'The definition is not valid.',
      details: expect.arrayContaining([expect.objectContaining({ path: 'definition.edges[0].to' })]),
    });
  });

  test.each([
    ['without JSON', '{ "definition": ', /bad\.json cannot be read: .*JSON/],
    ['that does not exist', null, /bad\.json cannot be read: .*ENOENT/],
    ['with a list', '[]', /The scenarios cannot be read\./],
    [
      'with a missing definition',
      '{"definition":"./no.json","scenarios":[{"name":"x","expect":{"status":"failed"}}]}',
      /no\.json cannot be read/,
    ],
  ])('a file with a fault is refused for a file %s', async (_, text, message) => {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-scenario-'));
    try {
      if (text !== null) writeFileSync(join(folder, 'bad.json'), text);
      await expect(runScenarios('bad.json', { folder })).rejects.toThrow(message);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
