/** The connection to the API, as the calls of this tab see it. */
class ApiConnection {
  /** True from a call without an answer until the next answered call. */
  isAway = $state(false);
  /** Grows when the API is back: whatever is shown may be old then. */
  returns = $state(0);
  /** The person for whom this tab was opened: the API refuses calls once somebody else has signed in in the browser. */
  userId = '';
  /** True from a refusal because the sign-in is too old, until the person has signed in again or turns it down. */
  asksAgain = $state(false);
  /** True from a refusal because the session has ended. */
  isSignedOut = $state(false);
  /** True from a refusal because somebody else has signed in in this browser: this tab shows the things of the first one. */
  isOfAnother = $state(false);
  #answers: ((isSignedIn: boolean) => void)[] = [];
  /** Grows with each answered call of a sign-in, because a sign-in ends the session before it. */
  #signIns = 0;
  #signIn: Promise<unknown> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Calls as the platform does, and notices whether anybody answers. */
  readonly fetch: typeof fetch = this.through((input, init) => globalThis.fetch(input, init));

  /** Another way to send is named and watched in the same way. */
  through(send: typeof fetch): typeof fetch {
    return (input, init) => this.#watch(send, input, init);
  }

  /** Asks the person to sign in again. Resolves to true after that, and to false when the person turns it down. */
  askAgain(): Promise<boolean> {
    this.asksAgain = true;
    return new Promise((resolve) => this.#answers.push(resolve));
  }

  answerAgain(isSignedIn: boolean): void {
    this.asksAgain = false;
    for (const answer of this.#answers.splice(0)) answer(isSignedIn);
  }

  async #watch(send: typeof fetch, ...[input, init]: Parameters<typeof fetch>): Promise<Response> {
    // A call that the question itself makes does not wait for its answer.
    const isAsking = this.asksAgain;
    const isSignIn = String(input instanceof Request ? input.url : input).includes('/sign-in/');
    const sendAgain = () => send(input, this.#named({ ...init, signal: null }));
    const signIns = this.#signIns;
    try {
      const sending = send(input, this.#named(init));
      if (isSignIn) this.#signIn = sending.finally(() => (this.#signIns += 1)).catch(() => undefined);
      const response = await sending;
      if (response.status === 403) return await this.#refused(response, isAsking, sendAgain);
      // A sign-in that fails ends no session.
      if (response.status === 401 && this.userId && !isSignIn) {
        await this.#signIn;
        // The call went with a session that a sign-in of this tab has replaced.
        if (this.#signIns !== signIns) return await this.#watch(send, input, init);
        this.isSignedOut = true;
      }
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

  /** A call whose sign-in is too old waits until the person has signed in again, and is sent once more. So no page shows its refusal. */
  async #refused(response: Response, isAsking: boolean, again: () => Promise<Response>): Promise<Response> {
    const text = await response.text();
    if (text.includes('"ANOTHER_USER"')) this.isOfAnother = true;
    if (text.includes('"SIGN_IN_AGAIN"') && !isAsking && (await this.askAgain())) return again();
    const { status, headers } = response;
    return new Response(text, { status, headers });
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

export const connection = new ApiConnection();
