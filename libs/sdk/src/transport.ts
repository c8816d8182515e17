import { Call, PageCall } from './call.ts';
import type { Connection } from './connection.ts';
import type { Download } from './download.ts';
import { ConfigurationError, ConnectionError, UnreadableAnswerError } from './errors.ts';
import { EventStream, readEvents, type ServerEvent } from './events.ts';
import type { CallOptions } from './options.ts';
import { Page } from './page.ts';
import { delayBefore, joinSignals, wait } from './retries.ts';
import { Sender } from './sender.ts';
import type { Content, FileInput, UploadBody } from './uploads.ts';

/** One call: what the method of an operation knows of it. */
export interface ApiRequest {
  /** The name of the operation in the description of the API. */
  id: string;
  verb: string;
  path: string;
  params?: object;
  /** The parameters that stand in the address where the others are the body. */
  queryNames?: string[];
  body?: 'json' | 'files' | 'content';
  content?: Content;
  /** The type of a content for which the caller names none. */
  contentType?: string;
  workspaceIn?: 'query' | 'body';
  needsWorkspace?: boolean;
  idempotent?: boolean;
  valuePath?: string[];
  cursorPath?: string[];
  paging?: 'cursor' | 'offset' | 'single';
  accept?: string;
}

/** A call that is ready to be sent. */
export interface PreparedRequest {
  id: string;
  verb: string;
  url: string;
  headers: Record<string, string>;
  json?: string;
  upload?: UploadBody;
  isRepeatable: boolean;
}

/** Makes requests of calls and values of answers. */
export class Transport {
  readonly #sender: Sender;
  #onlyWorkspace: Promise<string> | undefined;

  constructor(readonly connection: Connection) {
    this.#sender = new Sender(connection);
  }

  /** Sends a call and reads one value from its JSON. */
  read<T>(request: ApiRequest, options: CallOptions): Call<T> {
    return new Call(this.send(request, options), async (response) =>
      valueAt<T>(await this.json(response, options), request.valuePath),
    );
  }

  /** Sends a call and gives the answer, its body unread. Rejects when the server refuses the call. */
  async send(request: ApiRequest, options: CallOptions): Promise<Response> {
    return this.#sender.send(await this.#prepare(request, options), options);
  }

  list<T, Body>(request: ApiRequest, options: CallOptions): PageCall<T, Body> {
    return new PageCall(this.send(request, options), async (response) =>
      this.#page<T, Body>(request, options, await this.json(response, options)),
    );
  }

  download(request: ApiRequest, options: CallOptions): Call<Download> {
    return new Call(this.send(request, options), async (response) => {
      // The code of uploads and downloads is loaded with the first of them, so that other web pages stay small.
      const loaded = await import('./download.ts');
      return new loaded.Download(response, this.#sender.guard(response, options));
    });
  }

  /** Follows server-sent events until the one named `done`, over as many connections as that takes. */
  follow<T>(request: ApiRequest, options: CallOptions): EventStream<T> {
    return new EventStream((lastId, signal) => this.#events<T>(request, options, lastId, signal));
  }

  /** The events of an answer that is open already. */
  async *readEvents<T>(response: Response, options: CallOptions): AsyncGenerator<ServerEvent<T>> {
    const stream = this.#sender.guard(response, options);
    for await (const { id, event, data } of readEvents(stream))
      yield { id, event, data: (await parseJson(data, response)) as T };
  }

  /** Reads the JSON of an answer. */
  async json<T>(response: Response, options: CallOptions): Promise<T> {
    return (await parseJson(await this.#sender.text(response, options), response)) as T;
  }

  async *#events<T>(
    request: ApiRequest,
    options: CallOptions,
    lastId: string | undefined,
    aborted: AbortSignal,
  ): AsyncGenerator<ServerEvent<T>> {
    const signal = joinSignals(aborted, options.signal);
    const maxRetries = options.maxRetries ?? this.connection.maxRetries;
    let seen = lastId;
    for (let failures = 0; ;) {
      const headers = { ...options.headers, ...(seen === undefined ? {} : { 'last-event-id': seen }) };
      let cause: unknown;
      try {
        const response = await this.send(
          { ...request, accept: 'text/event-stream' },
          { ...options, headers, signal },
        );
        for await (const event of this.readEvents<T>(response, { ...options, signal })) {
          failures = 0;
          seen = event.id ?? seen;
          yield event;
          if (event.event === 'done') return;
        }
      } catch (error) {
        if (!(error instanceof ConnectionError)) throw error;
        cause = error;
      }
      // Without a failure the server has closed the stream, as it does when it stops.
      const delay = delayBefore(failures, undefined) ?? 0;
      if (failures++ >= Math.max(maxRetries, 1))
        throw new ConnectionError('The stream broke again and again. Call it anew later.', { cause });
      await wait(delay, signal);
    }
  }

  #page<T, Body>(request: ApiRequest, options: CallOptions, body: Body): Page<T, Body> {
    const items = valueAt<T[]>(body, request.valuePath);
    const cursor = valueAt<string | null | undefined>(body, request.cursorPath) ?? undefined;
    const more = this.#nextParams(request, body, items.length, cursor);
    const next =
      more && (() => this.list<T, Body>({ ...request, params: { ...request.params, ...more } }, options));
    return new Page(items, body, request.cursorPath ? cursor : undefined, next && (async () => await next()));
  }

  #nextParams(
    { paging, cursorPath, params }: ApiRequest,
    body: unknown,
    count: number,
    cursor: string | undefined,
  ) {
    if (paging === 'cursor' && cursorPath && typeof cursor === 'string') return { cursor };
    const pagination = valueAt<{ hasMore?: boolean; offset?: number } | undefined>(body, [
      'data',
      'pagination',
    ]);
    // A page without items would be asked for again and again.
    if (paging !== 'offset' || pagination?.hasMore !== true || count === 0) return undefined;
    const { offset = 0 } = { ...params } as { offset?: number };
    return { offset: (pagination.offset ?? offset) + count };
  }

  /** Finds the one workspace that the key reaches, with a call of its own the first time. */
  #findOnlyWorkspace(): Promise<string> {
    const found = (this.#onlyWorkspace ??= this.#askForWorkspace());
    found.catch(() => (this.#onlyWorkspace = undefined));
    return found;
  }

  async #askForWorkspace(): Promise<string> {
    const request = { id: 'listWorkspaces', verb: 'GET', path: '/api/v1/workspaces', valuePath: ['data'] };
    const found = await this.read<{ id: string; name: string }[]>(request, {});
    const [only, ...others] = found;
    if (only && others.length === 0) return only.id;
    const names = found.map(({ id, name }) => `${id} (${name})`).join(', ');
    throw new ConfigurationError(
      `Name a workspace, by workspaceId of the call or of the client or by HOLDFAST_WORKSPACE_ID. The key reaches ${names || 'none'}.`,
    );
  }

  async #prepare(request: ApiRequest, options: CallOptions): Promise<PreparedRequest> {
    const { baseUrl, apiKey, workspaceId } = this.connection;
    const given: Record<string, unknown> = { ...request.params };
    if (request.workspaceIn && workspaceId !== undefined) given['workspaceId'] ??= workspaceId;
    if (request.needsWorkspace) given['workspaceId'] ??= await this.#findOnlyWorkspace();
    const { query, body } = splitParams(request, given);
    const headers: Record<string, string> = {
      accept: request.accept ?? 'application/json',
      ...this.connection.headers,
      ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
      ...lowerCase(options.headers),
    };
    if (options.ifMatch !== undefined) headers['if-match'] = options.ifMatch;
    const key = options.idempotencyKey ?? (request.idempotent ? `sdk-${crypto.randomUUID()}` : undefined);
    if (key !== undefined) headers['idempotency-key'] = key;
    const upload = await uploadOf(request, body);
    const json = request.body === 'json' || (request.body === 'files' && !upload);
    if (upload) headers['content-type'] = upload.contentType;
    else if (json) headers['content-type'] = 'application/json';
    return {
      id: request.id,
      verb: request.verb,
      url: `${baseUrl}${request.path}${query}`,
      headers,
      ...(json ? { json: JSON.stringify(body) } : {}),
      ...(upload ? { upload } : {}),
      isRepeatable:
        (request.verb === 'GET' || request.verb === 'PUT' || key !== undefined) &&
        upload?.isRepeatable !== false,
    };
  }
}

function splitParams({ queryNames, body }: ApiRequest, given: Record<string, unknown>) {
  const search = new URLSearchParams();
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const inQuery = body === undefined || queryNames?.includes(name) === true;
    if (!inQuery) rest[name] = value;
    else if (value !== null) search.set(name, typeof value === 'object' ? queryText(value) : String(value));
  }
  const query = search.toString();
  return { query: query ? `?${query}` : '', body: rest };
}

/** A list in an address has commas, anything else is JSON. */
function queryText(value: object): string {
  const isPlain = Array.isArray(value) && value.every((one) => typeof one !== 'object');
  return isPlain ? value.join(',') : JSON.stringify(value);
}

async function uploadOf(request: ApiRequest, body: Record<string, unknown>): Promise<UploadBody | undefined> {
  if (request.body === 'content') {
    const { contentBody } = await import('./uploads.ts');
    const { contentType = request.contentType } = body;
    return contentBody(request.content ?? '', String(contentType));
  }
  const { files, ...fields } = body as { files?: FileInput | FileInput[] };
  if (request.body !== 'files' || files === undefined) return undefined;
  const { formBody } = await import('./uploads.ts');
  return formBody(fields, Array.isArray(files) ? files : [files]);
}

async function parseJson(text: string, response: Response): Promise<unknown> {
  try {
    if (!/\d{16}/.test(text)) return JSON.parse(text);
    const { parseKeepingDigits } = await import('./download.ts');
    return parseKeepingDigits(text);
  } catch (cause) {
    const type = response.headers.get('content-type') ?? 'no content type';
    throw new UnreadableAnswerError(
      response.status,
      `The answer is no JSON (${type}). Check that ${new URL(response.url || 'http://unknown').origin} is the address of a Holdfast installation.`,
      { cause },
    );
  }
}

/** The value at a path of member names; undefined where a member is missing. */
function valueAt<T>(body: unknown, path: string[] = []): T {
  return path.reduce<unknown>((value, name) => Object(value)[name], body) as T;
}

function lowerCase(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
