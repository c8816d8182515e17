import { ReportReceiver } from './receiver.ts';

let receiver: ReportReceiver;

beforeEach(async () => {
  receiver = await ReportReceiver.start();
});

afterEach(() => receiver.stop());

async function deliver(body: object, key?: string): Promise<[number, unknown]> {
  const headers = new Headers(key === undefined ? undefined : { 'idempotency-key': key });
  const response = await fetch(receiver.url, { method: 'POST', headers, body: JSON.stringify(body) });
  return [response.status, await response.json()];
}

describe('Receiver', () => {
  test('Receiver stores a report once, however often it is delivered', async () => {
    expect(await deliver({ run: 'a' }, 'k')).toEqual([201, { id: 'report-1' }]);
    expect(await deliver({ run: 'a' }, 'k')).toEqual([200, { id: 'report-1' }]);
    expect(await deliver({ run: 'b' }, 'other')).toEqual([201, { id: 'report-2' }]);
    expect([receiver.deliveries, receiver.reports]).toEqual([3, [{ run: 'a' }, { run: 'b' }]]);
  });

  test('Receiver refuses another report under a key that is taken, and one without a key', async () => {
    await deliver({ run: 'a' }, 'k');
    expect(await deliver({ run: 'b' }, 'k')).toEqual([
      422,
      { error: 'Another report has this Idempotency-Key.' },
    ]);
    expect(await deliver({ run: 'b' })).toEqual([400, { error: 'An Idempotency-Key is required.' }]);
    expect(receiver.reports).toEqual([{ run: 'a' }]);
  });

  test('Receiver stores a report before it answers, also when the sender goes away', async () => {
    const release = receiver.holdAnswers();
    const sender = new AbortController();
    const headers = { 'idempotency-key': 'k' };
    const lost = fetch(receiver.url, { method: 'POST', headers, body: '{"run":"a"}', signal: sender.signal });
    while (receiver.deliveries === 0) await new Promise((resolve) => setImmediate(resolve));
    sender.abort();
    await expect(lost).rejects.toThrow('aborted');
    release();

    expect(await deliver({ run: 'a' }, 'k')).toEqual([200, { id: 'report-1' }]);
    expect(receiver.reports).toEqual([{ run: 'a' }]);
  });
});
