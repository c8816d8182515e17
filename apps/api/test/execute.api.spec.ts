import { pure } from './support/definitions.ts';
import { Stack } from './support/stack.ts';

let stack: Stack;
let workflow: string;
beforeAll(async () => {
  stack = await Stack.start();
  workflow = await stack.givenDeployed(pure);
});
afterAll(() => stack.stop());

describe('POST /api/workflows/{workflowId}/execute', () => {
  test('answers a synchronous call with the whole result', async () => {
    const { status, body } = await stack.execute(workflow, { inputs: { amount: 5 } });
    const id = body.executionId;
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      output: { size: 'small', amount: 5, note: 'none' },
      limits: {
        workflowExecutionRateLimit: { sync: bucket(), async: bucket() },
        usage: { currentPeriodCost: 0, limit: 1_000_000, plan: 'self_hosted', isExceeded: false },
      },
      executionId: expect.stringMatching(/^exec_[0-9a-f]{32}$/),
      jobId: id.replace('exec_', 'job_'),
      status: 'completed',
      error: null,
      metadata: {
        executionId: id,
        status: 'completed',
        duration: expect.any(Number),
        startTime: expect.any(String),
        endTime: expect.any(String),
      },
    });
  });
});

function bucket() {
  return {
    requestsPerMinute: 12_000,
    maxBurst: 24_000,
    remaining: expect.any(Number),
    resetAt: expect.any(String),
  };
}
