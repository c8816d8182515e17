import type { OpenapiExample, Examples } from '../../src/openapi-examples.ts';
import { findOperation } from './contract.ts';
import type { Answer, Stack } from './stack.ts';

/** Makes calls for the tests, and keeps the first call of each operation and status as an example. */
export class ExampleRecorder {
  private readonly operations: Record<string, OpenapiExample> = {};
  private readonly refusals: Record<string, unknown> = {};

  constructor(private readonly stack: Stack) {}

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer> {
    const answer = await this.stack.call(method, path, body, headers);
    const match = findOperation(method, path);
    if (!match) throw new Error(`No operation is ${method} ${path}.`);
    // The schema of the request cannot describe a multipart body.
    const isParts = headers?.['content-type']?.startsWith('multipart/') === true;
    if (answer.status < 300) this.keep(match, isParts ? undefined : body, answer);
    else this.refusals[answer.status] ??= answer.body;
    return answer;
  }

  /** All kept examples. They are the same in every run. */
  get examples(): Examples {
    return settled({ operations: this.operations, refusals: this.refusals });
  }

  private keep(
    { operation, parameters }: NonNullable<ReturnType<typeof findOperation>>,
    request: unknown,
    { status, body }: Answer,
  ): void {
    const example = (this.operations[operation.operationId] ??= {
      ...(Object.keys(parameters).length > 0 ? { parameters } : {}),
      ...(request === undefined ? {} : { request }),
      responses: {},
    });
    example.responses[status] ??= body;
  }
}

/** By member name: times that follow each other. Every other time becomes the last one. */
const moments: Record<string, string> = {
  createdAt: '09:00:00.000',
  updatedAt: '09:00:00.000',
  startedAt: '09:00:00.015',
  startTime: '09:00:00.015',
  registeredAt: '09:00:00.040',
  pausedAt: '09:00:00.040',
  endedAt: '09:00:00.120',
  completedAt: '09:00:00.120',
  endTime: '09:00:00.120',
};

/** Replaces everything in the examples that differs between runs: ids, times, places, keys and tokens. */
function settled(examples: Examples): Examples {
  const seen = new Map<string, string>();
  const idOf = (prefix: string, rest: string) => {
    const number = seen.get(rest) ?? String(seen.size + 1).padStart(12, '0');
    seen.set(rest, number);
    return `${prefix}_01957c6a8e0070008000${number}`.padEnd(prefix.length + 1 + rest.length, '0');
  };
  const text = JSON.stringify(examples)
    .replaceAll(/\b([a-z]{2,6})_([0-9a-f]{48}|[0-9a-f]{32})\b/g, (_, prefix, rest) => idOf(prefix, rest))
    .replaceAll(
      /(?:(\w+)(\\*":\\*"))?\d{4}-\d\d-\d\dT[\d:.]+Z/g,
      (_, name = '', between = '') => `${name}${between}${momentOf(name)}`,
    )
    // The worker may or may not have sent the mail by then.
    .replaceAll(/"event":"(?:to be|not) told"/g, '"event":"told"')
    .replaceAll('opened (SMTP_URL is not set)', 'opened')
    // A passkey and its browser choose these values at random.
    .replaceAll(
      /"(challenge|rawId|clientDataJSON|attestationObject|authenticatorData|signature)":"[\w-]+"/g,
      '"$1":"Base64urlOfTheBrowser"',
    )
    .replaceAll(/"id":"(?![a-z]+_[0-9a-f]{20})[\w-]{20,}"/g, '"id":"Base64urlOfTheBrowser"')
    .replaceAll(/http:\/\/localhost:\d+/g, 'https://holdfast.example')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'https://shop.example')
    .replaceAll(/whsec_[\w+/]{43}=/g, `whsec_${'Example'.repeat(6)}E=`)
    .replaceAll(
      /sk-holdfast-(\w)[0-9A-Za-z]{30,}/g,
      'sk-holdfast-$1ExampleExampleExampleExampleExampleExample',
    )
    .replaceAll(/("token":")[\w-]{43}/g, '$1an-example-of-an-invitations-token-43-long-x-')
    .replaceAll(/(\/hooks\/)[\w-]{43}/g, '$1an-example-of-a-triggers-token-43-letters-long')
    .replaceAll(/("hint":")[^"]+/g, '$1sk-holdfast-…mple')
    .replaceAll(/("hash":")[0-9a-f]{64}/g, `$1${'5f'.repeat(32)}`)
    .replaceAll(/("ipAddress":")[^"]+/g, '$1192.0.2.7')
    .replaceAll(/token=\d+\.[\w-]+/g, 'token=1767258000.c2lnbmF0dXJlIG9mIHRoaXMgbGluaw')
    .replaceAll(/("(?:nextCursor|changeToken)":")[^"]+/g, '$1eyJhdCI6IjIwMjYtMDEtMDIiLCJpZCI6IndmXzEifQ.bWFj')
    .replaceAll(/(\\*"(?:duration|durationMs|totalDurationMs)\\*":)\d+/g, '$1105')
    .replaceAll(/(\\*"remaining\\*":)\d+/g, '$123999')
    .replaceAll(/id: (\d)\.[^\\]+/g, 'id: $1.nT3oW5yGmJq0XkEv');
  return JSON.parse(text) as Examples;
}

function momentOf(member: string): string {
  return `2026-01-02T${moments[member] ?? '09:00:01.000'}Z`;
}
