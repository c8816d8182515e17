import type { JsonObject } from '#libs/platform/json/json';
import { around, ask, branching, done, failures, get, line, one, played, wait } from './test/lines.ts';

const dayMs = 86_400_000;

describe('people', () => {
  const collect = '{{ approve.approved }}';
  const each = around('each', 'loop', { forEach: '{{ start.names }}', collect }, ask('approve'));
  const definition = line(each, done('{{ each.results }}'));

  test('answer the pause of one pass of a loop, and the other pauses in turn', async () => {
    const named = {
      inputs: { names: ['a', 'b', 'c'] },
      people: [
        { block: 'approve', pass: 'each[1]', after: 'P3D', answers: { approved: false } },
        { block: 'approve', after: 'P1D', answers: { approved: true } },
      ],
      expect: {
        status: 'completed' as const,
        output: [true, false, true],
        path: ['each', 'approve@each[0]', 'approve@each[1]', 'approve@each[2]', 'done'],
        pauses: ['approve', { block: 'approve@each[1]', outcome: 'answered' as const }, 'approve'],
        elapsed: 'P5D',
      },
    };
    const inTurn = {
      inputs: { names: ['a', 'b', 'c'] },
      people: [
        { block: 'approve', answers: { approved: false } },
        { block: 'approve', after: 3600, answers: { approved: true } },
      ],
      expect: { status: 'completed' as const, output: [false, true, true], elapsed: 'PT2H' },
    };
    expect(await failures(definition, named, inTurn)).toEqual([]);
  });

  test('get three reminders in a month about a pause that nobody answers, and then the escalation', async () => {
    const asking = {
      approvals: { required: 2, assignees: ['ann@example.org', 'bob@example.org'] },
      reminders: ['P7D', 'P14D', 'P21D'],
      expiresAfter: 'P30D',
      onExpiry: 'continue',
    };
    const form = [{ name: 'approved', type: 'boolean', required: true }];
    const pause = { id: 'ask', type: 'human', params: { title: 'Well?', form, ...asking } };
    const { blocks, edges } = line(pause, done('{{ ask.approved }}'));
    const whole = { blocks, edges: [...edges, { from: 'ask', port: 'expired', to: 'done' }] };
    const first = { block: 'ask', after: 'P10D', as: 'ann@example.org', answers: { approved: true } };
    const stranger = { ...first, after: 'P8D', as: 'eve@example.org' };
    const second = { ...first, after: 'P15D', as: 'bob@example.org' };
    const [late, inTime] = await played(whole, [
      {
        people: [first, stranger],
        expect: { status: 'completed', pauses: [{ block: 'ask', outcome: 'expired' }], elapsed: 'P30D' },
      },
      { people: [first, second], expect: { status: 'completed', output: true, elapsed: 'P15D' } },
    ]);
    expect(late?.differences).toEqual([]);
    expect(inTime?.differences).toEqual([]);
    const days = (result: typeof late) =>
      result?.notes.map(({ atMs, text }) => [Math.round((atMs - result.startedAtMs) / dayMs), text]);
    const told = (day: number, nth: number) => [day, `people are told of ask again: reminder ${nth}`];
    expect(days(late)).toEqual([
      told(7, 1),
      [8, 'the answer to ask was refused: This request was not put to you.'],
      [10, expect.stringContaining('ann@example.org answers ask')],
      told(14, 2),
      told(21, 3),
    ]);
    expect(days(inTime)?.map(([day]) => day)).toEqual([7, 10, 14, 15]);
  });

  test('answer one pass and leave the pause of the next one open', async () => {
    const silent = {
      inputs: { names: ['a', 'b'] },
      people: [{ block: 'approve', pass: 'each[0]', answers: { approved: true } }],
      expect: {
        status: 'paused' as const,
        path: ['each', 'approve', { block: 'approve@each[1]', status: 'paused' as const }],
        pauses: ['approve', { block: 'approve', outcome: 'open' as const }],
      },
    };
    expect(await failures(definition, silent)).toEqual([]);
  });

  test('answer pauses side by side, each after its own time', async () => {
    const blocks = [ask('first'), ask('second'), wait('rest', 'P1D')];
    const edges = blocks.map(({ id }) => ({ from: 'start', to: id }));
    const result = await one(
      { blocks, edges },
      {
        people: [
          { block: 'first', after: 'P20D', answers: { approved: true } },
          { block: 'second', after: 'P2D', answers: { approved: false } },
        ],
        expect: { status: 'completed', elapsed: 'P20D', pauses: ['first', 'second'] },
      },
    );
    expect([...result.problems, ...result.differences]).toEqual([]);
    const lasted = result.visits.map(({ startedAtMs, endedAtMs }) => (endedAtMs ?? 0) - startedAtMs);
    expect(lasted.map((ms) => Math.round(ms / dayMs))).toEqual([20, 2, 1]);
  });

  test('answer in the branches of a parallel inside a loop', async () => {
    const fan = around('fan', 'parallel', { count: 3, collect }, ask('approve'));
    const rounds = around('rounds', 'loop', { count: 2, collect: '{{ fan.results }}' }, fan);
    const by = (pass: string, after: string, approved: boolean) => ({
      block: 'approve',
      pass,
      after,
      answers: { approved },
    });
    const passes = [0, 1, 2].map((branch) => `approve@rounds[1]/fan[${branch}]`);
    const nested = {
      people: [
        { block: 'approve', answers: { approved: true } },
        by('rounds[1]/fan[0]', 'P9D', false),
        by('rounds[1]/fan[2]', 'P3D', false),
      ],
      expect: {
        status: 'completed' as const,
        output: [
          [true, true, true],
          [false, true, false],
        ],
        elapsed: 'P9D',
        pauses: ['approve', 'approve', 'approve', ...passes],
        path: ['rounds', 'fan', 'approve', 'approve', 'approve', 'fan@rounds[1]', ...passes, 'done'],
      },
    };
    expect(await failures(line(rounds, done('{{ rounds.results }}')), nested)).toEqual([]);
  });
});

test('an operator is asked about a call that has failed, and lets it run again or gives its output', async () => {
  const call = get('call', { onFailure: 'pause' });
  const decide = (...answers: JsonObject[]) =>
    answers.map((given) => ({ block: 'call', after: 'P1D', answers: given }));
  const refused = { fail: { code: 'HTTP_503', message: 'It said no.' } };
  const again = {
    people: decide({ action: 'retry' }),
    effects: { call: [refused, { output: 7 }] },
    expect: {
      status: 'completed' as const,
      output: 7,
      path: [{ block: 'call', attempts: 2 }, 'done'],
      elapsed: 'P1D',
    },
  };
  const skipped = {
    people: decide({ action: 'retry' }, { action: 'skip', output: 8 }),
    effects: { call: refused },
    expect: { status: 'completed' as const, output: 8, pauses: ['call', 'call'], elapsed: 'P2D' },
  };
  const failing = {
    people: decide({ action: 'fail' }),
    effects: { call: refused },
    expect: { status: 'failed' as const, failure: { code: 'HTTP_503', blockId: 'call' } },
  };
  const alone = { effects: { call: refused }, expect: { status: 'paused' as const } };
  expect(await failures(line(call, done('{{ call }}')), again, skipped, failing, alone)).toEqual([]);
});

describe('the expiry of a pause', () => {
  const expiring = line(ask('approve', { expiresAfter: 'P3D' }), done('done'));

  test('never comes before an answer that is given shortly before it', async () => {
    const people = [{ block: 'approve', after: 'P2DT23H59M30S', answers: { approved: true } }];
    const inTime = { people, expect: { status: 'completed' as const, elapsed: 'P3D' } };
    expect(await failures(expiring, inTime, inTime, inTime)).toEqual([]);
  });

  test('the expiry of a pause comes before a later answer, which is refused as too late', async () => {
    const patient = ask('approve', { expiresAfter: 'P3D', onExpiry: 'continue' });
    const definition = branching(line(patient), 'approve', 'expired', wait('rest', 'P9D'));
    const result = await one(definition, {
      people: [{ block: 'approve', after: 'P4D', answers: { approved: true } }],
      expect: {
        status: 'completed',
        path: [{ block: 'approve', port: 'expired', status: 'expired' }, 'rest'],
        elapsed: 'P12D',
      },
    });
    expect([...result.problems, ...result.differences]).toEqual([]);
    expect(result.notes.map(({ text }) => text)).toEqual([
      'the answer to approve was refused: the pause is expired already',
    ]);
  });

  test('at the moment of the answer fails the scenario, because either could be first', async () => {
    const result = await one(expiring, {
      people: [{ block: 'approve', after: 'P3D', answers: { approved: true } }],
      expect: { status: 'completed' },
    });
    expect(result.passed).toBe(false);
    expect(result.problems).toEqual([
      'The answer for "approve" comes at the moment of its expiry; let it come earlier or later.',
    ]);
  });
});

describe('time', () => {
  test('time skips thirty days at once', async () => {
    const result = await one(line(wait('rest', 'P30D'), done('done')), {
      expect: { status: 'completed', elapsed: 'P30D', path: ['rest', 'done'] },
    });
    expect([...result.problems, ...result.differences]).toEqual([]);
  });

  test('time begins at the present for every scenario, also after one that skipped time', async () => {
    const long = { expect: { status: 'paused' as const } };
    const results = await played(line(ask('approve')), [long, long]);
    const ahead = results.map(({ startedAtMs }) => Math.abs(startedAtMs - Date.now()));
    expect(ahead.every((ms) => ms < 60_000)).toBe(true);
  });

  test('time ends for a run at the moment that the scenario names', async () => {
    const definition = line(wait('rest', 'P30D'), ask('approve'));
    const early = {
      until: 'P7D',
      expect: { status: 'running' as const, path: [{ block: 'rest', status: 'running' as const }] },
    };
    const late = { until: 'P40D', expect: { status: 'paused' as const, elapsed: 'P30D' } };
    expect(await failures(definition, early, late)).toEqual([]);
  });

  test('may end at the very moment at which the run ends', async () => {
    const [result] = await played(line(wait('rest', 'PT1H')), [
      { until: 'PT1H', expect: { status: 'completed' } },
    ]);
    // Either outcome may come first; both are correct.
    expect(['completed', 'running']).toContain(result?.status);
    expect(result?.problems).toEqual([]);
  });

  test('time is bounded in real time for a run that never ends', async () => {
    const days = around('days', 'loop', { count: 10_000 }, wait('tick', 'PT1S'));
    const years = around('years', 'loop', { count: 10_000 }, days);
    const [result] = await played(line(years), [{ expect: { status: 'completed' } }], { patienceMs: 1500 });
    expect(result?.problems).toEqual(['The run had not ended after 1.5 s of real time and was stopped.']);
  });
});
