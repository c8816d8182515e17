import { parseDays, parsePayloadKeys } from './operation.ts';
import { Settings } from './settings.ts';

const base64 = (byte: number) => Buffer.alloc(32, byte).toString('base64');
const needed = { DATABASE_URL: 'postgres://nowhere/none', HOLDFAST_SECRET: 'x'.repeat(32) };

describe('PAYLOAD_KEYS', () => {
  test('PAYLOAD_KEYS is a list by comma, in its order', () => {
    expect(parsePayloadKeys(`b:${base64(2)}, a:${base64(1)}`)).toEqual([
      { id: 'b', bytes: Buffer.alloc(32, 2) },
      { id: 'a', bytes: Buffer.alloc(32, 1) },
    ]);
    expect(parsePayloadKeys('')).toEqual([]);
  });

  test('PAYLOAD_KEYS may begin with off, which opens and seals nothing', () => {
    expect(parsePayloadKeys(`off,a:${base64(1)}`)[0]).toEqual({ id: 'off', bytes: null });
  });

  test.each([
    ['no id', base64(1)],
    ['a short key', `a:${Buffer.alloc(16).toString('base64')}`],
    ['a long key', `a:${Buffer.alloc(48).toString('base64')}`],
    ['an id twice', `a:${base64(1)},a:${base64(2)}`],
    ['off behind a key', `a:${base64(1)},off`],
  ])('PAYLOAD_KEYS stops the boot on %s, and does not show it', (_, value) => {
    const secret = value.split(':').at(-1) ?? value;
    const boot = () => new Settings({ ...needed, PAYLOAD_KEYS: value });
    expect(boot).toThrow(/^PAYLOAD_KEYS/);
    expect(boot).not.toThrow(secret);
  });
});

describe('EXECUTION_RETENTION', () => {
  test.each([
    ['30', 30 * 86_400_000],
    ['P7D', 7 * 86_400_000],
    ['off', null],
  ])('EXECUTION_RETENTION takes %s', (text, ms) => {
    expect(parseDays(text)).toBe(ms);
  });

  test.each(['0', 'P0D', '-1', '1.5', 'P1M', '7D', 'never', ''])(
    'EXECUTION_RETENTION stops the boot on "%s"',
    (text) => {
      expect(() => parseDays(text)).toThrow(/^EXECUTION_RETENTION/);
    },
  );
});
