import { untrack } from 'svelte';
import { changes } from './changes.svelte.ts';
import { connection } from './connection.svelte.ts';

/**
 * A value that a page shows. It is read when the inputs of its call change, after a change event, and when the API is
 * back.
 */
export class Reading<T> {
  value = $state.raw<T>();
  error = $state.raw<unknown>();
  isBusy = $state(true);
  #rereads = $state(0);

  /** `read` touches its dependencies before its first await. With `isLive` false only `again` reads again. */
  constructor(read: (signal: AbortSignal) => Promise<T> | undefined, { isLive = true } = {}) {
    $effect(() => {
      void this.#rereads;
      void connection.returns;
      if (isLive) void changes.count;
      const ended = new AbortController();
      const begun = read(ended.signal);
      untrack(() => void this.#take(begun, ended.signal));
      return () => ended.abort();
    });
  }

  again(): void {
    // An effect that calls this does not depend on it.
    untrack(() => (this.#rereads += 1));
  }

  async #take(begun: Promise<T> | undefined, signal: AbortSignal): Promise<void> {
    this.isBusy = true;
    try {
      const value = await begun;
      if (signal.aborted) return;
      this.value = value;
      this.error = undefined;
    } catch (error) {
      // A page goes on to show its data. The frame above says that the API is away.
      if (!signal.aborted) this.error = error;
    }
    if (!signal.aborted) this.isBusy = false;
  }
}
