import { disposableSandbox } from '#libs/platform/sandbox/support/given';
import type { EffectContext } from '../effects/effect-handler.ts';
import { NoSlot } from '../effects/workspace-share.ts';
import { FunctionHandler } from './function.ts';

/** What the handler reads of its context. */
const context = (workspaceId: string, code: string, signal: AbortSignal) =>
  ({
    params: { code },
    effect: { timeoutMs: 60_000 },
    run: { workspaceId },
    signal,
  }) as EffectContext<'function'>;

test('a function that finds no place in the sandbox is put off, and does not fail', async () => {
  const stop = new AbortController();
  await using sandbox = disposableSandbox({ warm: 0, concurrency: 1, waitMs: 50 });
  const handler = new FunctionHandler(sandbox);
  const held = handler.execute(context('ws_hostile', 'for (;;);', stop.signal)).catch(() => 'ended');
  const honest = context('ws_honest', 'return 1', AbortSignal.timeout(60_000));
  await expect(handler.execute(honest)).rejects.toThrow(NoSlot);
  stop.abort();
  expect(await held).toBe('ended');
  expect(await handler.execute(honest)).toBe(1);
});
