import { Injectable } from '@nestjs/common';
import { CompletionNotifier, type FirstRead } from '#libs/platform/database/completion-notifier';
import { Database } from '#libs/platform/database/database';

/**
 * Waits for executions to settle. Most settle in the process that waits. Other processes are notified only when the
 * row says that a caller waits.
 */
@Injectable()
export class ExecutionWaiters {
  constructor(
    private readonly database: Database,
    private readonly notifier: CompletionNotifier,
  ) {}

  /** True when this process stops: waits end soon, and no new one should begin. */
  get closing(): boolean {
    return this.notifier.closing;
  }

  /** As `CompletionNotifier.waitFor`, for the execution. */
  waitForExecution<T>(
    executionId: string,
    read: () => Promise<T | null>,
    waitMs: number,
    firstRead: FirstRead = 'at-once',
  ): Promise<T | null> {
    const mark = (seconds: number) => this.database.systemUnflushed(markAwaited, [executionId, seconds]);
    return this.notifier.waitFor(executionId, read, waitMs, { firstRead, mark });
  }
}

const markAwaited = /* sql */ `
update executions set awaited_until = greatest(awaited_until, now() + make_interval(secs => $2))
where id = $1 and status in ('queued', 'running', 'paused')`;
