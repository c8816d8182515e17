import type { Page } from './page.ts';

/** The value of a call, and the answer that held it. */
export interface WithResponse<T> {
  data: T;
  response: Response;
  /** Names the request in the server's log. */
  requestId: string | undefined;
}

/**
 * A call that was sent. Awaiting it gives its value; `withResponse()` gives status and headers too, `asResponse()` gives
 * the answer before its body is read.
 */
export class Call<T> extends Promise<T> {
  // A promise that `then` makes is a plain one.
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  readonly #response: Promise<Response>;
  readonly #read: (response: Response) => Promise<T>;
  #value: Promise<T> | undefined;

  constructor(response: Promise<Response>, read: (response: Response) => Promise<T>) {
    // The value is read when somebody asks for it, so this promise of the base class is never used.
    super(() => {});
    this.#response = response;
    this.#read = read;
  }

  asResponse(): Promise<Response> {
    return this.#response;
  }

  async withResponse(): Promise<WithResponse<T>> {
    const [response, data] = await Promise.all([this.#response, this.#valueOnce()]);
    return { data, response, requestId: response.headers.get('x-request-id') ?? undefined };
  }

  // oxlint-disable-next-line unicorn/no-thenable -- a call is a promise whose value is read late
  override then<A = T, B = never>(
    onValue?: ((value: T) => A | PromiseLike<A>) | null,
    onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#valueOnce().then(onValue, onError);
  }

  override catch<B = never>(onError?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.#valueOnce().catch(onError);
  }

  override finally(onEnd?: (() => void) | null): Promise<T> {
    return this.#valueOnce().finally(onEnd);
  }

  #valueOnce(): Promise<T> {
    this.#value ??= this.#response.then((response) => this.#read(response));
    return this.#value;
  }
}

/** A call of a list. Awaiting it gives the first page; `for await` gives every item of every page. */
export class PageCall<T, Body> extends Call<Page<T, Body>> implements AsyncIterable<T> {
  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    yield* await this;
  }

  /** The items of every page, at most `limit` of them. */
  async toArray(limit?: number): Promise<T[]> {
    const page = await this;
    return page.toArray(limit);
  }
}
