import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { block, line, respond } from '#apps/api/test/support/graphs';
import { Receiver } from '#apps/api/test/support/receiver';
import { until } from '#apps/api/test/support/stack';
import { packCli } from '../src/package-cli.ts';
import { describeWith } from '#libs/platform/binaries/support/needs';
import { InstalledPackage } from './installed.ts';
import { parseExamples } from './readme.ts';

let installed: InstalledPackage;
beforeAll(async () => {
  installed = await InstalledPackage.of(packCli);
});
afterAll(() => installed.remove());

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** The result of a command, also of a failed command. */
async function ended(running: Promise<string>): Promise<Ended> {
  return running.then(
    (stdout) => ({ code: 0, stdout, stderr: '' }),
    ({ code, stdout, stderr }: Ended) => ({ code, stdout, stderr }),
  );
}

const holdfast = (...words: string[]): Promise<Ended> => ended(installed.run('holdfast', words));

const examples = parseExamples(readFileSync('apps/cli/package/README.md', 'utf8'), 'sh');

test.each(examples.map((example) => [example.title, example] as const))(
  'the example "%s" of the README prints its shown output',
  async (_, { code, output }) => {
    expect(await installed.run('bash', ['-e', '-o', 'pipefail', '-c', code])).toBe(output);
  },
);

test('the stored key can be read by its owner alone', () => {
  expect(statSync(join(installed.folder, 'config/profiles.json')).mode & 0o777).toBe(0o600);
});

test('a run is tested as a draft, made into a scenario, and played without an installation', async () => {
  const [greet] = JSON.parse((await holdfast('workflows', '--name', 'Greet', '--json')).stdout);
  const { executionId } = JSON.parse(
    (await holdfast('test', greet.id, '--input', 'name=Ann', '--json')).stdout,
  );
  const file = join(installed.folder, 'greet.scenario.json');
  expect(await holdfast('record', executionId, '-o', file)).toMatchObject({ code: 0, stderr: '' });
  expect(await holdfast('record', executionId, '-o', file)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is there already'),
  });
  const played = await holdfast('scenario', file, '--url', 'http://127.0.0.1:1');
  expect(played).toMatchObject({ code: 0, stdout: expect.stringMatching(/^1 passed, 0 failed$/m) });
  const words = `holdfast test ${greet.id} --scenario ${file} 2>&1`;
  const scripted = await installed.run('bash', ['-c', words]);
  expect(scripted).toContain('The test leaves expect of the scenario out.');
  expect(scripted).toContain('Ann');
});

describe('a folder of files', () => {
  const path = (name: string) => join(installed.folder, 'flows', name);

  test('a folder of files is not pushed over a draft that has changed unseen', async () => {
    const [greet] = JSON.parse((await holdfast('workflows', '--name', 'Greet', '--json')).stdout);
    await installed.stack.call('PATCH', `/api/v1/workflows/${greet.id}`, {
      description: 'changed elsewhere',
    });
    await writeFile(path('greet.yaml'), readFileSync(path('greet.yaml'), 'utf8').replace('hi:', 'hey:'));
    const refused = await holdfast('push', 'flows', '--yes');
    expect(refused.code).toBe(2);
    expect(refused.stdout).toContain('! Greet: conflict');
    expect(refused.stderr).toContain('Greet changed there unseen');
    const draft = await installed.stack.get(`/api/v1/workflows/${greet.id}`);
    expect(draft.body.data.description).toBe('changed elsewhere');
    expect((await holdfast('push', 'flows', '--yes', '--force')).stdout).toContain('1 done.');
  });

  test.each(['utf8', 'utf16le'] as const)(
    'a folder of files is read with a byte order mark in %s',
    async (encoding) => {
      const file = { name: 'Marked', definition: { blocks: [], edges: [] } };
      await mkdir(join(installed.folder, 'marked'), { recursive: true });
      await writeFile(join(installed.folder, 'marked/one.json'), `\uFEFF${JSON.stringify(file)}`, encoding);
      expect(await holdfast('push', 'marked', '--dry-run')).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('Marked'),
      });
    },
  );

  test('a folder of files is not written over by a pull where it differs', async () => {
    await writeFile(path('greet.yaml'), readFileSync(path('greet.yaml'), 'utf8').replace('hey:', 'yo:'));
    const refused = await holdfast('pull', 'flows');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('greet.yaml');
    expect(await holdfast('pull', 'flows', '--force')).toMatchObject({ code: 0 });
    expect(readFileSync(path('greet.yaml'), 'utf8')).toContain('hey:');
  });

  test('a folder of files with a fault is refused before anything is done', async () => {
    await writeFile(
      path('wrong.json'),
      JSON.stringify({ name: 'Wrong', definition: { blocks: [{ id: 'x', type: 'none' }] } }),
    );
    // A dry run ends as the real one would, so that a check of changes sees it.
    for (const way of ['--dry-run', '--yes']) {
      const refused = await holdfast('apply', 'flows', way);
      expect(refused).toMatchObject({ code: 2, stdout: expect.stringContaining('fault') });
    }
    expect((await holdfast('workflows', '--json')).stdout).not.toContain('Wrong');
  });

  test.each([
    ['no JSON', '{', 'broken.json'],
    ['no name', '{"definition":{}}', 'name must be a text'],
    ['a member that is not known', '{"name":"x","definition":{},"colour":1}', 'colour is not known'],
    ['a name that another has', '{"name":"greet","definition":{}}', 'has the name Greet too'],
  ])('a folder of files with %s is named', async (_, text, message) => {
    await writeFile(path('broken.json'), text);
    const refused = await holdfast('push', 'flows', '--dry-run');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(message);
    await writeFile(path('broken.json'), '{"name":"Fine","definition":{}}');
  });
});

test('a file of n8n is reported block by block, and ends with 1 when a block was refused', async () => {
  const nodes = [
    { name: 'In', type: 'n8n-nodes-base.webhook' },
    { name: 'Go on', type: 'n8n-nodes-base.noOp' },
    { name: 'Tell', type: 'n8n-nodes-base.postgres' },
  ];
  const to = (node: string) => ({ main: [[{ node }]] });
  const path = join(installed.folder, 'n8n.json');
  const file = { name: 'Moved', nodes, connections: { In: to('Go on'), 'Go on': to('Tell') } };
  await writeFile(path, JSON.stringify(file));
  const tried = await holdfast('import', path, '--from', 'n8n', '--dry-run');
  expect(tried.code).toBe(1);
  expect(tried.stdout).toMatch(/refused +Tell +postgres +tell/);
  expect(tried.stdout).toContain('1 kept, 1 changed, 1 refused. Nothing was stored.');
  const good = { ...file, nodes: nodes.slice(0, 2), connections: { In: to('Go on') } };
  await writeFile(path, JSON.stringify(good));
  const stored = await holdfast('import', path, '--from', 'n8n', '--name', 'Moved here');
  expect(stored).toMatchObject({ code: 0, stdout: expect.stringContaining('Moved here is stored as wf_') });
});

test('a file of Sim is taken as well', async () => {
  const blocks = {
    s: { type: 'start_trigger', name: 'Start' },
    w: { type: 'wait', name: 'Rest', subBlocks: { timeValue: { value: '1' } } },
  };
  const path = join(installed.folder, 'sim.json');
  const state = { blocks, edges: [{ source: 's', target: 'w' }] };
  await writeFile(path, JSON.stringify({ version: '1.0', workflow: { name: 'From Sim' }, state }));
  const stored = await holdfast('import', path, '--from', 'sim');
  expect(stored).toMatchObject({ code: 0, stdout: expect.stringContaining('From Sim is stored as wf_') });
});

test('a file that is nested too deeply is refused with the depth that the installation takes', async () => {
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const path = join(installed.folder, 'deep.json');
  for (const levels of [65, 100_000]) {
    await writeFile(path, nested(levels));
    expect(await holdfast('import', path, '--from', 'n8n')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('deep.json is nested too deeply: at most 64 levels are taken.'),
    });
  }
  await writeFile(path, nested(64));
  expect((await holdfast('import', path, '--from', 'n8n')).stderr).not.toContain('too deeply');
  const answer = await installed.stack.post('/api/v1/workflows', nested(65));
  expect(answer.body.details).toMatchObject([
    { code: 'too_deep', message: expect.stringContaining('64 levels') },
  ]);
});

describe('a run', () => {
  test('a run of the command line prints its blocks and no warning of the platform when it takes some seconds', async () => {
    const definition = {
      blocks: [{ id: 'rest', type: 'wait', params: { duration: 4 } }],
      edges: [{ from: 'start', to: 'rest' }],
    };
    const made = await installed.stack.post('/api/v1/workflows', { name: 'Long', definition });
    await installed.stack.post(`/api/v1/workflows/${made.body.data.id}/deploy`, {});
    const printed = await installed.run('bash', ['-c', 'holdfast run Long 2>&1']);
    expect(printed).toContain('rest (wait)');
    expect(printed).not.toContain('Warning');
  });

  test('a run of the command line ends with 3 and tells the reason when it fails', async () => {
    const definition = {
      blocks: [{ id: 'bad', type: 'function', params: { code: 'throw new Error("no luck")' } }],
      edges: [{ from: 'start', to: 'bad' }],
    };
    const made = await installed.stack.post('/api/v1/workflows', { name: 'Bad', definition });
    await installed.stack.post(`/api/v1/workflows/${made.body.data.id}/deploy`, {});
    const { code, stderr } = await holdfast('run', 'bad');
    expect([code, stderr]).toEqual([3, expect.stringContaining('no luck')]);
  });

  test('a run of the command line reads inputs by the types that the live version declares', async () => {
    const inputs = { text: { type: 'string' }, number: { type: 'number' }, flag: { type: 'boolean' } };
    const definition = {
      start: { inputs },
      blocks: [{ id: 'done', type: 'response', params: { data: '{{ start }}' } }],
      edges: [{ from: 'start', to: 'done' }],
    };
    const made = await installed.stack.post('/api/v1/workflows', { name: 'Typed', definition });
    await installed.stack.post(`/api/v1/workflows/${made.body.data.id}/deploy`, {});
    for (const text of ['12345', 'true', 'null', '0049170', '{"a":1}'])
      expect(JSON.parse((await holdfast('run', 'Typed', '-i', `text=${text}`)).stdout)).toEqual({ text });
    const typed = await holdfast(
      'run',
      'Typed',
      '-i',
      'number=1e3',
      '-i',
      'flag=true',
      '-i',
      'other=7615917337495251231',
    );
    expect(JSON.parse(typed.stdout)).toEqual({ number: 1000, flag: true, other: '7615917337495251231' });
    for (const wrong of ['number=1e400', 'number=', 'number=0x10', 'number=7615917337495251231', 'flag=yes'])
      expect(await holdfast('run', 'Typed', '-i', wrong)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`--input ${wrong.split('=')[0]}: `),
      });
  });

  test('a run of the command line is one execution for one key', async () => {
    const ids = [];
    for (let count = 0; count < 2; count++) {
      const words = ['run', 'Greet', '-i', 'name=Ann', '--idempotency-key', 'once', '--detach', '--json'];
      ids.push(JSON.parse((await holdfast(...words)).stdout).executionId);
    }
    expect(ids[0]).toBe(ids[1]);
  });
});

test('the logs are followed: each new execution is a line', async () => {
  const started = () => holdfast('run', 'Greet', '-i', 'name=Ann', '--detach', '--json');
  const first = JSON.parse((await started()).stdout).executionId;
  const { lines, stop } = installed.start('holdfast', ['logs', '--workflow', 'Greet', '--follow', '--json']);
  try {
    const readUntil = async (executionId: string) => {
      for (;;) {
        const { value, done } = await lines.next();
        if (done) throw new Error(`There is no line of ${executionId}.`);
        told.push(JSON.parse(value).executionId);
        if (told.at(-1) === executionId) return;
      }
    };
    const told: string[] = [];
    await readUntil(first);
    for (let count = 0; count < 2; count++) await readUntil(JSON.parse((await started()).stdout).executionId);
    expect(new Set(told).size).toBe(told.length);
  } finally {
    stop();
  }
});

describeWith('the tools of the Python client')('on a terminal', () => {
  /** Types each answer once its question is there. */
  async function typing(steps: [string, string][], ...words: string[]): Promise<Ended> {
    const driver = resolve('apps/clients/test/terminal-driver.py');
    return ended(installed.run('python3', [driver, JSON.stringify(steps), 'holdfast', ...words]));
  }

  test('a run asks at a pause until the value fits, and goes on with the answer', async () => {
    const steps: [string, string][] = [
      ['ship (yes | no):', 'maybe\r'],
      ['ship (yes | no):', '\r'],
      ['ship (yes | no):', 'yes\r'],
    ];
    const { code, stdout } = await typing(steps, 'run', 'Ask');
    expect(stdout).toMatch(/Ship it\?[^]*maybe is no boolean\.[^]*It is required\.[^]*"ship": true/);
    expect(code).toBe(0);
  });

  test.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('a run that %s stops at its question leaves the pause open, and says so', async (_, character) => {
    const { code, stdout } = await typing([['ship (yes | no):', character]], 'run', 'Ask');
    const executionId = /exec_[0-9a-f]+/.exec(stdout)?.[0];
    expect([code, stdout]).toEqual([2, expect.stringContaining('Nothing was entered.')]);
    expect(JSON.parse((await holdfast('logs', 'show', `${executionId}`, '--json')).stdout).status).toBe(
      'paused',
    );
  });

  test('a run with --json asks nothing', async () => {
    expect(await typing([], 'run', 'Ask', '--json')).toMatchObject({ code: 4 });
  });

  test('a secret is not shown while it is typed', async () => {
    const { code, stdout } = await typing([['(not shown):', 'hidden-words\r']], 'secrets', 'set', 'TYPED');
    expect([code, stdout]).toEqual([0, expect.stringContaining('TYPED is set.')]);
    expect(stdout).not.toContain('hidden');
  });
});

test('a table takes a file and gives it back, and names the rows that do not fit', async () => {
  const schema = {
    columns: [
      { name: 'name', type: 'string', required: true },
      { name: 'age', type: 'number' },
    ],
  };
  await installed.stack.post('/api/v1/tables', {
    workspaceId: installed.stack.home.id,
    name: 'people',
    schema,
  });
  await writeFile(join(installed.folder, 'people.csv'), 'name,age\nAnn,41\nBob,x\n');
  const imported = await holdfast('tables', 'import', 'people', 'people.csv', '--mode', 'good');
  expect([imported.code, imported.stdout]).toEqual([1, expect.stringContaining('1 row imported, 1 refused')]);
  expect((await holdfast('tables', 'export', 'people')).stdout).toContain('Ann,41');
  const found = await holdfast('tables', 'query', 'people', '--filter', '{"age":{"$gt":40}}', '--json');
  expect(JSON.parse(found.stdout)).toMatchObject([{ data: { name: 'Ann', age: 41 } }]);
});

test('a table is made of a file, after a look at it, and each refused line is shown with its reason', async () => {
  await writeFile(join(installed.folder, 'sizes.csv'), 'Item;Größe\nscrew;1,5\n6" nail;2\nbolt;x\n');
  const make = (...words: string[]) => holdfast('tables', 'import', 'sizes', 'sizes.csv', '--new', ...words);
  const seen = await make('--preview');
  expect(seen.code).toBe(0);
  expect(seen.stdout).toContain('delimiter ";"');
  expect(seen.stdout).toMatch(/Größe +string +Grosse +1,5, x/);
  expect(seen.stdout).toMatch(/3 lines tried, 1 would be refused\.\n {2}line 3: has a quote inside/);
  const refused = await make();
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/line 3: has a quote inside/)]);
  const made = await make('--mode', 'good');
  expect([made.code, made.stdout]).toEqual([
    1,
    expect.stringMatching(/2 rows imported, 1 refused\.\n {2}line 3/),
  ]);
  await writeFile(join(installed.folder, 'ages.csv'), 'Full Name;age;note\nCid;4;x\nDan;y;z\n');
  const mapping = '{"Full Name":"name","note":null}';
  const ages = await holdfast('tables', 'import', 'people', 'ages.csv', '--mapping', mapping);
  expect([ages.code, ages.stdout]).toEqual([
    1,
    expect.stringMatching(/is failed.*\n {2}line 3: age must be a number/),
  ]);
});

test('a trigger and a host are held and released, and a host gets a limit', async () => {
  await holdfast('triggers', 'create', 'Greet', 'Held', '--scheme', 'none');
  const why = ['--reason', 'Moving.'];
  expect((await holdfast('hold', 'Greet', '--trigger', 'Held', ...why)).stdout).toBe('Held is held.\n');
  expect((await holdfast('hold', '--host', 'A.Test', ...why)).stdout).toBe('A.Test is held.\n');
  expect((await holdfast('hold', 'Greet', '--host', 'a.test', ...why)).code).toBe(2);
  expect((await holdfast('holds')).stdout).toMatch(/all +all +a\.test +effects/);
  expect((await holdfast('release', 'Greet')).code).toBe(2);
  expect((await holdfast('release', 'Greet', '--trigger', 'Held')).code).toBe(0);
  expect((await holdfast('release', '--host', 'a.test')).code).toBe(0);
  expect((await holdfast('host-limits', 'a.test', '--concurrency', '5')).stdout).toMatch(/a\.test +5 +-/);
  expect((await holdfast('host-limits')).stdout).toMatch(/a\.test +5 +-/);
  expect((await holdfast('host-limits', 'a.test')).code).toBe(2);
  expect((await holdfast('host-limits', 'a.test', '--remove')).stdout).not.toContain('a.test');
});

test('a knowledge base takes a file, and finds it', async () => {
  expect((await holdfast('knowledge', 'create', 'pumps')).stdout).toContain('pumps is created');
  await writeFile(join(installed.folder, 'pumps.md'), '# Pumps\n\nThe pump is started by the green button.');
  expect((await holdfast('knowledge', 'add', 'pumps', 'pumps.md')).stdout).toContain('completed');
  expect((await holdfast('knowledge', 'search', 'pumps', 'green button')).stdout).toContain('pumps.md');
});

test('a trigger is made, paused, resumed, replayed and deleted', async () => {
  const made = JSON.parse(
    (await holdfast('triggers', 'create', 'Greet', 'Hook', '--scheme', 'bearer', '--json')).stdout,
  );
  const deliver = () =>
    fetch(new URL(new URL(made.url).pathname, installed.stack.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${made.secret}`, 'content-type': 'application/json' },
      body: '{"name":"Ann"}',
    });
  expect((await holdfast('triggers', 'pause', 'Greet', 'Hook', '--note', 'later')).code).toBe(0);
  expect((await deliver()).status).toBe(409);
  expect((await holdfast('triggers', 'list', 'Greet')).stdout).toMatch(/Hook +webhook +paused +- +paused /);
  expect((await holdfast('triggers', 'resume', 'Greet', 'Hook')).code).toBe(0);
  const replayed = await holdfast('triggers', 'replay', 'Greet', 'Hook', 'paused');
  expect(replayed.stdout).toBe('1 of 1 replayed deliveries started an execution.\n');
  const listed = JSON.parse((await holdfast('triggers', 'deliveries', 'Greet', 'Hook', '--json')).stdout);
  expect(listed.map(({ verdict }: { verdict: string }) => verdict)).toEqual(['accepted', 'paused']);
  expect((await holdfast('triggers', 'delete', 'Greet', 'Hook')).code).toBe(2);
  expect((await holdfast('triggers', 'delete', 'Greet', 'Hook', '--yes')).code).toBe(0);
  expect((await deliver()).status).toBe(404);
  expect((await holdfast('triggers', 'create', 'Greet', 'Both')).code).toBe(2);
  const inputs = ['--inputs', '{"name":"Ann"}'];
  const moments = ['--dates', '2099-01-30T09:00', '2099-02-27T09:00', '--except', '2099-01-30', ...inputs];
  expect((await holdfast('triggers', 'create', 'Greet', 'Listed', ...moments)).stdout).toContain(
    'It starts next at 2099-02-27T09:00:00.000Z.',
  );
});

test('bulk acts on a filter, asks before it deletes, and a limit of a host keeps its other half', async () => {
  const refused = await holdfast('bulk', 'retry');
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('Name a filter, or --all')]);
  const asked = await holdfast('bulk', 'delete', '--search', 'nothing has this text');
  expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('Delete 0 executions')]);
  const limit = (...more: string[]) => holdfast('host-limits', 'Bücher.example.', ...more);
  expect((await limit('--per-second', '3')).code).toBe(0);
  expect((await limit('--concurrency', '2')).stdout).toMatch(/xn--bcher-kva.example +2 +3/);
  expect((await limit('--remove', '--concurrency', '2')).code).toBe(2);
  expect((await limit('--remove')).stdout).not.toContain('example');
  expect((await limit('--remove')).stderr).toContain('has no limit');
  expect((await holdfast('hold', '--host', 'Bücher.example.', '--reason', 'x')).code).toBe(0);
  expect((await holdfast('release', '--host', 'bücher.example')).code).toBe(0);
});

test('a failure is no dead end in the command line: values, a draft that runs, a deploy with its backtest, a retry, and others in bulk', async () => {
  const state = { isOldDown: true };
  const receiver = await Receiver.start(({ path }, response) =>
    response.writeHead(path === '/old' && state.isOldDown ? 500 : 200).end('{}'),
  );
  const write = (path: string) =>
    writeFile(
      join(installed.folder, 'story/charge.json'),
      JSON.stringify({
        name: 'Charge',
        definition: {
          start: { inputs: { amount: { type: 'number', required: true } } },
          ...line(
            block(
              'charge',
              'http',
              { url: receiver.url(path), method: 'POST', body: { total: '{{ start.amount }}' } },
              { retry: { maxAttempts: 1 } },
            ),
            respond({ paid: true }),
          ),
        },
      }),
    );
  const count = (path: string) => receiver.received.filter((call) => call.path === path).length;
  await mkdir(join(installed.folder, 'story'));
  await write('/old');
  expect((await holdfast('apply', 'story', '--yes')).code).toBe(0);
  const failed = await Promise.all(
    Array.from({ length: 21 }, (_, n) => holdfast('run', 'Charge', '--input', `amount=${7000 + n}`)),
  );
  expect(failed.map(({ code }) => code)).toEqual(Array.from({ length: 21 }, () => 3));
  const listed = await holdfast(
    'logs',
    '--workflow',
    'Charge',
    '--status',
    'failed',
    '--limit',
    '1',
    '--json',
  );
  const id = /exec_[0-9a-z]+/.exec(listed.stdout)?.[0] ?? '';

  // What it really sent.
  expect((await holdfast('logs', 'show', id, '--values')).stdout).toMatch(/"total": ?70\d\d/);

  // The draft is fixed, tried, and deployed with its backtest.
  await write('/new');
  expect((await holdfast('push', 'story', '--yes')).code).toBe(0);
  expect((await holdfast('test', 'Charge', '--input', 'amount=1')).stdout).toContain('"paid"');
  expect(count('/new')).toBe(1);
  expect((await holdfast('deploy', 'Charge', '--dry-run')).stdout).toContain(
    'Of the last 21 runs, replayed with their answers, 21 would end otherwise or send other requests.',
  );
  expect((await holdfast('deploy', 'Charge')).stdout).toContain('is live as version 2');

  // One goes on where it failed, and the others on the fixed version.
  state.isOldDown = false;
  expect((await holdfast('retry', id, '--dry-run')).stdout).toContain('charge would run anew');
  expect((await holdfast('retry', id)).code).toBe(0);
  const isDone = async () => (await holdfast('logs', 'show', id)).stdout;
  await until(isDone, (shown) => shown.includes('completed'));
  const others = ['bulk', 'fork', '--workflow', 'Charge', '--status', 'failed', '--from', 'failure'];
  expect((await holdfast(...others, '--dry-run')).stdout).toContain(
    '20 are found, and the job would take 20',
  );
  expect((await holdfast(...others)).stdout).toContain('20 of 20 done, 0 refused');
  await until(
    async () => count('/new'),
    (calls) => calls === 21,
  );
  // A visit runs anew with other parameters.
  const other = ['fork', id, '--from', 'charge', '--input', JSON.stringify({ url: receiver.url('/other') })];
  expect((await holdfast(...other)).stdout).toContain('runs version 1');
  await until(
    async () => count('/other'),
    (calls) => calls === 1,
  );
  receiver.stop();
});

test('a key is made and revoked', async () => {
  const made = JSON.parse((await holdfast('keys', 'create', 'ci', '--role', 'viewer', '--json')).stdout);
  expect(made.key).toMatch(/^sk-holdfast-/);
  expect((await holdfast('keys', 'revoke', made.id)).code).toBe(2);
  expect((await holdfast('keys', 'revoke', made.id, '--yes')).code).toBe(0);
});

describe('a template', () => {
  const templates = readdirSync('libs/templates', { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  /** Answers the price list to a GET, and takes whatever is posted. */
  const others = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(request.method === 'GET' ? '[{"sku":"a","name":"A","price":"2.5"}]' : '{}');
  });
  let address: string;
  beforeAll(async () => {
    others.listen(0, '127.0.0.1');
    await once(others, 'listening');
    address = `http://127.0.0.1:${Object(others.address()).port}`;
  });
  afterAll(() => others.close());

  test('a template is listed with its purpose, without an installation', async () => {
    const words = 'unset HOLDFAST_URL HOLDFAST_API_KEY; HOLDFAST_CONFIG_DIR=none holdfast new --list --json';
    const list = JSON.parse(await installed.run('bash', ['-c', words]));
    expect(list.map(({ name }: { name: string }) => name)).toEqual(templates.toSorted());
    expect((await holdfast('new', '--list')).stdout).toMatch(/^order-saga +Reserves the goods/m);
  });

  test('a template is listed by a program that was built and not packed, too', async () => {
    const words = [resolve('dist/apps/cli/src/main.js'), 'new', '--list', '--json'];
    const list = JSON.parse(await installed.run(process.execPath, words));
    expect(list.map(({ name }: { name: string }) => name)).toEqual(templates.toSorted());
  });

  test.each(templates)('%s becomes a folder whose commands deploy it without a warning', async (name) => {
    const made = await holdfast('new', `taken/${name}`, '--template', name, '--json');
    const { files, next } = JSON.parse(made.stdout) as { files: string[]; next: string[] };
    expect(files).toEqual(expect.arrayContaining(['README.md', 'workflow.json', `${name}.scenario.json`]));
    const making = next
      .filter((command) => /^cd |tables create|knowledge create|secrets set|apply/.test(command))
      .map((command) => command.replace(/^.*(?=holdfast secrets set)/, 'echo some-value | '));
    const printed = await installed.run('bash', ['-e', '-o', 'pipefail', '-c', making.join('\n')]);
    expect(printed).toMatch(/Plan: 1 to create\.\n1 done\.\n$/);
    expect(next.at(-1)).toContain('holdfast run ');
  });

  test('a template for an import writes the rows of a valid list', async () => {
    const inputs = ['-i', `sourceUrl=${address}`, '-i', 'reviewers=["ann@example.org"]'];
    const ran = await holdfast('run', 'Import with validation', ...inputs);
    expect(JSON.parse(ran.stdout)).toEqual({ outcome: 'written', fit: 1, unfit: 0, refused: [] });
    const rows = JSON.parse((await holdfast('tables', 'query', 'prices', '--json')).stdout);
    expect(rows).toMatchObject([{ data: { sku: 'a', name: 'A', price: 2.5 } }]);
  });

  test('a template for a report adds up only the rows of today', async () => {
    const report = () => holdfast('run', 'Nightly report', '-i', `reportUrl=${address}`);
    expect(JSON.parse((await report()).stdout)).toEqual({ outcome: 'nothing to report' });
    const toDay = () => new Date().toISOString().slice(0, 10);
    let [day, stdout] = ['', ''];
    // Begins again when the day ended between the import and the report.
    while (day !== toDay()) {
      day = toDay();
      const orders = `number,amount\n${day} 1,20\n${day} 2,22.5\n`;
      await writeFile(join(installed.folder, 'orders.csv'), orders);
      expect((await holdfast('tables', 'import', 'orders', 'orders.csv')).code).toBe(0);
      ({ stdout } = await report());
    }
    expect(JSON.parse(stdout)).toEqual({ outcome: 'posted', groups: [{ orders: 2, amount: 42.5 }] });
  });

  test('a template for reminders finds contracts that end soon, and marks each contract that it asks about', async () => {
    const [soon, later] = [30, 300].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
    const rows = `c1,Acme,ann@example.org,${soon}\nc2,Acme,ann@example.org,${later}\n`;
    await writeFile(join(installed.folder, 'contracts.csv'), `number,partner,owner,ends_at\n${rows}`);
    expect((await holdfast('tables', 'import', 'contracts', 'contracts.csv')).code).toBe(0);
    const words = ['run', 'Contract expiry reminders', '-i', 'manager=eve@example.org'];
    expect(await holdfast(...words)).toMatchObject({ code: 4, stdout: expect.stringContaining('Renew c1') });
    const kept = JSON.parse((await holdfast('tables', 'query', 'contracts', '--json')).stdout);
    const stages = kept.map(({ data }: { data: { stage: string } }) => data.stage);
    expect(stages).toEqual(['asked', 'running']);
  });

  test.each([
    ['taken/order-saga', 'is there already'],
    ['people.csv', 'is there already'],
    ['people.csv/inner', 'cannot be made: E'],
  ])('a template is not written to %s', async (folder, message) => {
    const before = readFileSync(join(installed.folder, 'people.csv'), 'utf8');
    const refused = await holdfast('new', folder, '--template', 'lead-triage');
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
    expect(readFileSync(join(installed.folder, 'people.csv'), 'utf8')).toBe(before);
    expect(readdirSync(join(installed.folder, 'taken/order-saga'))).not.toContain('leads.table.json');
  });
});

describe('wrong usage', () => {
  test.each([
    [['nothing'], 2, 'unknown command'],
    [['run'], 2, "missing required argument 'workflow'"],
    [['run', 'Nowhere'], 2, 'There is no workflow Nowhere'],
    [['run', 'Greet', '--input', 'name'], 2, 'must be name=value'],
    [['run', 'Greet', '--file', 'none.json'], 2, 'none.json cannot be read'],
    [['logs', '--limit', 'x'], 2, 'must be a whole number'],
    [['logs', 'show', 'exec_none'], 1, 'NOT_FOUND'],
    [['--profile', 'none', 'status'], 2, 'There is no profile none'],
    [['--url', 'http://127.0.0.1:9', 'workflows'], 6, 'cannot be reached'],
    [['--key', 'sk-holdfast-wrong', 'workflows'], 1, 'holdfast login'],
    [['tables', 'query', 'people', '--filter', 'x'], 2, '--filter must be a JSON object'],
    [['new', 'folder'], 2, 'Name a template with --template: content-review'],
    [['new', '--template', 'none'], 2, 'Allowed choices are content-review'],
    [['tables', 'create', 'people.csv'], 2, 'people.csv is no JSON'],
    [['completion', 'csh'], 2, 'use bash, zsh, fish'],
  ])('%j ends with %i', async (words, code, message) => {
    const { code: found, stderr } = await holdfast(...words);
    expect([found, stderr]).toEqual([code, expect.stringContaining(message)]);
  });
});

test('words are completed', async () => {
  expect((await holdfast('complete', '--', 'tables', 'i')).stdout).toBe('import\n');
  expect((await holdfast('complete', '--', 'run', '--inp')).stdout).toBe('--input\n');
  expect((await holdfast('complete', '--', 'new', '--template', 'or')).stdout).toBe('order-saga\n');
});
