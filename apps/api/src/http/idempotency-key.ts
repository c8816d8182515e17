import { ApiHeader } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Json } from '#libs/platform/json/json';
import { Invalid } from '#libs/platform/errors/errors';
import { newId } from '#libs/platform/ids/ids';
import type { Idempotency, KeyedPrefix } from '#libs/workspace/idempotency/idempotency';
import { writeETag } from './etag.ts';

/** Documents the header that `keyedOnce` reads. */
export const TakesIdempotencyKey = () =>
  ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description:
      'Has 1 to 255 printable characters. The same key of the same caller with the same body gives the stored answer for 24 hours.',
  });

/** A call that may carry an Idempotency-Key, and the reply to write to. */
export interface KeyedCall {
  idempotency: Idempotency;
  key: string | undefined;
  workspaceId: string;
  route: string;
  body: unknown;
  prefix: KeyedPrefix;
  reply: FastifyReply;
}

/** The answer of a keyed call. A text body is already JSON. */
export interface KeyedAnswer {
  status: number;
  body: object | string;
  etag?: string;
}

/**
 * Does the work once for each Idempotency-Key; without a key, every time. `work` gets the id of the thing to create,
 * and whether an earlier call may have created it. The answer is stored, so it must not contain a secret or a link that
 * opens something.
 */
export async function keyedOnce(
  call: KeyedCall,
  work: (id: string, isRetry: boolean) => Promise<KeyedAnswer>,
): Promise<object | string> {
  const { idempotency, key, workspaceId, route, body, prefix, reply } = call;
  const { admission, raw } = reply.request;
  if (!admission) throw new Error('A handler without a guard took an Idempotency-Key.');
  if (key === undefined) {
    const result = await work(newId(prefix), false);
    writeETag(reply, result.etag);
    reply.status(result.status);
    return result.body;
  }
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw Invalid.field('Idempotency-Key', 'must have 1 to 255 printable characters', 'pattern');
  }
  // Node joins two headers with a comma, and a key may contain a comma.
  if ((raw.headersDistinct['idempotency-key']?.length ?? 0) > 1)
    throw Invalid.field('Idempotency-Key', 'must be sent once', 'repeated');
  const { actor } = admission.caller;
  const { status, answer, etag, replayed } = await idempotency.once(
    { workspaceId, route, key, actor, body: body ?? null },
    prefix,
    async (id, isRetry) => {
      const result = await work(id, isRetry);
      const isText = typeof result.body === 'string';
      const plain: Json = isText ? result.body : JSON.parse(JSON.stringify(result.body));
      return { status: result.status, answer: plain, etag: result.etag };
    },
  );
  if (replayed) reply.header('Idempotency-Replayed', 'true');
  writeETag(reply, etag);
  reply.status(status);
  return typeof answer === 'string' ? answer : Object(answer);
}
