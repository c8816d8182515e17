import { ApiHeader } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Json } from '#libs/definition/values';
import { Invalid } from '#libs/faults/faults';
import type { IdPrefix } from '#libs/ids/ids';
import { newId } from '#libs/ids/ids';
import type { Idempotency } from '#libs/idempotency/idempotency';

/** Documents the header that `keyedOnce` reads. */
export const TakesIdempotencyKey = () =>
  ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description:
      '1 to 255 printable characters. The same key with the same body gives the stored answer for 24 hours.',
  });

/** A call that may carry an Idempotency-Key, and the reply to write to. */
export interface KeyedCall {
  idempotency: Idempotency;
  key: string | undefined;
  workspaceId: string;
  route: string;
  body: unknown;
  prefix: IdPrefix;
  reply: FastifyReply;
}

/** Does the work once for each Idempotency-Key; without a key, always. The work is given the id of what it creates. */
export async function keyedOnce(
  call: KeyedCall,
  work: (id: string) => Promise<{ status: number; body: object }>,
): Promise<Json | object> {
  const { idempotency, key, workspaceId, route, body, prefix, reply } = call;
  if (key === undefined) {
    const { status, body: answer } = await work(newId(prefix));
    reply.status(status);
    return answer;
  }
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw Invalid.field('Idempotency-Key', 'must have 1 to 255 printable characters', 'pattern');
  }
  const { status, answer, replayed } = await idempotency.once(
    { workspaceId, route, key, body: body ?? null },
    prefix,
    async (id) => {
      const made = await work(id);
      const plain: Json = JSON.parse(JSON.stringify(made.body));
      return { status: made.status, answer: plain };
    },
  );
  if (replayed) reply.header('Idempotency-Replayed', 'true');
  reply.status(status);
  return answer;
}
