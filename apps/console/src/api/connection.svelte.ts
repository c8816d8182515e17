/** Whether the API answers, as the calls of this tab see it. */
class Connection {
  /** True from a call that found nobody until one that is answered. */
  isAway = $state(false);
  /** Grows when the API is back: whatever is shown may be old then. */
  returns = $state(0);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Calls as the platform does, and notices whether anybody answers. */
  readonly fetch: typeof fetch = async (input, init) => {
    try {
      const response = await globalThis.fetch(input, init);
      // What stands before the API says so when nobody is behind it.
      if (response.status === 502 || response.status === 504) this.#lose();
      else this.#find();
      return response;
    } catch (error) {
      if (!init?.signal?.aborted) this.#lose();
      throw error;
    }
  };

  #find(): void {
    if (!this.isAway) return;
    clearTimeout(this.#timer);
    this.isAway = false;
    this.returns += 1;
  }

  #lose(): void {
    if (this.isAway) return;
    this.isAway = true;
    this.#ask(1_000);
  }

  #ask(delay: number): void {
    this.#timer = setTimeout(() => void this.#askNow(delay), delay);
  }

  async #askNow(delay: number): Promise<void> {
    await this.fetch('/health/live').catch(() => undefined);
    if (this.isAway) this.#ask(Math.min(delay * 1.5, 10_000));
  }
}

export const connection = new Connection();
