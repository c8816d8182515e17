import { setTimeout as pause } from 'node:timers/promises';

/** One line of the block log. */
export interface BlockVisit {
  blockId: string;
  name: string;
  type: string;
  status: string;
  startedAt: string;
  endedAt: string | null;
  duration: number | null;
  attempts: number;
  port: string | null;
}

export interface OpenQuestion {
  contextId: string;
  resumeLinks: { apiUrl: string; uiUrl: string };
  response: {
    displayData: { title: string; message: string; fields: { label: string; value: unknown }[] };
  } | null;
}

/** The members of an execution that the demo reads. */
export interface ShownExecution {
  executionId: string;
  jobId: string;
  status: string;
  error: string | null;
  paused: { pausePoints: OpenQuestion[] } | null;
  blocks: BlockVisit[];
  temporalUrl: string | null;
}

/** The members of an ended job that the demo reads. */
export interface StartedJob {
  status: string;
  output?: { summary: string };
  error?: string;
}

const outageMsMax = 90_000;
const retryDelayMs = 200;

/**
 * The API over HTTP, as any client would use it. An API that is away for less than 90 s is waited for, when the
 * request may be repeated: a GET, a PUT, or a POST with an Idempotency-Key.
 */
export class Client {
  constructor(
    readonly url: string,
    readonly key: string,
  ) {}

  getJson<T>(path: string): Promise<T> {
    return this.call<T>('GET', path, {});
  }

  putJson<T>(path: string, body: object): Promise<T> {
    return this.call<T>('PUT', path, { body: JSON.stringify(body) });
  }

  post<T>(path: string, body: object, idempotencyKey?: string): Promise<T> {
    const headers = new Headers(idempotencyKey ? { 'idempotency-key': idempotencyKey } : undefined);
    const init = { body: JSON.stringify(body), headers };
    return this.call<T>('POST', path, init);
  }

  /** Sends files. The same files a second time are the same documents, so the call may be repeated. */
  async upload<T>(path: string, body: FormData): Promise<T> {
    const init = { method: 'POST', body, headers: { 'x-api-key': this.key } };
    const { status, text } = await this.patiently(path, init, performance.now() + outageMsMax);
    if (status >= 300) throw new Error(`POST ${path} was answered with ${status}: ${text}`);
    return JSON.parse(text) as T;
  }

  private async call<T>(method: 'GET' | 'PUT' | 'POST', path: string, init: RequestInit): Promise<T> {
    const headers = new Headers(init.headers);
    const isRepeatable = method !== 'POST' || headers.has('idempotency-key');
    headers.set('content-type', 'application/json');
    headers.set('x-api-key', this.key);
    const deadline = performance.now() + (isRepeatable ? outageMsMax : 0);
    const { status, text } = await this.patiently(path, { ...init, method, headers }, deadline);
    if (status >= 300) throw new Error(`${method} ${path} was answered with ${status}: ${text}`);
    // The caller names the shape, which the published OpenAPI document promises.
    return JSON.parse(text) as T;
  }

  private async patiently(path: string, init: RequestInit, deadline: number) {
    for (;;) {
      try {
        const response = await fetch(this.url + path, init);
        const answer = { status: response.status, text: await response.text() };
        if (answer.status !== 503 || performance.now() > deadline) return answer;
      } catch (error) {
        if (performance.now() > deadline)
          throw new Error(`${this.url}${path} cannot be reached.`, { cause: error });
      }
      await pause(retryDelayMs);
    }
  }
}
