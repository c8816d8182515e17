import { ApplicationFailure } from '@temporalio/common';
import { WorkspaceShare } from './workspace-share.ts';

/** Work that ends when the test ends it. */
function held() {
  let end = (): void => undefined;
  const work = () => new Promise<string>((resolve) => (end = () => resolve('done')));
  return { work, end: () => end() };
}

describe('WorkspaceShare', () => {
  test('WorkspaceShare lets work of another workspace begin while a workspace has used all of its slots', async () => {
    const share = new WorkspaceShare(2);
    const slow = [held(), held()];
    const all = slow.map(({ work }) => share.runForWorkspace('ws_a', 1, work));
    expect(await share.runForWorkspace('ws_b', 1, async () => 'at once')).toBe('at once');
    for (const { end } of slow) end();
    expect(await Promise.all(all)).toEqual(['done', 'done']);
  });

  test('WorkspaceShare gives a slot that becomes free to a task that waits for it', async () => {
    const share = new WorkspaceShare(1);
    const slow = held();
    const first = share.runForWorkspace('ws_a', 1, slow.work);
    const second = share.runForWorkspace('ws_a', 1, async () => 'next');
    slow.end();
    expect(await Promise.all([first, second])).toEqual(['done', 'next']);
  });

  test('WorkspaceShare puts a task off when no slot becomes free, for longer with each attempt, and never exceeds the slots', async () => {
    const share = new WorkspaceShare(1);
    const slow = held();
    const first = share.runForWorkspace('ws_a', 1, slow.work);
    const attempts = [1, 2, 3, 4, 18].map((attempt) =>
      share.runForWorkspace('ws_a', attempt, async () => 'never').catch((error: unknown) => error),
    );
    const refusals = await Promise.all(attempts);
    for (const [n, refusal] of refusals.entries()) {
      expect(refusal).toBeInstanceOf(ApplicationFailure);
      // After the last attempt the workflow orders a new activity.
      expect(refusal).toMatchObject({ type: 'WORKSPACE_BUSY', nonRetryable: n === 4 });
      const delay = refusal instanceof ApplicationFailure ? Number(refusal.nextRetryDelay) : NaN;
      expect(delay).toBeGreaterThanOrEqual(500);
      expect(delay).toBeLessThan(n === 4 ? 10_000 : 500 * 2 ** (n + 1));
    }
    slow.end();
    expect(await first).toBe('done');
    expect(await share.runForWorkspace('ws_a', 1, async () => 'again')).toBe('again');
  });

  test('WorkspaceShare gives a slot to a run that waits for it a short time, and none when all stay taken', async () => {
    const share = new WorkspaceShare(1);
    const free = share.tryTake('ws_a');
    expect(await share.takeSoon('ws_a', 1)).toBeNull();
    const soon = share.takeSoon('ws_a', 60_000);
    free?.();
    const freeAgain = await soon;
    expect(freeAgain).not.toBeNull();
    expect(share.tryTake('ws_a')).toBeNull();
    freeAgain?.();
    expect(share.tryTake('ws_a')).not.toBeNull();
  });
});
