import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { approval, pure } from '#apps/api/test/support/definitions';
import { Stack, until } from '#apps/api/test/support/stack';
import { runProgram } from '#apps/cli/src/program';

let stack: Stack;
const folder = mkdtempSync(join(tmpdir(), 'holdfast-cli-'));
beforeAll(async () => {
  stack = await Stack.shared();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await stack?.stop();
});

/** Runs a command in this process against the installation, where no terminal is. */
const holdfast = (...words: string[]) => holdfastReading('', ...words);

async function holdfastReading(input: string, ...words: string[]) {
  const { url, home } = stack;
  let [stdout, stderr] = ['', ''];
  const code = await runProgram(
    {
      env: { HOLDFAST_URL: url, HOLDFAST_API_KEY: home.key, HOLDFAST_WORKSPACE_ID: home.id },
      isInteractive: false,
      out: (text) => void (stdout += text),
      err: (text) => void (stderr += text),
      paint: (_style, text) => text,
      progress: () => undefined,
      ask: (question) => Promise.reject(new Error(question)),
      readInput: () => Promise.resolve(input),
    },
    words,
  );
  return { code, stdout, stderr };
}

test('a list of versions names who made them, and inbox and log have the title of the execution', async () => {
  const titled = { ...approval, start: { ...approval.start, title: 'Order of {{ start.amount }}' } };
  const workflow = await stack.givenDeployed(titled);
  const { executionId } = await stack.givenPaused(workflow, { amount: 7 });
  const [version] = (await stack.get(`/api/v1/workflows/${workflow}/versions`)).body.data;
  const [versions, inbox, shown] = [
    await holdfast('versions', workflow),
    await holdfast('inbox'),
    await holdfast('logs', 'show', executionId),
  ].map(({ stdout }) => stdout);
  expect({ versions, inbox, shown }).toEqual({
    versions: expect.stringMatching(new RegExp(`^\\* +1 .* ${version.createdByName}$`, 'm')),
    inbox: expect.stringMatching(/ Order of 7 +Approve 7\?/),
    shown: expect.stringMatching(new RegExp(`^${executionId} paused \\S+ Order of 7\n`)),
  });
});

describe('a trigger', () => {
  const triggers = (verb: string, ...words: string[]) => holdfast('triggers', verb, ...words);
  const triggerOf = async (verb: string, ...words: string[]) => {
    const { code, stdout, stderr } = await triggers(verb, ...words, '--json');
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  };
  const fileOf = (name: string, content: object) => {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify(content));
    return path;
  };
  let workflow: string;
  beforeAll(async () => {
    workflow = await stack.givenDeployed(pure);
  });

  /** Sends a signed body to the address, and returns the status of the answer. */
  async function send(url: string, secret: string, body = '{"amount":1}', at = `${Date.now()}`) {
    const signature = createHmac('sha512', secret).update(`${at}.${body}`).digest('base64');
    const headers = { 'content-type': 'application/json', 'x-signed': `v1=${signature}`, 'x-at': at };
    return (await fetch(url, { method: 'POST', headers, body })).status;
  }

  const hmac = [
    ['--scheme', 'hmac', '--hmac-header', 'X-Signed', '--hmac-algorithm', 'sha512'],
    ['--hmac-encoding', 'base64', '--hmac-prefix', 'v1=', '--hmac-timestamp-header', 'X-At'],
    ['--hmac-tolerance', '60', '--id-path', 'id', '--repeat-seconds', '0', '--wait-seconds', '5'],
    ['--respond', 'result', '--when', 'event.body.amount > 0'],
  ].flat();

  test('a trigger of any signature is made, shown, given another secret, and changed without a loss', async () => {
    const made = await triggerOf('create', workflow, 'Signed', ...hmac);
    expect(await send(made.url, made.secret)).toBe(200);
    expect((await triggers('show', workflow, 'Signed')).stdout).toMatch(
      /^status +active$[^]*^when +event\.body\.amount > 0$[^]*^webhook\.hmac\.algorithm +sha512$/m,
    );
    const rotated = await holdfastReading(
      'a secret of the sender\n',
      'triggers',
      'rotate',
      workflow,
      'Signed',
      '--secret-value',
      '-',
      '--overlap-hours',
      '1',
    );
    expect(rotated).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Signed is changed\.\nThe former secret holds until \S+\.\n$/),
    });
    const answers = [made.secret, 'a secret of the sender', 'another'].map((secret) =>
      send(made.url, secret),
    );
    expect(await Promise.all(answers)).toEqual([200, 200, 401]);
    const turned = await triggerOf('rotate', workflow, 'Signed', '--address', '--overlap-hours', '0');
    expect(await send(made.url, 'a secret of the sender')).toBe(404);
    expect(turned).toMatchObject({ secret: null, url: expect.stringContaining('/hooks/') });

    const { webhook } = await triggerOf('show', workflow, 'Signed');
    const changed = [
      '--respond',
      'accepted',
      '--hmac-tolerance',
      '90',
      '--when',
      'none',
      '--id-path',
      'none',
    ];
    expect((await triggers('update', workflow, 'Signed', ...changed)).stdout).toBe(
      'Signed is changed, and acts for you.\n',
    );
    const { when, ...now } = await triggerOf('show', workflow, 'Signed');
    expect([when, now.webhook]).toEqual([
      null,
      {
        ...webhook,
        respond: 'accepted',
        deliveryIdPath: null,
        hmac: { ...webhook.hmac, toleranceSeconds: 90 },
      },
    ]);
    expect(await send(turned.url, 'a secret of the sender')).toBe(202);
    const github = await triggerOf('update', workflow, 'Signed', '--scheme', 'github');
    expect(github.webhook).toMatchObject({ scheme: 'github', hmac: null, waitSeconds: 5 });
  });

  test('a trigger of a schedule takes every setting, and an update keeps those that it does not name', async () => {
    const given = [
      ['--cron', '0 9 * * *', '--timezone', 'Europe/Berlin', '--overlap', 'buffer_one', '--catch-up', '60'],
      ['--jitter', '5', '--ends', '2099-12-31T00:00:00Z', '--max-runs', '3', '--inputs', '{"amount":1}'],
    ].flat();
    const { schedule, inputs } = await triggerOf('create', workflow, 'Daily', ...given);
    expect(schedule).toMatchObject({
      overlap: 'buffer_one',
      catchUpSeconds: 60,
      jitterSeconds: 5,
      maxRuns: 3,
      cron: '0 9 * * *',
      timezone: 'Europe/Berlin',
      endsAt: '2099-12-31T00:00:00.000Z',
    });
    const update = ['--every', '60', '--max-runs', 'none', '--name', 'Each minute'];
    const said = await triggers('update', workflow, 'Daily', ...update);
    expect(said.stdout).toMatch(/^Each minute is changed, and acts for you\. It starts next at 20\S+Z\.$/m);
    const now = await triggerOf('show', workflow, 'Each minute');
    expect(now.inputs).toEqual(inputs);
    expect(now.schedule).toEqual({
      ...schedule,
      cron: null,
      everySeconds: 60,
      maxRuns: null,
      next: expect.any(Array),
    });
  });

  test('a trigger is made and changed by a file with the body of the API, and options go over it', async () => {
    const file = fileOf('paid.json', {
      kind: 'event',
      name: 'Paid',
      inputs: { amount: 2 },
      event: { types: ['execution.failed', 'execution.completed'] },
    });
    expect(await triggerOf('create', workflow, '--file', file, '--on', 'execution.failed')).toMatchObject({
      name: 'Paid',
      inputs: { amount: 2 },
      event: { types: ['execution.failed'], workflowIds: [] },
    });
    const of = await triggerOf('update', workflow, 'Paid', '--of', await stack.givenWorkflow(pure));
    expect(of.event).toEqual({
      types: ['execution.failed'],
      workflowIds: [expect.any(String)],
      tableId: null,
    });
    expect((await triggerOf('update', workflow, 'Paid', '--file', file)).event).toMatchObject({
      types: ['execution.failed', 'execution.completed'],
    });
    const other = fileOf('other.json', { kind: 'form' });
    const refusals = [
      await triggers('update', workflow, 'Paid', '--file', other),
      await triggers('update', workflow, 'Paid', '--cron', '@daily'),
      await triggers('update', workflow, 'Paid'),
      await triggers('rotate', workflow, 'Paid'),
      await triggers('create', workflow, 'Both', '--form', '--cron', '@daily'),
      await triggers('create', workflow, '--form'),
    ];
    expect(refusals.map(({ code, stderr }) => `${code} ${stderr}`)).toEqual([
      `2 error ${other} is of kind form, and Paid of kind event.\n`,
      '2 error --cron does not belong to a trigger of kind event.\n',
      expect.stringMatching(/^2 error Say what to change\. .*holdfast help triggers update\n$/),
      expect.stringMatching(/^2 error Say what is new: --address, --secret, /),
      expect.stringMatching(/^2 error Give --scheme for a webhook, --form for a form, /),
      '2 error Name the trigger behind the workflow, or in the file.\n',
    ]);
  });

  test('a trigger replays what came in a time, and one delivery by its id', async () => {
    const { url, id } = await triggerOf('create', workflow, 'Open', '--scheme', 'none');
    await triggers('pause', workflow, 'Open');
    const deliver = async (amount: number) => send(url, 'x', JSON.stringify({ amount }));
    expect([await deliver(1), await deliver(2)]).toEqual([409, 409]);
    await triggers('resume', workflow, id);
    const [second, first] = await triggerOf('deliveries', workflow, 'Open');
    const range = (from: string, to: string) => ['--from', from, '--to', to];
    const own = range(second.receivedAt, second.receivedAt);
    expect(await triggerOf('deliveries', workflow, 'Open', ...own)).toEqual([second]);
    const replay = (...words: string[]) => triggers('replay', workflow, 'Open', ...words);
    expect((await replay('paused', ...range('2020-01-01', '2020-01-02'))).stdout).toMatch(/^0 of 0 replayed/);
    expect((await replay('paused', ...own)).stdout).toMatch(/^1 of 1 replayed/);
    expect((await replay(first.id, ...own)).code).toBe(2);
    expect((await replay(first.id)).stdout).toMatch(/^Follow it with: holdfast logs show exec_\w+\n$/);
    const listed = await triggerOf('deliveries', workflow, 'Open', '--verdict', 'accepted');
    expect(listed.map(({ replayOf }: { replayOf: string }) => replayOf)).toEqual([first.id, second.id]);
  });
});

describe('executions of the command line', () => {
  const definition = {
    ...pure,
    blocks: [
      ...pure.blocks.slice(0, 2),
      {
        id: 'small',
        type: 'function',
        params: { code: 'return input', input: { sum: '{{ start.amount }}' } },
      },
    ],
  };
  let workflow: string;
  let runs: string[];
  beforeAll(async () => {
    workflow = await stack.givenDeployed(definition);
    runs = [];
    for (const amount of [1, 2, 2000])
      runs.push((await stack.execute(workflow, { inputs: { amount } })).body.executionId);
  });

  test('executions of the command line are compared visit by visit, with ports and outputs', async () => {
    const [one = '', two = '', three = ''] = runs;
    const compare = (...words: string[]) => holdfast('logs', 'compare', ...words);
    const near = await compare(one, two);
    expect(near.code).toBe(0);
    expect(near.stdout).toMatch(
      /^first  exec_\w+ workflow \w+, version 1 completed [^]*^The inputs differ: amount\.\nThe outputs differ\.$/m,
    );
    expect(near.stdout).toMatch(/^ +check +completed -> else +completed -> else +same$/m);
    expect(near.stdout).toMatch(/^\* +small +completed +completed +differs$/m);
    const far = (await compare(one, three)).stdout;
    expect(far).toMatch(/^\* +check +completed -> else +completed -> large +differs$/m);
    expect(far).toMatch(/^\* +large +skipped +completed +differs$/m);
    expect((await compare(one, one, '--different')).stdout).toMatch(/same\.\nNo visit differs\.\n$/);
    const { inputs, output, visits } = JSON.parse((await compare(one, two, '--different', '--json')).stdout);
    expect({ inputs, output, visits }).toMatchObject({
      inputs: ['amount'],
      output: 'differs',
      visits: [{ path: 'small', first: { status: 'completed' }, output: 'differs' }],
    });
    expect((await compare(one, 'exec_none')).code).toBe(1);
  });

  test('executions of the command line are counted by hours and days', async () => {
    const stats = (...words: string[]) => holdfast('logs', 'stats', '--workflow', workflow, ...words);
    // The hour may have ended between two of the runs.
    expect((await stats()).stdout).toMatch(/^AT +RUNS [^]*^\S+Z +[1-3] +0 +0 +0 +\d+ +\d+ +0$/m);
    const hours = JSON.parse((await stats('--json')).stdout);
    expect(hours.reduce((sum: number, hour: { runs: number }) => sum + hour.runs, 0)).toBe(3);
    const days = JSON.parse(
      (await stats('--by', 'day', '--since', '2026-01-01', '--until', '2026-01-02', '--json')).stdout,
    );
    expect(days.map(({ at, runs: count }: { at: string; runs: number }) => [at.slice(0, 10), count])).toEqual(
      [
        ['2026-01-01', 0],
        ['2026-01-02', 0],
      ],
    );
  });

  test('executions of the command line show the template of a block beside its value', async () => {
    expect((await holdfast('logs', 'show', runs[1] ?? '', '--values')).stdout).toContain(
      '  from {"code":"return input","input":{"sum":"{{ start.amount }}"}}\n  sent {"code":"return input","input":{"sum":2}}\n',
    );
  });

  test('executions of the command line are replayed before a rollback, which changes nothing', async () => {
    const [, large] = pure.blocks;
    const other = { ...large, params: { data: 'all are large' } };
    const edges = [{ from: 'start', to: 'large' }];
    await stack.call('PATCH', `/api/v1/workflows/${workflow}`, { definition: { blocks: [other], edges } });
    await stack.post(`/api/v1/workflows/${workflow}/deploy`, {});
    const rollback = (...words: string[]) => holdfast('rollback', workflow, ...words);
    expect(await rollback('1', '--dry-run')).toEqual({
      code: 0,
      stdout:
        'Of the last 3 runs, replayed with their answers, none would end otherwise or send other requests.\nVersion 1 can be live again.\n',
      stderr: '',
    });
    expect(await rollback('--dry-run')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`See them with: holdfast versions ${workflow}`),
    });
    expect((await holdfast('versions', workflow)).stdout).toMatch(/^\* +2 /m);
    expect((await rollback('1')).stdout).toMatch(/is live as version 1/);
  });

  test('executions of the command line are found by the same options in lists, exports and bulk jobs', async () => {
    const template = ['--inputs', '{"amount":5}'];
    await holdfast('triggers', 'create', workflow, 'By hand', '--cron', '@yearly', ...template);
    const { stdout } = await holdfast('triggers', 'run', workflow, 'By hand', '--json');
    const started = JSON.parse(stdout).executionId;
    const [one = ''] = runs;
    const found = async (...options: string[]) => {
      const own = ['--workflow', workflow, ...options];
      const listed = JSON.parse((await holdfast('logs', ...own, '--json')).stdout);
      const exported = (await holdfast('logs', 'export', ...own)).stdout;
      const counted = await holdfast('bulk', 'cancel', ...own, '--dry-run', '--json');
      return {
        ids: listed.map(({ executionId }: { executionId: string }) => executionId).toSorted(),
        counts: [exported.split('\n').length - 1, JSON.parse(counted.stdout).found],
      };
    };
    const cases: [string[], string[]][] = [
      [['--trigger', 'By hand'], [started]],
      [['--origin', 'api'], runs],
      [['--execution', one], [one]],
      [['--parent', one], []],
      [['--search', '2000'], [runs[2] ?? '']],
      [
        ['--since', '2020-01-01', '--level', 'info'],
        [...runs, started],
      ],
      [['--until', '2020-01-01'], []],
      [['--min-duration', '3600000'], []],
      [['--min-cost', '0.5'], []],
      [['--folder', 'none'], []],
      [['--model', 'none'], []],
      [['--status', 'completed', '--max-duration', '3600000', '--origin', 'api'], runs],
    ];
    for (const [options, ids] of cases)
      expect([options, await found(...options)]).toEqual([
        options,
        { ids: ids.toSorted(), counts: [ids.length, ids.length] },
      ]);
    const other = await stack.givenWorkflow(pure);
    expect((await holdfast('logs', '--workflow', workflow, '--workflow', other, '--json')).stdout).toContain(
      one,
    );
    for (const [options, message] of [
      [
        ['--trigger', 'By hand'],
        'Give the id of the trigger By hand, or name its one workflow with --workflow.',
      ],
      [['--min-cost', 'much'], 'much must be a cost, as 0.5.'],
    ] as const)
      expect(await holdfast('logs', ...options)).toMatchObject({ code: 2, stderr: `error ${message}\n` });
  });
});

describe('what lasts longer', () => {
  const jsonOf = async (...words: string[]) => {
    const { code, stdout, stderr } = await holdfast(...words, '--json');
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  };

  test('a bulk job is listed, and its undo is counted before it is done', async () => {
    const workflow = await stack.givenDeployed(approval);
    const { executionId } = await stack.givenPaused(workflow);
    expect((await holdfast('cancel', executionId)).code).toBe(0);
    await until(
      () => jsonOf('logs', 'show', executionId),
      ({ status }) => status === 'cancelled',
    );
    const fork = await jsonOf('bulk', 'fork', '--execution', executionId);
    expect(fork).toMatchObject({ status: 'completed', total: 1, done: 1 });
    const list = await holdfast('bulk', 'list');
    expect(list.stdout).toMatch(new RegExp(`^${fork.id} +fork +completed +1 +0 +1 `, 'm'));
    const isWaiting = (count: number) =>
      until(
        () => jsonOf('logs', '--workflow', workflow, '--status', 'paused'),
        (found) => found.length === count,
      );
    await isWaiting(1);
    expect((await holdfast('bulk', 'undo', fork.id, '--dry-run')).stdout).toBe('1 of 1 can be undone.\n');
    await isWaiting(1);
    expect((await holdfast('bulk', 'undo', fork.id)).stdout).toMatch(
      /^bulk_\w+ \(undo\) is completed: 1 of 1 done, 0 refused\.\n$/,
    );
    await isWaiting(0);
    expect((await holdfast('bulk', 'undo', fork.id)).stdout).toMatch(/: 0 of 0 done/);
  });

  test('a bulk job is aborted between two of its acts', async () => {
    const workflow = await stack.givenDeployed(pure);
    for (const amount of [1, 2, 3]) await stack.execute(workflow, { inputs: { amount } });
    const rate = ['--per-second', '0.1', '--no-wait'];
    const { id, status } = await jsonOf('bulk', 'fork', '--workflow', workflow, ...rate);
    expect(status).toBe('running');
    expect((await holdfast('bulk', 'abort', id)).stdout).toMatch(
      new RegExp(`^${id} \\(fork\\) is aborted: [0-2] of 3 done, 0 refused\\.\n$`),
    );
    expect((await holdfast('bulk', 'show', id)).stdout).toContain('is aborted');
  });

  test('a backfill is counted, carried out, listed and aborted', async () => {
    const workflow = await stack.givenDeployed(pure);
    const moments = ['--cron', '0 0 * * *', '--inputs', '{"amount":1}'];
    await holdfast('triggers', 'create', workflow, 'Daily', ...moments);
    const backfill = (...words: string[]) =>
      holdfast('triggers', 'backfill', workflow, 'Daily', '--from', '2026-01-01', ...words);
    const short = ['--to', '2026-01-03'];
    expect((await backfill(...short, '--dry-run')).stdout).toBe('2 moments, of which 0 ran already.\n');
    expect((await backfill(...short)).stdout).toMatch(
      /^bkf_\w+ is completed: 2 of 2 started, 0 ran already, 0 refused\.\n$/,
    );
    expect((await backfill(...short, '--dry-run')).stdout).toBe('2 moments, of which 2 ran already.\n');
    const long = ['--to', '2026-02-01', '--beside', '--again', '--per-second', '0.1', '--no-wait'];
    const [id] = /bkf_\w+/.exec((await backfill(...long)).stdout) ?? [''];
    expect((await holdfast('triggers', 'abort-backfill', workflow, 'Daily', id)).stdout).toMatch(
      new RegExp(`^${id} is aborted: \\d of 31 started, `),
    );
    expect((await holdfast('triggers', 'backfills', workflow, 'Daily')).stdout).toMatch(
      new RegExp(
        `^${id} +2026-01-01\\S+ +2026-02-01\\S+ +aborted +\\d +0 +0 +31\nbkf_\\w+ .* completed +2 +0 +0 +2\n$`,
        'm',
      ),
    );
  });

  test('a hold is released at a rate, and what waited ends', async () => {
    const workflow = await stack.givenDeployed(pure);
    expect((await holdfast('hold', workflow, '--reason', 'Moving.')).code).toBe(0);
    const run = () => holdfast('run', workflow, '--input', 'amount=3', '--detach');
    expect((await run()).stdout).toMatch(/^exec_\w+ of workflow \w+ is accepted\.\n$/);
    await run();
    const released = await jsonOf('release', workflow, '--per-second', '50');
    expect(released).toMatchObject({ waiting: 2, perSecond: 50 });
    await until(
      () => jsonOf('logs', '--workflow', workflow, '--status', 'completed'),
      (found) => found.length === 2,
    );
    const { code, stdout } = await holdfast('run', workflow, '--input', 'amount=3');
    expect([code, JSON.parse(stdout)]).toEqual([0, { size: 'small', amount: 3, note: 'none' }]);
  });

  test('a calendar is made, changed, listed, kept while a schedule names it, and deleted', async () => {
    const calendars = (...words: string[]) => holdfast('calendars', ...words);
    expect((await calendars('set', 'closed', '--weekdays', 'sunday')).stdout).toBe('closed is set.\n');
    await calendars('set', 'closed', '--dates', '2030-12-25', '2030-12-26');
    expect((await calendars()).stdout).toMatch(/^closed +sunday +2030-12-25 2030-12-26$/m);
    const workflow = await stack.givenDeployed(pure);
    const moments = ['--cron', '@daily', '--except', 'closed', '--inputs', '{"amount":1}'];
    expect((await holdfast('triggers', 'create', workflow, 'Open days', ...moments)).code).toBe(0);
    expect(await calendars('delete', 'closed')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('CALENDAR_USED'),
    });
    expect((await holdfast('triggers', 'delete', workflow, 'Open days', '--yes')).code).toBe(0);
    expect((await calendars('delete', 'closed')).stdout).toBe('closed is deleted.\n');
    expect((await calendars('delete', 'closed')).stderr).toContain('There is no calendar closed.');
  });
});
