import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { INTERCEPTORS_METADATA } from '@nestjs/common/constants.js';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mergeMap, type Observable } from 'rxjs';
import { copyJson } from '#libs/platform/json/unread-json';
import { exactJson } from '#libs/platform/json/exact-json';
import type { Json } from '#libs/platform/json/json';
import { Invalid } from '#libs/platform/errors/errors';
import { newId } from '#libs/platform/ids/ids';
import { Idempotency, type KeyedPrefix } from '#libs/workspace/idempotency/idempotency';
import { HttpAnswer, KeyedWork } from './answer.ts';
import { AnswerNames } from './answer-names.ts';
import type { Envelope } from './api-result.ts';
import { writeRateHeaders } from './rate-headers.ts';

const prefixKey = 'holdfast:keyed-prefix';
const envelopeKey = 'holdfast:envelope';
const shapeKey = 'holdfast:shape';

/** Takes an Idempotency-Key. The handler returns a `KeyedWork`, whose ids begin with the prefix. */
export const Idempotent = (prefix: KeyedPrefix) =>
  applyDecorators(
    SetMetadata(prefixKey, prefix),
    Intercepted(),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'Has 1 to 255 printable characters. The same key of the same caller with the same body gives the stored answer for 24 hours.',
    }),
  );

/** Puts the returned data into the envelope `{ success, data }`, with every digit of its numbers. */
export const Enveloped = () => applyDecorators(SetMetadata(envelopeKey, true), Intercepted());

/** Notes the shapes of the answers, by which they get the names of people and keys. */
export const Shaped = (...shapes: Envelope[]) => SetMetadata(shapeKey, shapes);

/** Lets the handler return an `Answer`. */
export function Intercepted(): MethodDecorator {
  return (target, key, descriptor: PropertyDescriptor) => {
    const present: unknown[] = Reflect.getMetadata(INTERCEPTORS_METADATA, descriptor.value) ?? [];
    if (!present.includes(AnswerInterceptor)) UseInterceptors(AnswerInterceptor)(target, key, descriptor);
  };
}

/** Runs the work of a keyed call. A handler that holds a file meanwhile returns a function that gets this. */
export type RunOnce = <T>(work: KeyedWork<T>) => Promise<unknown>;

/** Writes what handlers return: envelopes, statuses, ETags, rate limits, and the stored answers of keyed calls. */
@Injectable()
export class AnswerInterceptor implements NestInterceptor {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly names: AnswerNames,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const handler = context.getHandler();
    const isEnveloped = Reflect.hasMetadata(envelopeKey, handler);
    const shapes: Envelope[] = Reflect.getMetadata(shapeKey, handler) ?? [];
    const seal = async (body: unknown) => {
      const whole = isEnveloped ? { success: true, data: body } : body;
      const { admission } = request;
      if (admission) await this.names.addNames(admission.workspaceId, shapes, whole);
      return isEnveloped ? exactJson(whole) : whole;
    };
    const runOnce: RunOnce = async (work) => {
      const prefix: KeyedPrefix | undefined = Reflect.getMetadata(prefixKey, handler);
      if (!prefix) throw new Error('A handler without Idempotent returned keyed work.');
      const stored = write(reply, await this.answerOnce(request, reply, prefix, { ...work, seal }));
      // A stored answer of this route is one that this work has made.
      return work.present ? write(reply, work.present(stored as never)) : stored;
    };
    return next.handle().pipe(
      mergeMap(async (returned: unknown) => {
        if (returned instanceof KeyedWork) return runOnce(returned);
        if (typeof returned === 'function') return (returned as (run: RunOnce) => Promise<unknown>)(runOnce);
        return seal(write(reply, returned));
      }),
    );
  }

  /** Runs the work, or returns the answer that is stored for the key of the request. */
  private async answerOnce(
    request: FastifyRequest,
    reply: FastifyReply,
    prefix: KeyedPrefix,
    {
      route,
      body,
      run,
      seal,
    }: Pick<KeyedWork, 'route' | 'body' | 'run'> & { seal(body: unknown): Promise<unknown> },
  ): Promise<HttpAnswer> {
    const { admission } = request;
    if (!admission) throw new Error('A handler without a guard took an Idempotency-Key.');
    const key = readKey(request);
    if (key === undefined) {
      const answer = await run({ id: newId(prefix), isRetry: false, repeatableId: undefined });
      return new HttpAnswer(await seal(answer.body), answer.head);
    }
    const { workspaceId, caller } = admission;
    const done = await this.idempotency.once(
      { workspaceId, route, key, actor: caller.actor, body: body ?? null },
      prefix,
      async (id, isRetry) => {
        const answer = await run({ id, isRetry, repeatableId: id });
        const sealed = await seal(answer.body);
        const plain: Json = typeof sealed === 'string' ? sealed : copyJson(sealed);
        const { status = reply.statusCode, etag, limits } = answer.head;
        return { status, answer: plain, etag, limits };
      },
    );
    if (done.replayed) reply.header('Idempotency-Replayed', 'true');
    const { status, etag, answer } = done;
    return new HttpAnswer(answer, { status, etag, limits: done.replayed ? undefined : done.limits });
  }
}

/** Writes the head of an answer. Returns its body. */
function write(reply: FastifyReply, returned: unknown): unknown {
  if (!(returned instanceof HttpAnswer)) return returned;
  const { status, etag, headers, limits } = returned.head;
  if (status !== undefined) reply.status(status);
  if (etag !== undefined) reply.header('ETag', etag);
  if (headers) reply.headers(headers);
  if (limits) writeRateHeaders(reply, limits.status, limits.bucket);
  return returned.body;
}

function readKey({ headers, raw }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']?.toString();
  if (key === undefined) return undefined;
  if (!/^[\x20-\x7e]{1,255}$/.test(key))
    throw Invalid.field('Idempotency-Key', 'must have 1 to 255 printable characters', 'pattern');
  // Node joins two headers with a comma, and a key may contain a comma.
  if ((raw.headersDistinct['idempotency-key']?.length ?? 0) > 1)
    throw Invalid.field('Idempotency-Key', 'must be sent once', 'repeated');
  return key;
}
