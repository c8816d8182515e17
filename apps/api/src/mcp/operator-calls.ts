import type { Readable } from 'node:stream';
import { parseKeepingDigits } from '#libs/platform/json/kept-digits';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyRequest, InjectOptions } from 'fastify';
import type { Caller } from '#libs/workspace/auth/caller';
import { isObject, type Json, type JsonObject } from '#libs/platform/json/json';
import { type Detail, Invalid, Unauthenticated } from '#libs/platform/errors/errors';
import { Limits } from '#libs/workspace/limits/limits';
import { cutText } from '#libs/platform/text/whole-text';
import { innerCaller } from '../http/request-callers.ts';
import { type ApiOperationInfo, ApiOperations } from './operations.ts';
import { outputBytesMax } from './tool-results.ts';

/** The arguments by which a tool of the operators' server calls an operation. */
export interface OperationCall {
  operationId: string;
  parameters: JsonObject;
  body: Json | undefined;
}

const verbs = { GET: 'GET', POST: 'POST', PUT: 'PUT', PATCH: 'PATCH', DELETE: 'DELETE' } as const;
const isVerb = (method: string): method is keyof typeof verbs => method in verbs;

/** Makes calls of this API for an agent, through the same guards as every call. The calls do not carry the agent's key. */
@Injectable()
export class OperatorCalls {
  constructor(
    private readonly operations: ApiOperations,
    private readonly host: HttpAdapterHost,
    private readonly limits: Limits,
  ) {}

  /**
   * Returns the status and the start of the body; the rest is not read. With `reads` only an operation that changes
   * nothing is called. The call ends when the signal is aborted.
   */
  async runOperation(
    { caller, ip }: FastifyRequest,
    call: OperationCall,
    { reads, signal }: { reads: boolean; signal: AbortSignal },
  ): Promise<CallToolResult> {
    if (!caller) throw new Unauthenticated();
    const options = await this.requestFor(caller, call, reads);
    const server: FastifyInstance = this.host.httpAdapter.getInstance();
    // The request begins at the await, so the await must be inside.
    const answer = await innerCaller.run(caller, async () => {
      const response = await server.inject({ ...options, remoteAddress: ip, payloadAsStream: true, signal });
      return response;
    });
    try {
      const { bytes, isCut } = await readStart(answer.stream());
      return toResult(answer.statusCode, answer.headers['content-type'] ?? '', bytes, isCut);
    } finally {
      // Ends the handler's remaining output.
      answer.raw.res.destroy();
    }
  }

  /** The operation pays for itself. A call that reaches no operation costs a token, like every refused call. */
  private async requestFor(caller: Caller, call: OperationCall, reads: boolean): Promise<InjectOptions> {
    try {
      const operation = this.operations.get(call.operationId);
      requireTool(operation, reads);
      return buildRequest(operation, call);
    } catch (error) {
      await this.limits.takeTokens(caller.payer, 'api');
      throw error;
    }
  }
}

function requireTool(operation: ApiOperationInfo, reads: boolean): void {
  const rule = operation.streams
    ? 'must not be called by a tool: it answers with events without end'
    : operation.isForPeople
      ? 'must not be called by a tool: it changes permissions or shows a secret; a person does it in the console'
      : reads
        ? 'must be called by the tool write: it changes something'
        : 'must be called by the tool read: it changes nothing';
  if (operation.streams || operation.isForPeople || operation.reads !== reads)
    throw Invalid.field('operationId', rule, 'tool');
}

/** The start of an answer, up to the limit for a tool. */
async function readStart(answer: Readable): Promise<{ bytes: Buffer; isCut: boolean }> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    parts.push(part);
    size += part.length;
    if (size > outputBytesMax) break;
  }
  return { bytes: Buffer.concat(parts).subarray(0, outputBytesMax), isCut: size > outputBytesMax };
}

/** The request for the operation. Throws for a parameter that is missing, unknown, or no simple value. */
export function buildRequest(
  operation: ApiOperationInfo,
  { parameters, body }: OperationCall,
): InjectOptions {
  const details = findFaults(operation, parameters);
  if (body !== undefined && operation.body === null)
    details.push({ path: 'body', message: 'is not taken by this operation', code: 'unknown_key' });
  if (details.length > 0) throw new Invalid(details);
  const values = operation.parameters.flatMap((one) => {
    const value = parameters[one.name];
    return value === undefined ? [] : [{ ...one, value: String(value) }];
  });
  const path = values.reduce(
    (url, { name, in: place, value }) =>
      place === 'path' ? url.replace(`{${name}}`, () => encodeURIComponent(value)) : url,
    operation.path,
  );
  const query = values
    .filter((one) => one.in === 'query')
    .map(({ name, value }): [string, string] => [name, value]);
  const headers = values
    .filter((one) => one.in === 'header')
    .map(({ name, value }) => [name.toLowerCase(), value]);
  const { method } = operation;
  if (!isVerb(method)) throw Invalid.field('operationId', 'cannot be called by this tool', 'tool');
  return {
    method,
    url: query.length > 0 ? `${path}?${new URLSearchParams(query).toString()}` : path,
    headers: {
      ...Object.fromEntries(headers),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  };
}

function findFaults(operation: ApiOperationInfo, parameters: JsonObject): Detail[] {
  const path = (name: string) => `parameters.${cutText(name, 100)}`;
  const names = operation.parameters.map(({ name }) => name);
  const missing = operation.parameters.filter(
    ({ name, required }) => required && parameters[name] === undefined,
  );
  const others = Object.keys(parameters).filter((name) => !names.includes(name));
  const deep = Object.entries(parameters).filter(
    ([, value]) => value === null || typeof value === 'object' || value === '',
  );
  const upwards = operation.parameters.filter(
    ({ name, in: place }) => place === 'path' && /^\.\.?$/.test(String(parameters[name])),
  );
  const list = names.length > 0 ? `it has ${names.join(', ')}` : 'it has none';
  return [
    ...missing.map(({ name }) => ({ path: path(name), message: 'is required', code: 'required' })),
    ...others.map((name) => ({
      path: path(name),
      message: `is not a parameter of this operation; ${list}`,
      code: 'unknown_key',
    })),
    // Dots would lead to the path of another operation.
    ...upwards.map(({ name }) => ({ path: path(name), message: 'must not be dots', code: 'pattern' })),
    ...deep.map(([name]) => ({
      path: path(name),
      message: 'must be text, a number, true or false',
      code: 'type',
    })),
  ];
}

function toResult(status: number, type: string, bytes: Buffer, isCut: boolean): CallToolResult {
  const text = bytes.toString('utf8');
  const note = isCut
    ? `\n\n(The answer has more than ${outputBytesMax} bytes and is cut here. Ask for less, as with limit and cursor.)`
    : '';
  const body: unknown =
    !isCut && type.startsWith('application/json') && text ? parseKeepingDigits(text) : null;
  const isError = status >= 400;
  const prefix =
    isError && isObject(body) && typeof body.error === 'string'
      ? `${String(body.code)}: ${body.error}\n`
      : '';
  return {
    ...(isError ? { isError } : {}),
    content: [
      { type: 'text', text: `${prefix}${text}${note}` || `The call was answered with status ${status}.` },
    ],
    structuredContent: { status, ...(body === null ? {} : { body }) },
  };
}
