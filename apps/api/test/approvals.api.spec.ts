import pg from 'pg';
import { Links } from '#libs/runs/pauses/links';
import { Settings } from '#libs/platform/settings/settings';
import { givenMember, type Member, submit } from './support/people.ts';
import { Stack, until } from './support/stack.ts';

const form = [
  { name: 'approved', type: 'boolean', required: true },
  { name: 'note', type: 'string' },
];

/** A request with these rules. Its outcome is the output. */
const request = (approvals: object, more: object = {}) => ({
  blocks: [
    { id: 'ask', type: 'human', params: { title: 'Buy it?', form, approvals, ...more } },
    {
      id: 'done',
      type: 'response',
      params: { data: { approved: '{{ ask.approved }}', votes: '{{ ask.votes }}' } },
    },
  ],
  edges: [
    { from: 'start', to: 'ask' },
    { from: 'ask', to: 'done' },
  ],
});

let stack: Stack;
let ann: Member;
let bob: Member;
let carl: Member;
let quorum: string;
beforeAll(async () => {
  stack = await Stack.shared();
  ann = await givenMember(stack, stack.at('ann'));
  bob = await givenMember(stack, stack.at('bob'));
  carl = await givenMember(stack, stack.at('carl'), 'viewer');
  quorum = await stack.givenDeployed(
    request({ required: 2, assignees: [stack.at('Ann'), bob.id, stack.at('carl')] }),
  );
});
afterAll(() => stack.stop());

const answer = (url: string, who: Member | null, approved: boolean, note = '') =>
  stack.post(url, { input: { approved, note } }, who?.headers);

const detail = async (workflow: string, executionId: string) =>
  (await stack.get(`/api/resume/${workflow}/${executionId}`)).body;

describe('request that two of three must approve', () => {
  test('a request that two of three must approve goes on with the second yes, and shows the votes before it', async () => {
    const { apiUrl, executionId } = await stack.givenPaused(quorum);
    const first = await answer(apiUrl, ann, true, 'cheap');
    expect(first).toMatchObject({ status: 200, body: { success: true, status: 'paused' } });
    const { status, pausePoints, queue } = await detail(quorum, executionId);
    const { votes } = pausePoints[0].approvals;
    expect(first.body.paused.pausePoints[0].approvals.votes).toEqual(votes);
    expect(status).toBe('paused');
    expect(pausePoints[0]).toMatchObject({
      resumeStatus: 'paused',
      approvals: { required: 2, veto: true, votes: [{ person: ann.id, approved: true }] },
    });
    expect(queue).toMatchObject([{ status: 'completed', actor: { kind: 'user', id: ann.id } }]);
    const second = await answer(apiUrl, bob, true);
    expect(second).toMatchObject({ status: 200, body: { status: 'completed' } });
    expect(second.body.output).toMatchObject({
      approved: true,
      votes: [
        { person: ann.id, approved: true, at: votes[0].at, answers: { approved: true, note: 'cheap' } },
        { person: bob.id, approved: true },
      ],
    });
  });

  test('a request that two of three must approve counts each vote once when two people send the same vote with the same Idempotency-Key', async () => {
    const { apiUrl } = await stack.givenPaused(quorum);
    const vote = (who: Member) =>
      stack.post(apiUrl, { approved: true }, { ...who.headers, 'idempotency-key': 'approve' });
    expect((await vote(ann)).body.status).toBe('paused');
    const again = await vote(ann);
    expect([again.headers.get('idempotency-replayed'), again.body.status]).toEqual(['true', 'paused']);
    const second = await vote(bob);
    expect([second.headers.get('idempotency-replayed'), second.body.status]).toEqual([null, 'completed']);
    expect(second.body.output.votes).toMatchObject([{ person: ann.id }, { person: bob.id }]);
  });

  test('a request that two of three must approve is rejected by one no', async () => {
    const { apiUrl } = await stack.givenPaused(quorum);
    await answer(apiUrl, ann, true);
    expect((await answer(apiUrl, bob, false)).body).toMatchObject({
      status: 'completed',
      output: { approved: false },
    });
  });

  test('a request that two of three must approve refuses a vote of a workspace key, of a person who was not asked, and a second vote of a person', async () => {
    const { apiUrl, executionId } = await stack.givenPaused(quorum);
    const admin = { headers: { 'x-api-key': stack.personalKey } } as Member;
    expect(await answer(apiUrl, null, true)).toMatchObject({
      status: 403,
      body: { code: 'PERSON_REQUIRED' },
    });
    expect(await answer(apiUrl, admin, true)).toMatchObject({
      status: 403,
      body: { code: 'NOT_AN_ASSIGNEE' },
    });
    const refused = () => stack.get('/api/v1/audit-logs?action=answer.refused');
    const { body } = await until(refused, (log) => log.body.data.length >= 2);
    expect(body.data.map(({ metadata }: { metadata: { code: string } }) => metadata.code)).toEqual(
      expect.arrayContaining(['PERSON_REQUIRED', 'NOT_AN_ASSIGNEE']),
    );
    expect((await answer(apiUrl, ann, true)).status).toBe(200);
    expect(await answer(apiUrl, ann, false)).toMatchObject({ status: 409, body: { code: 'ALREADY_VOTED' } });
    const { pausePoints } = await detail(quorum, executionId);
    expect(pausePoints[0].approvals.votes).toEqual([
      { person: ann.id, personName: 'ann', approved: true, at: expect.any(String) },
    ]);
  });

  test('a request that two of three must approve takes two answers at the same instant, and tells a third person who answered last', async () => {
    const { apiUrl } = await stack.givenPaused(quorum);
    const both = await Promise.all([answer(apiUrl, ann, true), answer(apiUrl, bob, true)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const late = await answer(apiUrl, carl, true);
    // A viewer may read only.
    expect(late.status).toBe(403);
    const again = await answer(apiUrl, ann, true);
    expect(again).toMatchObject({ status: 409, body: { code: 'ALREADY_RESUMED' } });
    expect(again.body.error).toMatch(/already\. By (ann|bob), at \d{4}-/);
  });
});

test('a request that demands a sign-in refuses a link, and takes the answer of a signed-in user', async () => {
  const rules = { assignees: [ann.email], requireSignIn: true };
  const workflow = await stack.givenDeployed(request(rules));
  const { body } = await stack.execute(workflow, {});
  const [{ contextId, approvals, resumeLinks }] = body.paused.pausePoints;
  expect(approvals).toMatchObject({ requireSignIn: true });
  const links = new Links(new Settings({ ...process.env, ...stack.env, PUBLIC_URL: stack.url }));
  const target = {
    workspaceId: stack.home.id,
    workflowId: workflow,
    executionId: body.executionId,
    contextId,
  };
  const url = links.uiUrl(target, { registeredAt: new Date(), expiresAt: null }, ann.email);
  for (const method of ['GET', 'POST']) {
    const posted = method === 'POST' ? { body: new URLSearchParams({ approved: 'true' }) } : {};
    const headers = { origin: stack.url, 'sec-fetch-site': 'same-origin' };
    const page = await fetch(url, { method, headers, ...posted });
    expect([method, page.status]).toEqual([method, 403]);
    expect(await page.text()).toContain(`/console/w/${stack.home.id}/inbox?open=${contextId}`);
  }
  const apiUrl = new URL(resumeLinks.apiUrl).pathname;
  expect((await answer(apiUrl, ann, true)).body.status).toBe('completed');
});

test.each(['İstanbul', 'ΣΊΣΥΦΟΣ', 'Zoë'])(
  'a request to the address of %s is answered by the member and by the guest of that address',
  async (name) => {
    const [email, outside] = [stack.at(name), `${name}@outside.example`];
    const member = await givenMember(stack, email);
    const workflow = await stack.givenDeployed(request({ required: 2, assignees: [email, outside] }));
    const { apiUrl, executionId, contextId } = await stack.givenPaused(workflow);
    const mine = await stack.get('/api/v1/inbox?mine=true', member.headers);
    expect(mine.body.data).toMatchObject([{ contextId }]);
    expect((await answer(apiUrl, member, true)).status).toBe(200);
    const database = new pg.Client({ connectionString: stack.env['DATABASE_DIRECT_URL'] });
    await database.connect();
    const { rows } = await database.query(
      `select target from notices where context_id = $1 and target like '%outside.example'`,
      [contextId],
    );
    await database.end();
    const links = new Links(new Settings({ ...process.env, ...stack.env, PUBLIC_URL: stack.url }));
    const target = { workspaceId: stack.home.id, workflowId: workflow, executionId, contextId };
    const url = links.uiUrl(target, { registeredAt: new Date(), expiresAt: null }, rows[0].target);
    await submit(stack, url, { approved: 'true' });
    const { pausePoints } = await detail(workflow, executionId);
    expect(pausePoints[0].approvals.votes).toHaveLength(2);
  },
);

describe('starter of a run', () => {
  test('the starter of a run may not answer, unless the block allows it', async () => {
    const rules = { assignees: [ann.email, bob.email] };
    const [strict, free] = await Promise.all([
      stack.givenDeployed(request(rules)),
      stack.givenDeployed(request({ ...rules, allowStarter: true })),
    ]);
    const start = async (workflow: string) => {
      const { body } = await stack.execute(workflow, {}, ann.headers);
      return new URL(body.paused.pausePoints[0].resumeLinks.apiUrl).pathname;
    };
    const url = await start(strict);
    expect(await answer(url, ann, true)).toMatchObject({
      status: 403,
      body: { code: 'STARTER_MAY_NOT_ANSWER' },
    });
    expect((await answer(url, bob, true)).body.status).toBe('completed');
    expect((await answer(await start(free), ann, true)).body.status).toBe('completed');
  });
});

describe('request without veto', () => {
  test('a request without veto is rejected only when as many people reject as must approve', async () => {
    const workflow = await stack.givenDeployed(
      request({ required: 2, veto: false, roles: ['admin', 'editor'] }),
    );
    const { apiUrl } = await stack.givenPaused(workflow);
    expect((await answer(apiUrl, ann, false)).body.status).toBe('paused');
    expect((await answer(apiUrl, bob, true)).body.status).toBe('paused');
    const admin = { headers: { 'x-api-key': stack.personalKey } } as Member;
    expect((await answer(apiUrl, admin, false)).body).toMatchObject({
      status: 'completed',
      output: { approved: false },
    });
  });
});

describe('delegated request', () => {
  test('a delegated request is answered once by the other person, and the history shows each step', async () => {
    const workflow = await stack.givenDeployed(request({ required: 2, assignees: [ann.email, bob.email] }));
    const dora = await givenMember(stack, stack.at('dora'));
    const { apiUrl } = await stack.givenPaused(workflow);
    expect((await answer(apiUrl, dora, true)).body.code).toBe('NOT_AN_ASSIGNEE');
    const handed = await stack.post(
      `${apiUrl}/delegate`,
      { to: stack.at('DORA'), note: 'away' },
      ann.headers,
    );
    expect(handed.status).toBe(200);
    expect((await answer(apiUrl, ann, true)).body.code).toBe('NOT_AN_ASSIGNEE');
    expect((await answer(apiUrl, dora, true)).body.status).toBe('paused');
    const twice = await stack.post(`${apiUrl}/delegate`, { to: dora.email }, bob.headers);
    expect(twice).toMatchObject({ status: 400, body: { details: [{ path: 'to', code: 'already_voted' }] } });
    expect((await answer(apiUrl, dora, true)).body.code).toBe('ALREADY_VOTED');
    const { body } = await stack.get(`${apiUrl}/trail`);
    expect(body.data.map(({ event, who, note }: Record<string, string>) => [event, who, note])).toEqual(
      expect.arrayContaining([
        ['opened', null, 'Buy it?'],
        ['delegated', `ann <${ann.email}>`, expect.stringContaining('away')],
        ['answered', `dora <${dora.email}>`, 'true'],
      ]),
    );
  });

  test('a delegated request is refused without approvals, to the same person, and by a person who was not asked', async () => {
    const open = await stack.givenDeployed({
      ...request({}),
      blocks: [{ id: 'ask', type: 'human', params: { title: 'Any?' } }],
      edges: [{ from: 'start', to: 'ask' }],
    });
    const plain = await stack.givenPaused(open);
    const asked = await stack.givenPaused(quorum);
    const hand = (url: string, to: string, who: Member) =>
      stack.post(`${url}/delegate`, { to }, who.headers).then(({ status, body }) => [status, body.code]);
    expect(await hand(plain.apiUrl, bob.email, ann)).toEqual([409, 'NO_APPROVALS']);
    expect(await hand(asked.apiUrl, ann.email, ann)).toEqual([400, 'INVALID_REQUEST']);
    const started = await stack.execute(quorum, {}, ann.headers);
    const startedUrl = new URL(started.body.paused.pausePoints[0].resumeLinks.apiUrl).pathname;
    expect(await hand(startedUrl, ann.email, bob)).toEqual([400, 'INVALID_REQUEST']);
    const dora = await givenMember(stack, stack.at('dora2'));
    expect(await hand(asked.apiUrl, bob.email, dora)).toEqual([403, 'NOT_AN_ASSIGNEE']);
    expect(await hand(asked.apiUrl.replace('ctx_', 'ctx_0'), bob.email, ann)).toEqual([404, 'NOT_FOUND']);
  });
});

describe('files', () => {
  const workflow = () =>
    stack.givenDeployed(
      request(
        { required: 2, assignees: [ann.email, bob.email] },
        { form: [...form, { name: 'scan', type: 'file' }] },
      ),
    );
  const part = (name: string, content: string, more = '') =>
    `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;
  const scan = part('scan', 'A page.', '; filename="a.txt"');
  const multipart = { 'content-type': 'multipart/form-data; boundary=x' };
  const upload = async (url: string, headers = {}) => {
    const { status, body } = await stack.call('POST', `${url}/files`, `${scan}--x--\r\n`, {
      ...headers,
      ...multipart,
    });
    return [status, body.code ?? body.success];
  };
  const owned = async <T>(work: (owner: pg.Client) => Promise<T>): Promise<T> => {
    const owner = new pg.Client({ connectionString: stack.env['DATABASE_DIRECT_URL'] });
    await owner.connect();
    try {
      return await work(owner);
    } finally {
      await owner.end();
    }
  };
  const kept = (executionId: string) =>
    owned(async (owner) => {
      const count = 'select count(*)::int as n from files where execution_id = $1';
      return (await owner.query<{ n: number }>(count, [executionId])).rows[0]?.n;
    });
  const used = async () => (await stack.get('/api/users/me/usage-limits')).body.storage.usedBytes;

  test('files are deleted when their answer is refused, and count as storage when it is taken', async () => {
    const { executionId, apiUrl } = await stack.givenPaused(await workflow());
    const before = await used();
    const { body } = await stack.get(apiUrl.slice(0, apiUrl.lastIndexOf('/')), ann.headers);
    const link = new URL(body.pausePoints[0].resumeLinks.uiUrl);
    const answered = () =>
      stack.call(
        'POST',
        link.pathname + link.search,
        `${part('approved', 'true')}${scan}--x--\r\n`,
        multipart,
      );
    expect((await answered()).status).toBe(200);
    expect([await kept(executionId), (await used()) - before]).toEqual([1, 7]);
    expect([(await answered()).status, (await answered()).status]).toEqual([409, 409]);
    expect(await kept(executionId)).toBe(1);
    const dora = await givenMember(stack, stack.at('dora3'));
    expect(await upload(apiUrl, ann.headers)).toEqual([409, 'ALREADY_VOTED']);
    expect(await upload(apiUrl, dora.headers)).toEqual([403, 'NOT_AN_ASSIGNEE']);
    expect(await upload(apiUrl)).toEqual([403, 'PERSON_REQUIRED']);
    expect([await kept(executionId), (await used()) - before]).toEqual([1, 7]);
    expect(await upload(apiUrl, bob.headers)).toEqual([201, true]);
    expect([await kept(executionId), (await used()) - before]).toEqual([2, 14]);
  });

  test('files have 500 MiB at most in one execution', async () => {
    const { executionId, apiUrl } = await stack.givenPaused(await workflow());
    // The row of a file alone: its content would take minutes.
    await owned((owner) =>
      owner.query(
        `insert into files (id, workspace_id, filename, mime_type, size, sha256, execution_id)
         values ('file_large', $1, 'a', 'b', 524288000 - 6, '', $2)`,
        [stack.home.id, executionId],
      ),
    );
    expect(await upload(apiUrl, bob.headers)).toEqual([400, 'INVALID_REQUEST']);
    expect(await kept(executionId)).toBe(1);
  });
});

describe('workflow itself', () => {
  const update = async (executionId: string, message: object) => {
    const handle = await stack.runOf(executionId);
    return handle.executeUpdate('resume', { args: [message] }).then(
      () => 'taken',
      (error: { cause?: { type?: string } }) => error.cause?.type,
    );
  };

  test('the workflow refuses an answer of a person who may not answer, also when it comes as a signal', async () => {
    const { executionId, contextId } = await stack.givenPaused(quorum);
    const message = { entryId: 'res_forged', contextId, answers: { approved: true } };
    expect(await update(executionId, message)).toBe('PERSON_REQUIRED');
    expect(await update(executionId, { ...message, as: 'eve@example.org' })).toBe('NOT_AN_ASSIGNEE');
  });

  test('the workflow takes a signal that names an assignee, and drops a signal without a name', async () => {
    const { executionId, contextId, apiUrl } = await stack.givenPaused(quorum);
    const handle = await stack.runOf(executionId);
    const input = { approved: true };
    await handle.signal('resumeSignal', { contextId, input });
    await handle.signal('resumeSignal', { contextId, input, as: 'nobody@example.org' });
    await handle.signal('resumeSignal', { contextId, input, as: bob.email });
    await until(
      () => detail(quorum, executionId),
      ({ pausePoints }) => pausePoints[0].approvals.votes.length === 1,
    );
    expect((await answer(apiUrl, ann, true)).body).toMatchObject({
      status: 'completed',
      output: { votes: [{ person: bob.id }, { person: ann.id }] },
    });
  });
});

describe('GET /api/v1/inbox', () => {
  test('GET /api/v1/inbox lists the open pauses by pages, first those of the caller, then the oldest', async () => {
    const elsewhere = await stack.givenWorkspace();
    const theirs = { 'x-api-key': elsewhere.key };
    const open = await stack.givenDeployed(
      {
        blocks: [{ id: 'ask', type: 'human', params: { title: 'Any?' } }],
        edges: [{ from: 'start', to: 'ask' }],
      },
      theirs,
    );
    for (let i = 0; i < 3; i++) await stack.execute(open, {}, theirs);
    const page = async (query: string, headers?: object) =>
      (await stack.get(`/api/v1/inbox?${query}`, headers as Record<string, string>)).body;
    const first = await page('limit=2', theirs);
    const second = await page(`limit=2&cursor=${first.nextCursor}`, theirs);
    const times = [...first.data, ...second.data].map(({ registeredAt }) => registeredAt);
    expect(times).toHaveLength(3);
    expect(times).toEqual(times.toSorted((a: string, b: string) => a.localeCompare(b)));
    expect(second.nextCursor).toBeNull();
    const mine = await page('mine=true', ann.headers);
    expect(mine.data.length).toBeGreaterThan(0);
    expect(mine.data.every((item: { mine: boolean }) => item.mine)).toBe(true);
    const all = (await page('limit=100', ann.headers)).data.map((item: { mine: boolean }) => item.mine);
    expect(all).toEqual(all.toSorted((a: boolean, b: boolean) => Number(b) - Number(a)));
    expect(JSON.stringify(all)).not.toContain(open);
    expect(await stack.get(`/api/v1/inbox?cursor=${first.nextCursor}`)).toMatchObject({ status: 400 });
  });
});
