import pg from 'pg';
import { approval } from './support/definitions.ts';
import { givenMember, submit } from './support/people.ts';
import { type Answer, Stack } from './support/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.start({}, { worker: false });
});
afterAll(() => stack.stop());

type Paused = Awaited<ReturnType<Stack['givenPaused']>>;

/** Everything that may be read about a pause by a caller who may only read. */
async function readings(workflow: string, { executionId }: Paused, headers: Record<string, string>) {
  const paths = [
    `/api/workflows/${workflow}/paused`,
    `/api/resume/${workflow}/${executionId}`,
    `/api/v1/inbox`,
    `/api/jobs/job_${executionId.slice(5)}`,
    `/api/workflows/${workflow}/executions/${executionId}`,
  ];
  return Promise.all(paths.map((path) => stack.get(path, headers)));
}

/** The first state that the stream of a job tells. */
async function firstEvent({ executionId }: Paused, headers: Record<string, string>): Promise<string> {
  const url = `${stack.url}/api/jobs/job_${executionId.slice(5)}/events`;
  const { body } = await fetch(url, { headers });
  for await (const chunk of body ?? []) return new TextDecoder().decode(chunk);
  return '';
}

test('a viewer gets no link that answers a pause, in any endpoint', async () => {
  const workflow = await stack.givenDeployed(approval);
  const paused = await stack.givenPaused(workflow, { amount: 7 });
  const viewer = await givenMember(stack, 'viewer@example.org', 'viewer');
  const seen = await readings(workflow, paused, viewer.headers);
  expect(seen.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  const texts = [...seen.map(({ body }) => JSON.stringify(body)), await firstEvent(paused, viewer.headers)];
  for (const text of texts) {
    expect(text).toContain('"uiUrl":null');
    expect(text).not.toContain('token=');
  }
});

test('the link that an editor has read answers in the name of this editor', async () => {
  const workflow = await stack.givenDeployed(approval);
  const paused = await stack.givenPaused(workflow, { amount: 7 });
  const editor = await givenMember(stack, 'editor@example.org');
  const seen = await readings(workflow, paused, editor.headers);
  for (const { body } of seen) expect(JSON.stringify(body)).toContain(`&as=${editor.id}`);
  const link = seen[1]?.body.pausePoints[0].resumeLinks.uiUrl;
  expect((await submit(stack, link, { approved: 'true' })).status).toBe(200);
  const { body } = await stack.get(`/api/resume/${workflow}/${paused.executionId}`);
  expect(body.queue[0].actor).toEqual({ kind: 'link', id: editor.id });
});

test('an answer stored for an Idempotency-Key holds no link; each caller who repeats the call gets their own', async () => {
  const workflow = await stack.givenDeployed(approval);
  const ann = await givenMember(stack, 'ann@example.org');
  const key = { 'idempotency-key': 'order-17' };
  const call = (headers: Record<string, string>) =>
    stack.execute(workflow, { inputs: { amount: 7 } }, { ...headers, ...key });
  const first = await call(ann.headers);
  const linkOf = ({ body }: Answer) => body.paused.pausePoints[0].resumeLinks.uiUrl;
  expect(linkOf(first)).toContain(`&as=${ann.id}`);
  const again = await call(ann.headers);
  expect([again.headers.get('idempotency-replayed'), linkOf(again)]).toEqual(['true', linkOf(first)]);
  const ben = await givenMember(stack, 'ben@example.org');
  for (const other of [ben.headers, {}]) {
    const refused = await call(other);
    expect(refused).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    expect(JSON.stringify(refused.body)).not.toContain('token=');
  }
  const owner = new pg.Client({ connectionString: stack.env['DATABASE_DIRECT_URL'] });
  await owner.connect();
  const { rows } = await owner.query(`select answer::text from idempotency_keys where key = 'order-17'`);
  await owner.end();
  expect(rows).toHaveLength(1);
  expect(rows[0].answer).toContain('resumeLinks');
  expect(rows[0].answer).not.toContain('token=');
});
