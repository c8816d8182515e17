import { setTimeout as pause } from 'node:timers/promises';
import type { Schemas } from '#libs/sdk/src/holdfast';
import type { CommandSession } from './session.ts';
import { safeText } from './terminal.ts';

type LoggedBlock = Schemas['LogBlockView'];
const everyMs = 250;
const marks: Record<string, string> = { completed: '✓', failed: '✗', cancelled: '✗', skipped: '-' };
const ended = new Set(['completed', 'failed', 'cancelled', 'skipped']);

/** Tells each block of an execution as it ends, a line each, on standard error. */
export class VisitProgress {
  readonly #shown = new Set<string>();
  #cursor: string | undefined;

  constructor(
    private readonly session: CommandSession,
    private readonly executionId: string,
  ) {}

  /** Polls until the signal aborts. Visits that it cannot read are shown by the next poll, or by `finish`. */
  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#look(signal).catch(() => {});
      await pause(everyMs, undefined, { signal }).catch(() => {});
    }
  }

  /** Tells the blocks that have ended by now. */
  async finish(): Promise<void> {
    await this.#look().catch(() => {});
    this.session.terminal.progress('');
  }

  async #look(signal?: AbortSignal): Promise<void> {
    const { client, terminal } = this.session;
    for (;;) {
      const page = await client.executions.getTimeline(
        this.executionId,
        { limit: 100, ...(this.#cursor ? { cursor: this.#cursor } : {}) },
        signal ? { signal } : {},
      );
      for (const visit of page.data.visits) this.#tell(visit);
      const working = page.data.visits.filter(({ status }) => !ended.has(status)).map(({ name }) => name);
      terminal.progress(working.length > 0 ? `… ${safeText(working.join(', '))}` : '');
      // A page with a visit that is still at work is read again.
      if (!page.nextCursor || working.length > 0) return;
      this.#cursor = page.nextCursor;
    }
  }

  #tell({ path, name, type, status, duration, attempts, failure }: LoggedBlock): void {
    if (!ended.has(status) || this.#shown.has(path)) return;
    this.#shown.add(path);
    const { terminal } = this.session;
    const colour = status === 'completed' ? 'green' : status === 'skipped' ? 'gray' : 'red';
    const tries = attempts > 1 ? `, ${attempts} attempts` : '';
    const time = duration === null ? '' : ` ${duration} ms`;
    const why = failure ? ` ${Object(failure).message ?? ''}` : '';
    terminal.err(
      `${terminal.paint(colour, marks[status] ?? '?')} ${safeText(`${name} (${type})${time}${tries}${why}`)}\n`,
    );
  }
}
