import { type KeyedCall, keyedOnce } from '../http/idempotency-key.ts';
import { exactEnvelope } from '../http/envelope.ts';
import { writeVersion } from '../http/etag.ts';

/** The answer to a write of rows. */
export interface Written {
  status: number;
  data: object;
  /** The row whose version the ETag names, if it is one. */
  row?: { version: number };
}

/**
 * Writes rows once for each Idempotency-Key. The work is given the id of the first row that it may insert, by which a
 * repetition finds what its first try has written; without a key there is none.
 */
export async function writtenOnce(
  call: Omit<KeyedCall, 'prefix'>,
  work: (firstId: string | undefined) => Promise<Written>,
): Promise<string | object> {
  const answer = await keyedOnce({ ...call, prefix: 'row' }, async (id) => {
    const { status, data, row } = await work(call.key === undefined ? undefined : id);
    // Kept as text, which keeps the digits of numbers.
    return { status, body: { text: exactEnvelope(data), ...(row ? { version: row.version } : {}) } };
  });
  const { text, version } = Object(answer);
  if (typeof version === 'number') writeVersion(call.reply, { version });
  return typeof text === 'string' ? text : Object(answer);
}
