import type { Placed, PlaceRequest } from './place.worker.ts';

/** Places one graph after the other in a worker: a thousand blocks take more than a second, and the page goes on meanwhile. */
export class Placing {
  /** The last graph that was placed. */
  placed = $state.raw<Placed>();
  error = $state.raw<unknown>();
  readonly #worker = new Worker(new URL('./place.worker.ts', import.meta.url), { type: 'module' });
  #isBusy = false;
  #next: PlaceRequest | undefined;

  constructor() {
    this.#worker.addEventListener('message', ({ data }: MessageEvent<Placed>) => {
      this.placed = data;
      this.error = undefined;
      this.#goOn();
    });
    this.#worker.addEventListener('error', ({ message }) => {
      this.error = new Error(message);
      this.#goOn();
    });
  }

  /**
   * Asks for the layout of a graph. Only the last waiting graph is placed, because a person who types changes it
   * quickly.
   */
  ask(request: PlaceRequest): void {
    this.#next = request;
    if (!this.#isBusy) this.#goOn();
  }

  end(): void {
    this.#worker.terminate();
  }

  #goOn(): void {
    const next = this.#next;
    this.#next = undefined;
    this.#isBusy = next !== undefined;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    if (next) this.#worker.postMessage(next);
  }
}
