import type { RemoteEmbedderSettings } from '#libs/platform/settings/embedder';
import { setTimeout as pause } from 'node:timers/promises';
import { Egress, EgressFailed, EgressRefused, type EgressResponse } from '#libs/platform/egress/egress';
import { retryAfterMs } from '#libs/platform/egress/headers';
import { foreignText } from '#libs/platform/text/foreign-text';
import { appendPath } from '#libs/platform/text/query-text';
import type { Embeddable, Embedder } from './embedder.ts';
import { EmbeddingRefused } from './embedding-refused.ts';
import { buildWindows } from './windows.ts';

const textsPerCall = 64;
const charactersPerCall = 64_000;
const callsAtOnce = 4;
const attemptsMax = 5;
const timeoutMs = 60_000;
const responseBytesMax = 64 * 1024 * 1024;
const waitMsMax = 30_000;
const firstWaitMs = 500;

/** Embeds texts by a server with the embeddings API of OpenAI: OpenAI, Azure, Ollama, vLLM, text-embeddings-inference and others. */
export class RemoteEmbedder implements Embedder {
  readonly model: string;
  readonly dimension: number;
  private readonly egress: Egress;

  constructor(private readonly settings: RemoteEmbedderSettings) {
    this.model = settings.model;
    this.dimension = settings.dimension;
    this.egress = new Egress({ allow: settings.egressAllow ?? [] });
  }

  /** An estimate, a little high for English. The tokenizer of the server is not known here. */
  countTokens(text: string): number {
    let count = 0;
    for (const [word] of text.matchAll(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu))
      count += /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(word)
        ? word.length
        : Math.ceil(word.length / 5);
    return count;
  }

  windows(chunk: Embeddable): string[] {
    return buildWindows(chunk, this.settings.textTokensMax ?? 4500, (text) => this.countTokens(text));
  }

  async embedDocuments(texts: string[], signal?: AbortSignal): Promise<Float32Array[]> {
    const { passagePrefix = '' } = this.settings;
    const batches = toBatches(texts.map((text) => passagePrefix + text));
    const vectors: Float32Array[][] = [];
    let next = 0;
    const lane = async () => {
      while (next < batches.length) {
        const at = next++;
        vectors[at] = await this.embed(batches[at] ?? [], signal);
      }
    };
    await Promise.all(Array.from({ length: callsAtOnce }, lane));
    return vectors.flat();
  }

  async embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array> {
    const [vector] = await this.embed([(this.settings.queryPrefix ?? '') + text], signal);
    if (!vector) throw new EmbeddingRefused('The embedding server gave no vector.');
    return vector;
  }

  async close(): Promise<void> {
    await this.egress.close();
  }

  private async embed(texts: string[], signal?: AbortSignal): Promise<Float32Array[]> {
    // Servers refuse empty texts, so a full stop replaces them.
    const input = texts.map((text) => (text.trim() === '' ? '.' : text));
    const response = await this.call(
      JSON.stringify({ model: this.model, input, encoding_format: 'float' }),
      signal,
    );
    return parseVectors(response.body, texts.length, this.dimension);
  }

  /** Retries after a 429, a 408, a 5xx or a lost connection. The delay comes from Retry-After, or else grows with each attempt. */
  private async call(body: string, signal?: AbortSignal): Promise<EgressResponse> {
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.attempt(body, signal);
      if ('status' in outcome && outcome.status < 300) return outcome;
      const isLast = attempt === attemptsMax || !mayPass(outcome);
      if (isLast) throw 'status' in outcome ? toRefusal(outcome) : outcome;
      await pause(getWait(outcome, attempt), undefined, { signal });
    }
  }

  private async attempt(body: string, signal?: AbortSignal): Promise<EgressResponse | EgressFailed> {
    const { apiKey, baseUrl } = this.settings;
    const headers = {
      'content-type': 'application/json',
      ...(apiKey && { authorization: `Bearer ${apiKey}` }),
    };
    const url = appendPath(baseUrl, '/embeddings');
    const call = { method: 'POST', url, headers, body, timeoutMs, responseBytesMax, redirectsMax: 0, signal };
    try {
      return await this.egress.request(call);
    } catch (error) {
      if (error instanceof EgressFailed) return error;
      if (error instanceof EgressRefused)
        throw new EmbeddingRefused(`The embedding server is not called: ${error.message}`);
      throw error;
    }
  }
}

/** The texts in batches for one call each, in order. */
function toBatches(texts: string[]): string[][] {
  const batches: string[][] = [];
  let characters = 0;
  for (const text of texts) {
    const last = batches.at(-1);
    characters += text.length;
    if (last && last.length < textsPerCall && characters <= charactersPerCall) last.push(text);
    else {
      batches.push([text]);
      characters = text.length;
    }
  }
  return batches;
}

/** True when a retry may succeed. A server also answers 429 for a used-up quota, for which a retry does not help. */
function mayPass(outcome: EgressResponse | EgressFailed): boolean {
  if (!('status' in outcome)) return outcome.code !== 'RESPONSE_TOO_LARGE';
  if (outcome.status === 429) return !excerpt(outcome.body).includes('insufficient_quota');
  return outcome.status >= 500 || outcome.status === 408;
}

function getWait(outcome: EgressResponse | EgressFailed, attempt: number): number {
  const requestedMs = 'status' in outcome ? retryAfterMs(outcome.headers, waitMsMax) : undefined;
  const own = firstWaitMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
  return requestedMs ?? Math.min(waitMsMax, own);
}

function toRefusal(response: EgressResponse): EmbeddingRefused {
  const { status, body } = response;
  return new EmbeddingRefused(`The embedding server answered ${status}: ${excerpt(body)}`, mayPass(response));
}

function excerpt(body: Uint8Array): string {
  return foreignText(body.subarray(0, 500)).replace(/\s+/g, ' ');
}

interface EmbeddingAnswer {
  data?: { index?: number; embedding?: number[] }[];
}

/** The vectors in the order of the texts, each of length 1. */
function parseVectors(body: Uint8Array, count: number, dimension: number): Float32Array[] {
  const answer = parseAnswer(body);
  const vectors: Float32Array[] = [];
  for (const [place, { index = place, embedding }] of (answer.data ?? []).entries()) {
    if (embedding?.length !== dimension)
      throw new EmbeddingRefused(
        `The embedding server gave a vector of dimension ${embedding?.length ?? 0}; ${dimension} is configured.`,
      );
    vectors[index] = unit(embedding);
  }
  const got = Object.keys(vectors).length;
  if (got === count && vectors.length === count) return vectors;
  throw new EmbeddingRefused(`The embedding server gave ${got} vectors for ${count} texts.`);
}

function parseAnswer(body: Uint8Array): EmbeddingAnswer {
  try {
    return Object(JSON.parse(foreignText(body))) as EmbeddingAnswer;
  } catch {
    throw new EmbeddingRefused(`The embedding server gave no JSON: ${excerpt(body)}`);
  }
}

function unit(values: number[]): Float32Array {
  const length = Math.hypot(...values);
  if (!Number.isFinite(length) || length === 0)
    throw new EmbeddingRefused('The embedding server gave a vector without a direction.');
  return Float32Array.from(values, (value) => value / length);
}
