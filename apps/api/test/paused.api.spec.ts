import { approval, twoApprovals } from './support/definitions.ts';
import { block, line } from './support/graphs.ts';
import { Stack, until, type Workspace } from './support/stack.ts';

let stack: Stack;
let theirs: Workspace;
let workflow: string;
beforeAll(async () => {
  stack = await Stack.shared();
  theirs = await stack.givenWorkspace();
  workflow = await stack.givenDeployed(approval);
});
afterAll(() => stack.stop());

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);

/** The point of `approval`, as the interface shows it. */
function point(executionId: string, contextId: string) {
  return {
    contextId,
    blockId: 'approve',
    registeredAt: time,
    resumeStatus: 'paused',
    snapshotReady: true,
    resumeLinks: {
      apiUrl: expect.stringMatching(new RegExp(`/api/resume/${workflow}/${executionId}/${contextId}$`)),
      uiUrl: expect.stringContaining(`/resume/${workflow}/${executionId}/${contextId}?token=`),
      contextId,
      executionId,
      workflowId: workflow,
    },
    response: {
      displayData: {
        title: 'Approve 7?',
        message: 'Please decide.',
        fields: [{ label: 'Amount', value: 7 }],
      },
      formFields: [
        { name: 'approved', type: 'boolean', label: 'Approved', required: true },
        { name: 'note', type: 'text', label: 'Note', max: 20, required: false },
      ],
    },
    expiresAt: null,
  };
}

describe('GET /api/workflows/{workflowId}/paused and GET /api/resume/{workflowId}/{executionId}', () => {
  test('GET /api/workflows/{workflowId}/paused and GET /api/resume/{workflowId}/{executionId} show the paused execution field by field, before and after the answer', async () => {
    const { executionId, contextId, apiUrl } = await stack.givenPaused(workflow, { amount: 7 });
    const summary = {
      id: expect.stringMatching(/^pause_/),
      workflowId: workflow,
      executionId,
      status: 'paused',
      totalPauseCount: 1,
      resumedCount: 0,
      pausedAt: time,
      updatedAt: time,
      expiresAt: null,
      metadata: null,
      triggerIds: ['approve'],
      pausePoints: [point(executionId, contextId)],
    };
    const list = await stack.get(`/api/workflows/${workflow}/paused?status=paused`);
    expect(list.body.pausedExecutions[0]).toEqual(summary);
    const detail = await stack.get(`/api/resume/${workflow}/${executionId}`);
    expect(detail.body).toEqual({
      ...summary,
      pausePoints: [{ ...point(executionId, contextId), queuePosition: null, latestResumeEntry: null }],
      executionSnapshot: { snapshot: expect.any(String), triggerIds: ['approve'] },
      nextCursor: null,
      queue: [],
    });
    expect(JSON.parse(detail.body.executionSnapshot.snapshot)).toMatchObject({
      workflowId: workflow,
      version: 1,
      blocks: [{ blockId: 'approve', status: 'paused' }],
    });

    const answered = await stack.post(apiUrl, { input: { approved: true, note: 'fine' } });
    expect(answered.body).toEqual({
      success: true,
      status: 'completed',
      executionId: expect.stringMatching(/^exec_/),
      output: { approved: true, note: 'fine' },
      error: null,
      metadata: { duration: expect.any(Number), startTime: time, endTime: time },
    });
    const { startTime, endTime } = answered.body.metadata;
    expect(Date.parse(endTime)).toBeGreaterThanOrEqual(Date.parse(startTime));
    const after = (await stack.get(`/api/resume/${workflow}/${executionId}`)).body;
    const entry = {
      id: expect.stringMatching(/^res_/),
      pausedExecutionId: after.id,
      parentExecutionId: executionId,
      newExecutionId: answered.body.executionId,
      contextId,
      resumeInput: { approved: true, note: 'fine' },
      status: 'completed',
      queuedAt: time,
      claimedAt: time,
      completedAt: time,
      failureReason: null,
      actor: { kind: 'key', id: expect.stringMatching(/^key_/), name: expect.any(String) },
    };
    expect(after).toMatchObject({
      status: 'fully_resumed',
      totalPauseCount: 1,
      resumedCount: 1,
      queue: [entry],
    });
    expect(after.pausePoints).toMatchObject([{ resumeStatus: 'resumed', latestResumeEntry: entry }]);
    const job = await stack.get(`/api/jobs/${answered.body.executionId.replace('exec_', 'job_')}`);
    expect(job.body).toMatchObject({
      status: 'completed',
      executionId,
      output: { approved: true, note: 'fine' },
    });
  });

  test('GET /api/workflows/{workflowId}/paused and GET /api/resume/{workflowId}/{executionId} filters by status, pages, and refuses an unknown status or a cursor of another list', async () => {
    const paged = await stack.givenDeployed(approval);
    for (let n = 0; n < 3; n++) await stack.givenPaused(paged);
    const path = `/api/workflows/${paged}/paused`;
    const first = (await stack.get(`${path}?limit=2`)).body;
    expect(first.pausedExecutions).toHaveLength(2);
    const second = (await stack.get(`${path}?limit=2&cursor=${first.nextCursor}`)).body;
    expect([second.pausedExecutions.length, second.nextCursor]).toEqual([1, null]);
    expect((await stack.get(`${path}?status=cancelled,expired`)).body.pausedExecutions).toEqual([]);
    expect(await stack.get(`${path}?status=sleeping`)).toMatchObject({
      status: 400,
      body: { details: [{ path: 'status' }] },
    });
    const wrong = await stack.get(`${path}?status=paused&cursor=${first.nextCursor}`);
    expect(wrong).toMatchObject({ status: 400, body: { details: [{ path: 'cursor' }] } });
  });

  test('GET /api/workflows/{workflowId}/paused and GET /api/resume/{workflowId}/{executionId} are hidden from another workspace', async () => {
    const { executionId } = await stack.givenPaused(workflow, { amount: 7 });
    const mine = { 'x-api-key': theirs.key };
    expect((await stack.get(`/api/workflows/${workflow}/paused`, mine)).status).toBe(404);
    expect((await stack.get(`/api/resume/${workflow}/${executionId}`, mine)).status).toBe(404);
  });
});

describe('POST /api/resume/{workflowId}/{executionId}/{contextId}', () => {
  test.each([
    [{ input: {} }, 'input.approved'],
    [{ input: { approved: 'perhaps' } }, 'input.approved'],
    [{ input: { approved: true, note: 'x'.repeat(21) } }, 'input.note'],
    [{ input: { approved: true, extra: 1 } }, 'input.extra'],
    [{ input: 'yes' }, 'input'],
    [[1], ''],
  ])(
    'POST /api/resume/{workflowId}/{executionId}/{contextId} refuses %j, names %s, and leaves the pause open',
    async (body, path) => {
      const { executionId, apiUrl } = await stack.givenPaused(workflow, { amount: 7 });
      expect(await stack.post(apiUrl, body)).toMatchObject({ status: 400, body: { details: [{ path }] } });
      expect((await stack.get(`/api/resume/${workflow}/${executionId}`)).body).toMatchObject({
        status: 'paused',
        queue: [],
      });
    },
  );

  test('POST /api/resume/{workflowId}/{executionId}/{contextId} takes the bare answers too', async () => {
    const { apiUrl } = await stack.givenPaused(workflow, { amount: 7 });
    expect((await stack.post(apiUrl, { approved: false })).body).toMatchObject({
      status: 'completed',
      output: { approved: false },
    });
  });

  test('POST /api/resume/{workflowId}/{executionId}/{contextId} answers an asynchronous execution with a job', async () => {
    const { body } = await stack.execute(workflow, { async: true });
    const path = `/api/resume/${workflow}/${body.executionId}`;
    const paused = await until(
      () => stack.get(path),
      ({ status }) => status === 200,
    );
    const answered = await stack.post(`${path}/${paused.body.pausePoints[0].contextId}`, {
      input: { approved: true },
    });
    expect(answered.status).toBe(202);
    expect(answered.body).toEqual({
      success: true,
      async: true,
      jobId: expect.stringMatching(/^job_/),
      executionId: answered.body.jobId.replace('job_', 'exec_'),
      message: expect.any(String),
      statusUrl: expect.stringContaining(`/api/jobs/${answered.body.jobId}`),
    });
    expect((await stack.get(`/api/jobs/${answered.body.jobId}?wait=60`)).body).toMatchObject({
      status: 'completed',
      executionId: body.executionId,
    });
  });

  test('POST /api/resume/{workflowId}/{executionId}/{contextId} answers the same Idempotency-Key with the first answer', async () => {
    const { apiUrl } = await stack.givenPaused(workflow, { amount: 7 });
    const key = { 'idempotency-key': apiUrl.slice(-40) };
    const first = await stack.post(apiUrl, { input: { approved: true } }, key);
    const again = await stack.post(apiUrl, { input: { approved: true } }, key);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  test('POST /api/resume/{workflowId}/{executionId}/{contextId} asks a person without showing the outputs of earlier blocks, to the caller and in every answer', async () => {
    const secretive = await stack.givenDeployed(
      line(
        block('lookUp', 'function', { code: 'return { customer: "the row of " + "a customer" }' }),
        block('ask', 'human', { title: 'Go on?', form: [{ name: 'ok', type: 'boolean' }] }),
        block('again', 'human', { title: 'Sure?', form: [{ name: 'ok', type: 'boolean' }] }),
      ),
    );
    const key = { 'idempotency-key': 'secretive' };
    const first = await stack.execute(secretive, {}, key);
    const { executionId, jobId } = first.body;
    const { apiUrl } = first.body.paused.pausePoints[0].resumeLinks;
    const answers = [
      first,
      await stack.execute(secretive, {}, key),
      await stack.get(`/api/jobs/${jobId}`),
      await stack.post(new URL(apiUrl).pathname, { ok: true }),
    ];
    for (const { body } of answers) {
      expect(body.output ?? {}).toEqual({});
      expect(JSON.stringify(body)).not.toContain('the row of a customer');
    }
    expect(answers.map(({ body }) => body.status)).toEqual(['paused', 'paused', 'processing', 'paused']);
    const [lookUp] = await stack.blockLog(secretive, executionId);
    expect(JSON.stringify(lookUp.output)).toContain('the row of a customer');
  });

  test('POST /api/resume/{workflowId}/{executionId}/{contextId} applies one of ten answers that race, and tells the others', async () => {
    const { apiUrl } = await stack.givenPaused(workflow, { amount: 7 });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        stack.post(apiUrl, { input: { approved: true, note: `by ${n}` } }),
      ),
    );
    const [won, ...others] = answers.filter(({ status }) => status === 200);
    expect(others).toEqual([]);
    const lost = answers.filter(({ status, body }) => status === 409 && body.code === 'ALREADY_RESUMED');
    expect(lost).toHaveLength(9);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(won?.body.output).toEqual({ approved: true, note: `by ${winner}` });
  });

  test('POST /api/resume/{workflowId}/{executionId}/{contextId} applies two answers to two pauses of one run at the same instant, each once', async () => {
    const two = await stack.givenDeployed(twoApprovals);
    const { body } = await stack.execute(two);
    expect(body.paused.pausePoints).toHaveLength(2);
    const paths = body.paused.pausePoints.map(
      (one: { resumeLinks: { apiUrl: string } }) => new URL(one.resumeLinks.apiUrl).pathname,
    );
    const answers = await Promise.all(
      paths.map((path: string, n: number) => stack.post(path, { input: { ok: n === 0 } })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const job = await stack.get(`/api/jobs/${body.jobId}?wait=60`);
    const left = body.paused.pausePoints[0].blockId === 'left';
    expect(job.body).toMatchObject({ status: 'completed', output: { left, right: !left } });
    const { body: paused } = await stack.get(`/api/resume/${two}/${body.executionId}`);
    expect(paused).toMatchObject({ status: 'fully_resumed', totalPauseCount: 2, resumedCount: 2 });
  });

  test('POST /api/resume/{workflowId}/{executionId}/{contextId} keeps a paused run on its version through deploy, rollback and undeploy', async () => {
    const pinned = await stack.givenDeployed(approval);
    const { apiUrl, executionId } = await stack.givenPaused(pinned, { amount: 7 });
    const changed = {
      ...approval,
      blocks: [approval.blocks[0], { id: 'done', type: 'response', params: { data: 'version 2' } }],
    };
    await stack.call('PATCH', `/api/v1/workflows/${pinned}`, { definition: changed });
    const path = `/api/v1/workflows/${pinned}/deploy`;
    const waits = `1 execution waits for people and will go on as version 1: ${executionId}.`;
    const preview = await stack.get(`${path}/preview`);
    expect(preview.body.data).toEqual({
      faults: [],
      warnings: [waits],
      triggers: [],
      waiting: [{ version: 1, count: 1, executionIds: [executionId] }],
    });
    expect((await stack.get(`${path}/preview?action=rollback&version=1`)).body.data.warnings).toEqual([]);
    expect((await stack.get(`${path}/preview?action=rollback&version=9`)).status).toBe(404);
    expect((await stack.get(`${path}/preview?action=rollback`)).status).toBe(400);
    expect((await stack.post(path)).body.data).toMatchObject({ version: 2, warnings: [waits] });
    expect((await stack.call('DELETE', path)).body.data.warnings).toEqual([waits]);
    expect((await stack.post(apiUrl, { input: { approved: true } })).body.output).toEqual({
      approved: true,
      note: null,
    });
  });

  test('POST /api/resume/{workflowId}/{executionId}/{contextId} answers 404 to an unknown context, and to one of another run or workspace', async () => {
    const one = await stack.givenPaused(workflow, { amount: 7 });
    const two = await stack.givenPaused(workflow, { amount: 7 });
    const answer = { input: { approved: true } };
    expect((await stack.post(one.apiUrl.replace(one.contextId, 'ctx_nothing'), answer)).status).toBe(404);
    expect((await stack.post(one.apiUrl.replace(one.contextId, two.contextId), answer)).status).toBe(404);
    expect((await stack.post(one.apiUrl, answer, { 'x-api-key': theirs.key })).status).toBe(404);
    expect((await stack.post(one.apiUrl, answer)).status).toBe(200);
  });
});
