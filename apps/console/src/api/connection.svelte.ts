/** The connection to the API, as the calls of this tab see it. */
class Connection {
  /** True from a call without an answer until the next answered call. */
  isAway = $state(false);
  /** Grows when the API is back: whatever is shown may be old then. */
  returns = $state(0);
  /** The person for whom this tab was opened: the API refuses calls once somebody else has signed in in the browser. */
  userId = '';
  /** True from a refusal because the sign-in is too old, until the person has signed in again. */
  asksAgain = $state(false);
  /** True from a refusal because the session has ended. */
  isSignedOut = $state(false);
  /** True from a refusal because somebody else has signed in in this browser: this tab shows the things of the first one. */
  isOfAnother = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Calls as the platform does, and notices whether anybody answers. */
  readonly fetch: typeof fetch = this.through((input, init) => globalThis.fetch(input, init));

  /** Another way to send is named and watched in the same way. */
  through(send: typeof fetch): typeof fetch {
    return (input, init) => this.#watch(send, input, init);
  }

  async #watch(send: typeof fetch, ...[input, init]: Parameters<typeof fetch>): Promise<Response> {
    try {
      const response = await send(input, this.#named(init));
      if (response.status === 403) void this.#look(response.clone());
      // A sign-in that fails ends no session.
      if (response.status === 401 && this.userId && !new URL(response.url).pathname.includes('/sign-in/'))
        this.isSignedOut = true;
      // A proxy answers with these statuses when no API is behind it.
      if (response.status === 502 || response.status === 504) this.#lose();
      else this.#find();
      return response;
    } catch (error) {
      if (!init?.signal?.aborted) this.#lose();
      throw error;
    }
  }

  #named(init: RequestInit = {}): RequestInit {
    const headers = new Headers(init.headers);
    if (headers.get('x-holdfast-user') === '') headers.delete('x-holdfast-user');
    else if (this.userId) headers.set('x-holdfast-user', this.userId);
    return { ...init, headers };
  }

  async #look(response: Response): Promise<void> {
    const { code } = (await response.json().catch(() => ({}))) as { code?: string };
    if (code === 'SIGN_IN_AGAIN') this.asksAgain = true;
    if (code === 'ANOTHER_USER') this.isOfAnother = true;
  }

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
