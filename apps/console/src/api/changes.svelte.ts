import { NotFoundError, transport } from './client.ts';

/** Lists are read anew at most this often, however much happens. */
const quietMs = 1_000;
/** The polling interval when the API has no stream of events. */
const pollMs = 3_000;
const retryMs = 2_000;

/** One stream of events for each tab. Live views read `count`, and read their data again when it grows. */
class Changes {
  count = $state(0);
  #ended = new AbortController();
  #isDue = false;

  /** Follows the changes of a workspace, and stops following the former workspace. */
  follow(workspaceId: string): () => void {
    this.#ended.abort();
    const ended = (this.#ended = new AbortController());
    void this.#run(workspaceId, ended.signal);
    return () => ended.abort();
  }

  async #run(workspaceId: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const events = transport.follow(
          { id: 'followEvents', verb: 'GET', path: '/api/v1/events', params: { workspaceId } },
          { signal, maxRetries: 0 },
        );
        for await (const _ of events) this.#tell();
      } catch (error) {
        if (error instanceof NotFoundError) return this.#poll(signal);
      }
      await pause(retryMs, signal);
      // The stream does not repeat changes from before it was opened.
      this.#tell();
    }
  }

  async #poll(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pause(pollMs, signal);
      if (!document.hidden && !signal.aborted) this.count += 1;
    }
  }

  #tell(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setTimeout(() => {
      this.#isDue = false;
      this.count += 1;
    }, quietMs);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

export const changes = new Changes();
