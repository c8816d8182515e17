import { approval, pure } from './support/definitions.ts';
import { givenMember } from './support/people.ts';
import { type Answer, Stack } from './support/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.shared();
});
afterAll(() => stack?.stop());

/** A key of the workspace, with a name. */
async function givenKey(name: string) {
  const { body } = await stack.post(`/api/v1/workspaces/${stack.home.id}/keys`, { name, role: 'admin' });
  return { id: body.data.id as string, headers: { 'x-api-key': body.data.key as string } };
}

const read = async (path: string, of: (body: Answer['body']) => unknown) => of((await stack.get(path)).body);

test('every answer names the key that acted, also after it was revoked', async () => {
  const robot = await givenKey('Deploy robot');
  const actor = { kind: 'key', id: robot.id, name: 'Deploy robot' };
  const named = { createdBy: robot.id, createdByName: 'Deploy robot' };
  const workflow = await stack.givenDeployed(approval, robot.headers);
  const home = `/api/v1/workspaces/${stack.home.id}`;
  const trigger = { kind: 'webhook', name: 'Shop', webhook: { scheme: 'none' } };
  const opened = await stack.post(`/api/v1/workflows/${workflow}/triggers`, trigger, robot.headers);
  expect(opened.body.data.actsFor).toEqual(actor);
  const asked = await stack.execute(workflow, { inputs: { amount: 1 } }, robot.headers);
  const {
    executionId,
    paused: { pausePoints },
  } = asked.body;
  const contextId = pausePoints[0].contextId;
  const resume = `/api/resume/${workflow}/${executionId}`;
  await stack.post(`${resume}/${contextId}`, { input: { approved: true } }, robot.headers);
  const held = await stack.givenDeployed(pure);
  await stack.post(`${home}/holds`, { workflowId: held, reason: 'The mill moves.' }, robot.headers);
  const waiting = await stack.execute(held, { async: true });
  const job = await stack.post(
    '/api/v1/bulk',
    { verb: 'cancel', filter: { workflowIds: held } },
    robot.headers,
  );
  expect(job.body.data.job.actor).toEqual(actor);
  await stack.call('DELETE', `${home}/keys/${robot.id}`);
  const execution = `/api/workflows/${held}/executions/${waiting.body.executionId}`;
  expect(await read(`/api/v1/workflows/${workflow}/versions`, ({ data }) => data)).toMatchObject([named]);
  expect(await read(`/api/v1/workflows/${workflow}/versions/1`, ({ data }) => data)).toMatchObject(named);
  expect(await read(`/api/v1/workflows/${workflow}/triggers`, ({ data }) => data)).toMatchObject([
    { actsFor: actor },
  ]);
  expect(await read(`/api/workflows/${workflow}/executions/${executionId}`, (one) => one.actor)).toEqual(
    actor,
  );
  expect(await read(execution, (one) => one.held?.actor ?? actor)).toEqual(actor);
  const paused = (await stack.get(resume)).body;
  expect([paused.queue[0].actor, paused.pausePoints[0].latestResumeEntry.actor]).toEqual([actor, actor]);
  expect(await read(`${home}/holds`, ({ data }) => data)).toMatchObject([{ actor }]);
  expect(await read(`/api/v1/bulk?workspaceId=${stack.home.id}`, ({ data }) => data)).toMatchObject([
    { actor },
  ]);
  expect(await read(`/api/v1/logs?executionId=${executionId}`, ({ data }) => data)).toMatchObject([
    { startedBy: 'Deploy robot', startedById: robot.id },
  ]);
  const [hold] = (await stack.get(`${home}/holds`)).body.data;
  await stack.post(`${home}/holds/${hold.id}/release`);
});

test('an answer names a person, and by the last address who has left the workspace', async () => {
  const ann = await givenMember(stack, stack.at('ann'), 'admin');
  const workflow = await stack.givenDeployed(pure, ann.headers);
  const made = await stack.execute(workflow, { inputs: { amount: 1 } }, ann.headers);
  const versions = `/api/v1/workflows/${workflow}/versions`;
  const [before] = (await stack.get(versions)).body.data;
  expect(before).toMatchObject({ createdBy: ann.id, createdByName: expect.stringMatching(/./) });
  const members = `/api/v1/workspaces/${stack.home.id}/members`;
  expect((await stack.call('DELETE', `${members}/${ann.id}`)).status).toBe(200);
  expect((await stack.get(versions)).body.data).toMatchObject([{ createdByName: ann.email }]);
  const log = await stack.get(`/api/v1/logs?executionId=${made.body.executionId}`);
  expect(log.body.data).toMatchObject([{ startedBy: ann.email, startedById: ann.id }]);
  const audit = await stack.get(`/api/v1/audit-logs?workspaceId=${stack.home.id}&actorId=${ann.id}&limit=1`);
  expect(audit.body.data).toMatchObject([{ actorName: ann.email }]);
});
