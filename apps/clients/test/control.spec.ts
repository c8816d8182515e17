import { resolve } from 'node:path';
import { Stack } from '#apps/api/test/support/stack';
import { describeWith } from '#libs/platform/binaries/support/needs';
import { Holdfast } from '#libs/sdk/src/holdfast';
import { writePythonClient } from '../src/python-client.ts';
import { installTools, needPython } from '../src/python-tools.ts';
import { PythonDriver } from './python-driver.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.shared();
});
afterAll(() => stack?.stop());

const echo = {
  start: { inputs: { n: { type: 'number' as const, required: true } } },
  blocks: [{ id: 'done', type: 'response', params: { data: { n: '{{ start.n }}' } } }],
  edges: [{ from: 'start', to: 'done' }],
};

/** Its server is at an address that Holdfast may not reach. */
const failing = {
  blocks: [
    { id: 'charge', type: 'http', params: { url: 'http://10.0.0.1/charge' }, retry: { maxAttempts: 1 } },
  ],
  edges: [{ from: 'start', to: 'charge' }],
};

const webhook = { kind: 'webhook' as const, name: 'Desk', webhook: { scheme: 'bearer' as const } };
const schedule = {
  kind: 'schedule' as const,
  name: 'At midnight',
  schedule: { cron: '0 0 * * *' },
  inputs: { n: 1 },
};
const week = { from: '2026-01-01', to: '2026-01-08' };

/** What both clients find. */
const found = {
  verdicts: ['accepted', 'paused', 'accepted', 'accepted', 'accepted'],
  names: ['Desk', 'At midnight'],
  replays: [1, 0],
  moments: 7,
  waiting: 1,
  perSecond: 50,
  released: { n: 4 },
  retried: [['charge'], 'failed'],
  forked: [[], []],
  counts: { found: 1, eligible: 1, byStatus: { failed: 1 } },
};

test('the TypeScript client steers triggers, holds and executions', async () => {
  const client = new Holdfast({ baseUrl: stack.url, apiKey: stack.home.key, workspaceId: stack.home.id });
  const { triggers, executions, holds } = client;
  const deployed = async (name: string, definition: Record<string, unknown>) => {
    const { id } = await client.workflows.create({ name, definition });
    await client.deployments.deploy(id);
    return id;
  };
  const flow = await deployed('Echo', echo);
  const hook = await triggers.create(flow, webhook);
  const deliver = (secret: string | null | undefined, n: number) => {
    const headers = { authorization: `Bearer ${secret}` };
    return triggers.deliver(hook.url?.split('/').at(-1) ?? '', JSON.stringify({ n }), {}, { headers });
  };
  const first = await deliver(hook.secret, 1);
  await triggers.pause(flow, hook.id, { note: 'We move.' });
  await expect(deliver(hook.secret, 2)).rejects.toMatchObject({ status: 409, code: 'TRIGGER_PAUSED' });
  await triggers.resume(flow, hook.id);
  const { secret } = await triggers.rotate(flow, hook.id, { secret: true, overlapHours: 0 });
  await deliver(secret, 3);
  const replayPaused = () => triggers.deliveries.replayMany(flow, hook.id, { verdict: 'paused' });
  const replays = [(await replayPaused()).replays.length, (await replayPaused()).replays.length];
  await triggers.deliveries.replay(flow, hook.id, first.deliveryId);
  const deliveries = await triggers.deliveries.list(flow, hook.id, { limit: 2 }).toArray();
  await triggers.run(flow, hook.id, { body: { n: 5 } });
  const daily = await triggers.create(flow, schedule);
  const { counts: ofWeek } = await triggers.backfill(flow, daily.id, { ...week, dryRun: true });
  const names = (await triggers.list(flow).toArray()).map(({ name }) => name);
  const hold = await holds.create(stack.home.id, { workflowId: flow, reason: 'We move.' });
  const held = await client.workflows.start(flow, { inputs: { n: 4 } });
  const [waiting] = await holds.list(stack.home.id).toArray();
  const { perSecond } = await holds.release(stack.home.id, hold.id, { perSecond: 50 });
  const { output: released } = await executions.wait(held.jobId);
  const charging = await deployed('Charge', failing);
  const { executionId } = await client.workflows.execute(charging);
  const { repeated } = await executions.retry(charging, executionId, { dryRun: true });
  await executions.retry(charging, executionId);
  const { status } = await executions.wait(executionId.replace('exec_', 'job_'));
  const charged = { from: 'charge', output: { status: 200 }, dryRun: true };
  const fork = await executions.fork(charging, executionId, charged);
  const { counts } = await client.bulk.start({
    verb: 'retry',
    filter: { workflowIds: charging },
    dryRun: true,
  });
  expect({
    verdicts: deliveries.map(({ verdict }) => verdict).toReversed(),
    names,
    replays,
    moments: ofWeek.moments,
    waiting: waiting?.waiting,
    perSecond,
    released,
    retried: [repeated.map(({ path }) => path), status],
    forked: [fork.kept, fork.repeated],
    counts,
  }).toEqual(found);
});

const steering = `
import json
client = AsyncHoldfast()
async def deployed(name, definition):
    workflow = await client.workflows.create(name=name, definition=definition)
    await client.deployments.deploy(workflow.id)
    return workflow.id
triggers, deliveries, executions = client.triggers, client.triggers.deliveries, client.executions
flow = await deployed("Echo in Python", echo)
hook = await triggers.create(flow, **webhook)
async def deliver(secret, n):
    options = {"headers": {"authorization": f"Bearer {secret}"}}
    return await triggers.deliver(hook.url.split("/")[-1], json.dumps({"n": n}), options=options)
first = await deliver(hook.secret, 1)
await triggers.pause(flow, hook.id, note="We move.")
try:
    await deliver(hook.secret, 2)
except holdfast.ConflictError as error:
    refused = error.code
await triggers.resume(flow, hook.id)
secret = (await triggers.rotate(flow, hook.id, secret=True, overlap_hours=0)).secret
await deliver(secret, 3)
replays = [len((await deliveries.replay_many(flow, hook.id, verdict="paused")).replays) for _ in range(2)]
await deliveries.replay(flow, hook.id, first.delivery_id)
came = [one.verdict async for one in deliveries.list(flow, hook.id, limit=2)]
await triggers.run(flow, hook.id, body={"n": 5})
daily = await triggers.create(flow, **schedule)
of_week = (await triggers.backfill(flow, daily.id, from_=week["from"], to=week["to"], dry_run=True)).counts
names = [one.name async for one in triggers.list(flow)]
hold = await client.holds.create(space, workflow_id=flow, reason="We move.")
held = await client.workflows.start(flow, inputs={"n": 4})
waiting = [one.waiting async for one in client.holds.list(space)]
released = await client.holds.release(space, hold.id, per_second=50)
job = await executions.wait(held.job_id)
charging = await deployed("Charge in Python", failing)
run = (await client.workflows.execute(charging)).execution_id
repeated = (await executions.retry(charging, run, dry_run=True)).repeated
await executions.retry(charging, run)
retried = await executions.wait(run.replace("exec_", "job_"))
fork = await executions.fork(charging, run, from_="charge", output={"status": 200}, dry_run=True)
counts = (await client.bulk.start(verb="retry", filter={"workflowIds": charging}, dry_run=True)).counts
return [refused, {
    "verdicts": came[::-1], "names": names, "replays": replays, "moments": of_week.moments, "waiting": waiting[0],
    "perSecond": released.per_second, "released": job.output,
    "retried": [[one.path for one in repeated], retried.status], "forked": [fork.kept, fork.repeated],
    "counts": {"found": counts.found, "eligible": counts.eligible, "byStatus": counts.by_status},
}]`;

describeWith('the tools of the Python client')('the Python client', () => {
  test('the Python client steers triggers, holds and executions', async () => {
    const python = await needPython();
    await writePythonClient(python);
    const driver = PythonDriver.start(await installTools(python), {
      PYTHONPATH: resolve('libs/sdk-python/src'),
      HOLDFAST_URL: stack.url,
      HOLDFAST_API_KEY: stack.home.key,
      HOLDFAST_WORKSPACE_ID: stack.home.id,
    });
    try {
      const scope = { echo, failing, webhook, schedule, week, space: stack.home.id };
      const { value, error } = await driver.run(steering, scope);
      expect(error?.trace).toBeUndefined();
      expect(value).toEqual(['TRIGGER_PAUSED', found]);
    } finally {
      await driver.stop();
    }
  });
});
