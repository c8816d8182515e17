import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { SealingCodec, Unreadable } from './payload-codec.ts';

const key = (id: string, byte: number) => ({ id, bytes: Buffer.alloc(32, byte) });
const [a, b] = [key('a', 1), key('b', 2)];
const payload = (value: unknown): Payload => {
  const made = defaultPayloadConverter.toPayload(value);
  if (!made) throw new Error('no payload');
  return made;
};
const valueOf = (one: Payload | undefined): unknown => one && defaultPayloadConverter.fromPayload(one);
const bytesOf = (one: Payload | undefined) => Buffer.from(one?.data ?? []);
const codec = new SealingCodec([a]);

describe('SealingCodec', () => {
  test('SealingCodec seals value and metadata, and opens them again', async () => {
    const [sealed] = await codec.encode([payload({ marker: 'canary' })]);
    expect(bytesOf(sealed).toString('latin1')).not.toMatch(/canary|json/);
    expect(Object.keys(sealed?.metadata ?? {})).toEqual(['encoding', 'encryption-key-id']);
    expect((await codec.decode([sealed ?? {}])).map(valueOf)).toEqual([{ marker: 'canary' }]);
  });

  test('SealingCodec takes a new nonce for each payload', async () => {
    const sealed = await codec.encode(Array.from({ length: 100 }, () => payload('same')));
    const nonces = sealed.map((one) => bytesOf(one).subarray(0, 12).toString('hex'));
    expect(new Set(nonces).size).toBe(100);
    expect(new Set(sealed.map((one) => bytesOf(one).toString('hex'))).size).toBe(100);
  });

  test('SealingCodec opens with every key of the list and seals with the first', async () => {
    const old = await codec.encode([payload(1)]);
    const rotated = new SealingCodec([b, a]);
    expect((await rotated.decode(old)).map(valueOf)).toEqual([1]);
    const young = await rotated.encode([payload(2)]);
    expect((await new SealingCodec([b]).decode(young)).map(valueOf)).toEqual([2]);
  });

  test('SealingCodec seals nothing while the list begins with off, and opens payloads that were sealed before', async () => {
    const between = new SealingCodec([{ id: 'off', bytes: null }, a]);
    const plain = payload('in clear');
    expect(await between.encode([plain])).toEqual([plain]);
    expect((await between.decode(await codec.encode([plain]))).map(valueOf)).toEqual(['in clear']);
  });

  test('SealingCodec returns payloads that were never sealed unchanged', async () => {
    const plain = payload('before the key');
    expect(await codec.decode([plain])).toEqual([plain]);
  });

  test.each<[string, (sealed: Payload) => Payload, SealingCodec]>([
    ['an unknown key', (sealed) => sealed, new SealingCodec([b])],
    ['another key under the same id', (sealed) => sealed, new SealingCodec([key('a', 9)])],
    [
      'a key id that was changed',
      (sealed) => ({ ...sealed, metadata: { ...sealed.metadata, 'encryption-key-id': Buffer.from('c') } }),
      new SealingCodec([a, key('c', 1)]),
    ],
    ['a flipped bit', (sealed) => ({ ...sealed, data: flipped(sealed, 14) }), codec],
    ['a flipped bit of the tag', (sealed) => ({ ...sealed, data: flipped(sealed, -1) }), codec],
    ['a cut payload', (sealed) => ({ ...sealed, data: bytesOf(sealed).subarray(0, 20) }), codec],
    ['an empty payload', (sealed) => ({ ...sealed, data: new Uint8Array() }), codec],
  ])('SealingCodec refuses %s', async (_, change, opener) => {
    const [sealed = {}] = await codec.encode([payload('text')]);
    await expect(opener.decode([change(sealed)])).rejects.toThrow(Unreadable);
  });
});

function flipped(one: Payload, index: number): Buffer {
  const bytes = Buffer.from(bytesOf(one));
  const at = index < 0 ? bytes.length + index : index;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes;
}
