import {
  keyedHash,
  parseKeyVersion,
  masterKey,
  newDataKey,
  open,
  sameBytes,
  seal,
  Unsealable,
  unwrapDataKey,
  wrapDataKey,
  type SealedCell,
} from './crypto.ts';

const secret = 'a-secret-of-the-tests-that-is-long-enough';
const cell: SealedCell = { workspace: 'w1', table: 'credential', row: 'r1', column: 'value' };
const key = newDataKey(masterKey(secret), 'w1').key;

describe('seal and open', () => {
  test.each(['', 'x', 'pässwörd 🔑', 'x'.repeat(1_000_000)])(
    'seal and open give back the sealed value (%#)',
    (text) => {
      expect(open(key, seal(key, text, cell), cell).toString()).toBe(text);
    },
  );

  test('seal and open give back bytes that are not text', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, at) => at);
    expect(new Uint8Array(open(key, seal(key, bytes, cell), cell))).toEqual(bytes);
  });

  test('seal and open never seal the same value to the same text', () => {
    const sealed = Array.from({ length: 1_000 }, () => seal(key, 'same', cell));
    expect(new Set(sealed).size).toBe(1_000);
    expect(sealed[0]).not.toContain(Buffer.from('same').toString('base64url'));
  });
});

describe('a sealed value', () => {
  test.each<Partial<SealedCell>>([
    { workspace: 'w2' },
    { table: 'credentia' },
    { row: 'r2' },
    { column: 'other' },
    { workspace: 'w1","credential' },
    { table: 'credentialr1', row: '' },
  ])('a sealed value does not open after a move to %j', (elsewhere) => {
    expect(() => open(key, seal(key, 'x', cell), { ...cell, ...elsewhere })).toThrow(Unsealable);
  });

  test('a sealed value with any one bit flipped does not open', () => {
    const sealed = seal(key, 'a short secret', cell);
    const body = Buffer.from(sealed.slice(5), 'base64url');
    for (let bit = 0; bit < body.length * 8; bit++) {
      const changed = Buffer.from(body);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => open(key, `v1.1.${changed.toString('base64url')}`, cell)).toThrow(Unsealable);
    }
  });

  test('a sealed value with any one character changed, dropped or added does not open', () => {
    const sealed = seal(key, 'x', cell);
    for (let at = 0; at < sealed.length; at++) {
      const other = sealed[at] === 'A' ? 'B' : 'A';
      expect(() => open(key, sealed.slice(0, at) + other + sealed.slice(at + 1), cell)).toThrow(Unsealable);
      expect(() => open(key, sealed.slice(0, at) + sealed.slice(at + 1), cell)).toThrow(Unsealable);
    }
    for (const tail of ['A', '=', '\n', '.'])
      expect(() => open(key, sealed + tail, cell)).toThrow(Unsealable);
  });

  test.each(['', 'v1', 'v1.1.', 'v1.1.AAAA', 'v2.1.AAAA', 'v1.01.AAAA', 'clear text'])(
    '%j is no sealed value',
    (text) => {
      expect(() => open(key, text, cell)).toThrow(Unsealable);
    },
  );

  test('a sealed value does not open with another key of the same version', () => {
    const other = newDataKey(masterKey(secret), 'w1').key;
    expect(() => open(other, seal(key, 'x', cell), cell)).toThrow(Unsealable);
  });

  test('a sealed value names its key version and is bound to it', () => {
    const second = { ...key, version: 2 };
    const sealed = seal(second, 'x', cell);
    expect(parseKeyVersion(sealed)).toBe(2);
    expect(() => open(key, sealed, cell)).toThrow(Unsealable);
    expect(() => open(key, sealed.replace('v1.2', 'v1.1'), cell)).toThrow(Unsealable);
    expect(() => parseKeyVersion('v1.0.AAAA')).toThrow(Unsealable);
  });
});

describe('data keys', () => {
  const master = masterKey(secret);

  test('data keys come back from their wrapped form', () => {
    const { key: made, wrapped } = newDataKey(master, 'w1', 3);
    expect(unwrapDataKey(master, 'w1', { version: 3, wrapped })).toEqual(made);
    expect(wrapped).not.toContain(made.bytes.toString('base64url'));
  });

  test('data keys do not unwrap for another workspace, version or secret', () => {
    const { wrapped } = newDataKey(master, 'w1');
    expect(() => unwrapDataKey(master, 'w2', { version: 1, wrapped })).toThrow(Unsealable);
    expect(() => unwrapDataKey(master, 'w1', { version: 2, wrapped })).toThrow(Unsealable);
    expect(() => unwrapDataKey(masterKey(`${secret}!`), 'w1', { version: 1, wrapped })).toThrow(Unsealable);
  });

  test('data keys move to a new master key without sealing any value again', () => {
    const { key: made, wrapped } = newDataKey(master, 'w1');
    const sealed = seal(made, 'x', cell);
    const next = masterKey('another secret that is also long enough', 2);
    const moved = wrapDataKey(next, 'w1', unwrapDataKey(master, 'w1', { version: 1, wrapped }));
    expect(parseKeyVersion(moved)).toBe(2);
    expect(open(unwrapDataKey(next, 'w1', { version: 1, wrapped: moved }), sealed, cell).toString()).toBe(
      'x',
    );
  });

  test.each(['', 'short', 'x'.repeat(31)])('no master key comes from the secret %j', (text) => {
    expect(() => masterKey(text)).toThrow('HOLDFAST_SECRET needs 32 bytes or more.');
  });
});

describe('keyedHash', () => {
  // Computed with node:crypto alone. A change would void every API key, link and cursor of an installation.
  test.each([
    ['api-key', 'X0hTefa7WjOdwAVG0G1HzS7Tg4ZcX3iIQg_sCuqWaBE'],
    ['cursor', 'k19u_GGD9u9uhnuqJJUjiS7NPZ1yH_LgCSYfZvtA2ZY'],
    ['resume-link', 'WmM-EuGFzsbncx93TQlu8tG2u1xSFYdmaPg7qEj17nI'],
  ] as const)('keyedHash has the recorded value for the purpose %s', (purpose, hash) => {
    expect(keyedHash('x'.repeat(32), purpose, 'sk-1')).toBe(hash);
  });

  test('keyedHash differs by secret, by purpose and by value', () => {
    const hashes = [
      keyedHash(secret, 'api-key', 'a'),
      keyedHash(secret, 'api-key', 'b'),
      keyedHash(secret, 'cursor', 'a'),
      keyedHash(`${secret}!`, 'api-key', 'a'),
    ];
    expect(new Set(hashes).size).toBe(4);
    for (const hash of hashes) expect(hash).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  test('keyedHash refuses an empty value and an empty secret', () => {
    expect(() => keyedHash(secret, 'api-key', '')).toThrow(RangeError);
    expect(() => keyedHash('', 'api-key', 'a')).toThrow('HOLDFAST_SECRET');
  });
});

describe('sameBytes', () => {
  test.each<[string, string, boolean]>([
    ['abc', 'abc', true],
    ['abc', 'abd', false],
    ['abc', 'abcd', false],
    ['\u00e9', 'e\u0301', false],
    ['', '', false],
  ])('%j and %j: %j', (a, b, same) => {
    expect(sameBytes(a, b)).toBe(same);
  });
});
