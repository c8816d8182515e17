import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';
import type { PayloadKey } from '#libs/platform/settings/operation';
import { cutText } from '#libs/platform/text/whole-text';

const { Payload: Message } = proto.temporal.api.common.v1;

const encoding = 'binary/encrypted';
const cipher = 'aes-256-gcm';
const [nonceBytes, tagBytes] = [12, 16];

/** Thrown for a payload that none of our keys opens: its key is not in the list, or the payload was changed. */
export class Unreadable extends Error {}

/**
 * Encrypts what Temporal stores: inputs, outputs, messages, failures, summaries. Each payload with its metadata becomes nonce,
 * ciphertext and tag under AES-256-GCM. The id of the key is stored beside them and authenticated. A random nonce of 96 bits is
 * safe for 2^32 payloads of one key. `decode` returns an unsealed payload unchanged, so that runs from before the key can continue.
 */
export class SealingCodec implements PayloadCodec {
  private readonly keys: ReadonlyMap<string, PayloadKey>;

  /** The first key seals, all of them open. */
  constructor(private readonly list: PayloadKey[]) {
    this.keys = new Map(list.map((key) => [key.id, key]));
  }

  async encode(payloads: Payload[]): Promise<Payload[]> {
    const [key] = this.list;
    return payloads.map((payload) => (key?.bytes ? seal(payload, key.id, key.bytes) : payload));
  }

  /** Throws `Unreadable`. A worker then retries the task until the key is in the list, and the run waits. */
  async decode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) =>
      getText(payload, 'encoding') === encoding ? this.open(payload) : payload,
    );
  }

  private open(payload: Payload): Payload {
    const id = getText(payload, 'encryption-key-id');
    const key = this.keys.get(id)?.bytes;
    if (!key)
      throw new Unreadable(`The payload is sealed with the key ${cutText(id, 64)}, which is not known here.`);
    const data = Buffer.from(payload.data ?? []);
    const [nonce, tag] = [data.subarray(0, nonceBytes), data.subarray(-tagBytes)];
    if (data.length < nonceBytes + tagBytes)
      throw new Unreadable('The payload is too short to be a sealed one.');
    const opener = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes });
    opener.setAAD(Buffer.from(id)).setAuthTag(tag);
    try {
      return Message.decode(
        Buffer.concat([opener.update(data.subarray(nonceBytes, -tagBytes)), opener.final()]),
      );
    } catch {
      throw new Unreadable(`The payload was not sealed with our key ${id}, or was changed since.`);
    }
  }
}

function seal(payload: Payload, id: string, key: Buffer): Payload {
  const nonce = randomBytes(nonceBytes);
  const sealer = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes });
  sealer.setAAD(Buffer.from(id));
  const body = Buffer.concat([sealer.update(Message.encode(payload).finish()), sealer.final()]);
  return {
    metadata: { encoding: Buffer.from(encoding), 'encryption-key-id': Buffer.from(id) },
    data: Buffer.concat([nonce, body, sealer.getAuthTag()]),
  };
}

function getText({ metadata }: Payload, name: string): string {
  return Buffer.from(metadata?.[name] ?? []).toString('utf8');
}
