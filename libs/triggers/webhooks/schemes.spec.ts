import type { Json } from '#libs/platform/json/json';
import { schemeNames, verify } from './schemes.ts';
import {
  hmac,
  inSeconds,
  json,
  judge,
  nowMs,
  plainSecret,
  senders,
  standardSecret,
  sum,
  url,
} from './support/senders.ts';

describe.each(Object.entries(senders))('%s', (_, { scheme, secret = plainSecret, sign, tolerance }) => {
  test('a delivery is trusted as its sender signs it, also with the former of two secrets', async () => {
    const signed = await sign(secret, nowMs);
    expect(judge(scheme, signed, [secret])).toBeNull();
    expect(judge(scheme, signed, [`${standardSecret}00`, secret])).toBeNull();
  });

  test('a delivery is not trusted with another secret, without its headers, and without any secret', async () => {
    const signed = await sign(secret, nowMs);
    const other = secret.startsWith('whsec_')
      ? `whsec_${Buffer.alloc(32, 7).toString('base64')}`
      : 'another secret';
    expect(judge(scheme, signed, [other])).toMatch(/signature is wrong|wrong token/);
    expect(judge(scheme, { ...signed, headers: {} }, [secret])).toMatch(/is missing/);
    expect(judge(scheme, signed, [])).toBe('The trigger has no secret yet.');
  });

  test('a delivery is not trusted when its body has changed', async () => {
    const signed = await sign(secret, nowMs);
    const changed = { ...signed, body: `${signed.body ?? json} `, parsed: { CallSid: 'CA2' } };
    const isToken = scheme === 'bearer' || 'x-gitlab-token' in signed.headers;
    expect(judge(scheme, changed, [secret]) === null).toBe(isToken);
  });

  test('a delivery is trusted only while its time is near the clock', async () => {
    const [early, late] = [-1, 1].map((way) => nowMs + way * (tolerance ?? 0) * 1000);
    const around = [await sign(secret, early ?? 0), await sign(secret, late ?? 0)].map((signed) =>
      judge(scheme, signed, [secret]),
    );
    expect(around).toEqual([null, null]);
    for (const shift of tolerance === undefined ? [] : [-tolerance - 2, tolerance + 2])
      expect(judge(scheme, await sign(secret, nowMs + shift * 1000), [secret])).toMatch(
        `more than ${tolerance} s away`,
      );
  });
});

test('every scheme has a sender in this file, and only the scheme none proves nothing', () => {
  const tried = new Set(Object.values(senders).map(({ scheme }) => scheme));
  expect(schemeNames.filter((name) => !tried.has(name))).toEqual(['none']);
  expect(judge('none', { headers: {} }, [])).toBeNull();
});

test('the signature of the documentation of Twilio is right', () => {
  const parsed = {
    CallSid: 'CA1234567890ABCDE',
    Caller: '+14158675309',
    Digits: '1234',
    From: '+14158675309',
    To: '+18005551212',
  };
  const call = {
    url: 'https://mycompany.com/myapp.php?foo=1&bar=2',
    headers: { 'x-twilio-signature': 'RSOYDt4T1cUTdK1PDd93/VVr8B8=' },
    body: Buffer.alloc(0),
    parsed,
  };
  expect(verify('twilio', call, ['12345'], { hmac, nowMs })).toBeNull();
});

test.each<[string, Json]>([
  ['a text', 'Body=one'],
  ['JSON without text in it', { a: { b: 1 } }],
  ['a list', ['one']],
  ['an empty object', {}],
  ['a body that nobody could read', null],
])('a delivery of Twilio with %s is not trusted when only its address is signed', (_, parsed) => {
  const headers = { 'x-twilio-signature': sum('sha1', plainSecret, url, 'base64') };
  const call = { headers, url, body: Buffer.from(JSON.stringify(parsed)), parsed };
  expect(verify('twilio', call, [plainSecret], { hmac, nowMs })).toMatch(/^Nothing signs the body/);
  expect(
    verify('twilio', { ...call, body: Buffer.alloc(0), parsed: null }, [plainSecret], { hmac, nowMs }),
  ).toBeNull();
});

test('a GitLab token that signs is not accepted as plain text', () => {
  expect(judge('gitlab', { headers: { 'x-gitlab-token': standardSecret } }, [standardSecret])).toMatch(
    /is missing/,
  );
});

test('no more than ten signatures of one header are compared', () => {
  const right = sum('sha256', plainSecret, `${inSeconds(nowMs)}.${json}`, 'hex');
  const many = (before: number) => ({
    headers: { 'stripe-signature': `t=${inSeconds(nowMs)},${'v1=00,'.repeat(before)}v1=${right}` },
  });
  expect(judge('stripe', many(9), [plainSecret])).toBeNull();
  expect(judge('stripe', many(10), [plainSecret])).toMatch(/signature is wrong/);
});
