import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { Client, type ShownExecution, type BlockVisit } from './client.ts';
import { ReportReceiver, type DeliveredReport } from './receiver.ts';
import type { ReviewOptions, Reviewed } from './review.ts';
import { expectations, linesOfReport } from './verdict.ts';

let receiver: ReportReceiver;
let api: Server;
/** Undefined when the run never paused. */
let queue: { status: string }[] | undefined;

beforeEach(async () => {
  queue = [{ status: 'completed' }];
  receiver = await ReportReceiver.start();
  api = createServer(({ url }, response) => {
    const paused = url === '/api/workflows/wf_1/paused';
    const pausedExecutions = queue ? [{ executionId: 'exec_1' }] : [];
    response.end(JSON.stringify(paused ? { pausedExecutions } : { queue }));
  });
  await once(api.listen(0, '127.0.0.1'), 'listening');
});

afterEach(async () => {
  await receiver.stop();
  api.close();
  api.closeAllConnections();
  await once(api, 'close');
});

const visit = (blockId: string, more: Partial<BlockVisit> = {}): BlockVisit => ({
  blockId,
  name: blockId,
  type: 'http',
  status: 'completed',
  startedAt: '2026-01-01T00:00:00.000Z',
  endedAt: '2026-01-01T00:00:01.000Z',
  duration: 1000,
  attempts: 1,
  port: null,
  ...more,
});

const givenReviewed = (more: Partial<ShownExecution> = {}, beforeCrashes: BlockVisit[] = []): Reviewed => ({
  workflowId: 'wf_1',
  blockIds: ['group', 'deliver'],
  beforeCrashes,
  execution: {
    executionId: 'exec_1',
    jobId: 'job_1',
    status: 'completed',
    error: null,
    paused: null,
    temporalUrl: null,
    blocks: [visit('group'), visit('deliver')],
    ...more,
  },
});

async function givenDelivery(key: string, verdict = 'approved'): Promise<void> {
  const body = JSON.stringify({ run: 'exec_1', verdict });
  await fetch(receiver.url, { method: 'POST', headers: { 'idempotency-key': key }, body });
}

const plain: ReviewOptions = { decision: 'approve', crash: false, interactive: false };

/** The expectations that do not hold. */
async function broken(reviewed: Reviewed, options = plain): Promise<string[]> {
  const address = api.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const client = new Client(`http://127.0.0.1:${port}`, 'hf_key');
  const all = await expectations(client, receiver, reviewed, options);
  return all.filter(({ holds }) => !holds).map(({ what }) => what);
}

describe('expectations', () => {
  test('expectations hold for one delivery, each block once, one answer', async () => {
    await givenDelivery('k');
    expect(await broken(givenReviewed())).toEqual([]);
  });

  test('expectations do not hold for a run that failed', async () => {
    await givenDelivery('k');
    const reviewed = givenReviewed({ status: 'failed', error: 'It broke.' });
    expect(await broken(reviewed)).toEqual(['the run has failed: It broke.']);
  });

  test.each([
    ['no delivery', [], '0 deliveries, 0 reports stored'],
    ['a delivery too many', ['k', 'k'], '2 deliveries, 1 report stored: approved'],
    ['two reports', ['k', 'other'], '2 deliveries, 2 reports stored: approved, approved'],
  ])('expectations do not hold for %s', async (_, keys, what) => {
    for (const key of keys) await givenDelivery(key);
    expect(await broken(givenReviewed())).toEqual([what]);
  });

  test('expectations do not hold for a verdict that nobody gave', async () => {
    await givenDelivery('k', 'rejected');
    expect(await broken(givenReviewed())).toEqual(['1 delivery, 1 report stored: rejected']);
    expect(await broken(givenReviewed(), { ...plain, decision: 'reject' })).toEqual([]);
  });

  test.each([
    ['a block twice', [visit('group'), visit('deliver'), visit('deliver')]],
    ['a block that is missing', [visit('group')]],
    ['a block that was skipped', [visit('group'), visit('deliver', { status: 'skipped' })]],
  ])('expectations do not hold for %s', async (_, blocks) => {
    await givenDelivery('k');
    expect(await broken(givenReviewed({ blocks }))).toEqual(['each of 2 blocks was visited once']);
  });

  test.each([
    ['no question', undefined, 'the answer is recorded once (never)'],
    ['no answer', [], 'the answer is recorded once (never)'],
    ['two answers', ['completed', 'failed'], 'the answer is recorded once (completed, failed)'],
  ])('expectations do not hold for %s', async (_, statuses, what) => {
    await givenDelivery('k');
    queue = statuses?.map((status) => ({ status }));
    expect(await broken(givenReviewed())).toEqual([what]);
  });

  test('expectations after a crash demand a second delivery, and that no block that had ended ran again', async () => {
    const crash = { ...plain, crash: true };
    await givenDelivery('k');
    expect(await broken(givenReviewed({}, [visit('group')]), crash)).toEqual([
      '1 delivery, 1 report stored: approved',
    ]);
    await givenDelivery('k');
    expect(await broken(givenReviewed({}, [visit('group')]), crash)).toEqual([]);
    const earlier = visit('group', { endedAt: '2025-12-31T00:00:00.000Z' });
    expect(await broken(givenReviewed({}, [earlier]), crash)).toEqual([
      'no block that had ended before a kill has run again, but: group',
    ]);
  });
});

describe('linesOfReport', () => {
  test('linesOfReport names the most frequent licences and counts the others', () => {
    const licences = Array.from({ length: 8 }, (_, i) => ({ licence: `L${i}`, packages: 9 - i }));
    const report: DeliveredReport = {
      run: 'exec_1',
      verdict: 'rejected',
      note: 'No.',
      total: 9,
      allowed: 9,
      licences,
      inQuestion: [],
    };
    expect(linesOfReport(report)).toEqual([
      'rejected: "No."',
      '9 L0, 8 L1, 7 L2, 6 L3, 5 L4, 4 L5 and 2 others',
    ]);
  });
});
