import { createHash, createHmac } from 'node:crypto';
import { sameBytes } from '#libs/platform/crypto/crypto';
import { isObject, type Json } from '#libs/platform/json/json';

/** A call to the address of a trigger, as its sender signed it. */
export interface HookCall {
  /** With names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** The public address with its query. */
  url: string;
  /** The bytes as they came. */
  body: Buffer;
  /** The body as JSON, or as the fields of a form; null for any other text. Read only by schemes that sign a part of it. */
  parsed: Json;
}

/** The settings of the scheme `hmac`, for senders that no other scheme knows. */
export interface HmacSettings {
  header: string;
  algorithm: 'sha256' | 'sha1' | 'sha512';
  encoding: 'hex' | 'base64';
  /** The text before the signature in its header. */
  prefix: string;
  /** The header with the time of the signature. The sender then signs `<time>.<body>`. */
  timestampHeader: string | null;
  toleranceSeconds: number;
}

/** The reason why a call is not proven to come from the sender. It tells no secret. */
export type Distrust = string | null;

interface Scheme {
  /** Headers with the proof. No log shows them. */
  proof: readonly string[];
  /** Headers with the sender's id of the delivery; the first that is there counts. */
  ids: readonly string[];
  /** The path of that id in the body, when no header has it. */
  idPath?: string;
  /** True when the sender makes the secret, so that it is known only after the address. */
  secretOfSender?: true;
  /** Returns why the call is not trusted, or null. */
  check(call: HookCall, secret: string, given: { hmac: HmacSettings; nowMs: number }): Distrust;
}

interface Signed {
  algorithm: string;
  encoding: 'hex' | 'base64';
  key?: Buffer;
  parts: (string | Buffer)[];
}

const fiveMinutesS = 300;
/** More signatures in one header are not compared, because a stranger chooses their number. */
const signaturesMax = 10;
const wrong = 'The signature is wrong: check the secret, and that nothing on the way changes the body.';
const missing = (header: string) => `The header ${header} is missing.`;

/** True when one of the given signatures is right. The time does not depend on where they differ. */
function isSigned(
  given: readonly string[],
  secret: string,
  { algorithm, encoding, key, parts }: Signed,
): boolean {
  const mac = createHmac(algorithm, key ?? secret);
  for (const part of parts) mac.update(part);
  const right = mac.digest();
  let found = false;
  for (const one of given.slice(0, signaturesMax))
    if (sameBytes(Buffer.from(one, encoding), right)) found = true;
  return found;
}

/** Returns why a time in whole seconds or milliseconds is refused; null when it is within the tolerance, in seconds. */
function checkTime(text: string, nowMs: number, toleranceS: number): Distrust {
  const time = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  const ms = time > 100_000_000_000 ? time : time * 1000;
  if (Number.isNaN(ms)) return 'The time of the signature is no number.';
  if (Math.abs(nowMs - ms) <= toleranceS * 1000) return null;
  return `The time of the signature is more than ${toleranceS} s away from this clock.`;
}

/** Standard Webhooks 1.0, also with the header names of Svix. */
function checkStandard({ headers, body }: HookCall, secret: string, nowMs: number): Distrust {
  const prefix = headers['webhook-signature'] === undefined && headers['svix-signature'] ? 'svix' : 'webhook';
  const [id, time, signatures] = ['id', 'timestamp', 'signature'].map((name) => headers[`${prefix}-${name}`]);
  if (!signatures || !id || !time)
    return missing(`${prefix}-${signatures ? (id ? 'timestamp' : 'id') : 'signature'}`);
  const given = signatures.split(' ').flatMap((one) => (one.startsWith('v1,') ? [one.slice(3)] : []));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = { algorithm: 'sha256', encoding: 'base64', key, parts: [`${id}.${time}.`, body] } as const;
  return isSigned(given, secret, { ...signed, parts: [...signed.parts] })
    ? checkTime(time, nowMs, fiveMinutesS)
    : wrong;
}

/** A signature of the body alone in one header. */
const bodySigned =
  (header: string, encoding: 'hex' | 'base64', prefix = '') =>
  ({ headers, body }: HookCall, secret: string): Distrust => {
    const given = headers[header];
    if (!given) return missing(header);
    if (!given.startsWith(prefix)) return `The header ${header} must begin with ${prefix}`;
    const signed = { algorithm: 'sha256', encoding, parts: [body] };
    return isSigned([given.slice(prefix.length)], secret, signed) ? null : wrong;
  };

/** A secret that the sender sends as it is. */
function checkToken(given: string | undefined, secret: string, header: string): Distrust {
  if (!given) return missing(header);
  return sameBytes(given, secret) ? null : `The header ${header} has a wrong token.`;
}

function checkStripe({ headers, body }: HookCall, secret: string, nowMs: number): Distrust {
  const pairs = (headers['stripe-signature'] ?? '').split(',').map((pair) => pair.trim().split('='));
  const values = (wanted: string) =>
    pairs.flatMap(([name, value]) => (name === wanted && value ? [value] : []));
  const [time] = values('t');
  if (!time) return missing('stripe-signature');
  const signed = { algorithm: 'sha256', encoding: 'hex' as const, parts: [`${time}.`, body] };
  return isSigned(values('v1'), secret, signed) ? checkTime(time, nowMs, fiveMinutesS) : wrong;
}

function checkSlack({ headers, body }: HookCall, secret: string, nowMs: number): Distrust {
  const [signature, time] = [headers['x-slack-signature'], headers['x-slack-request-timestamp']];
  if (!signature || !time) return missing(signature ? 'x-slack-request-timestamp' : 'x-slack-signature');
  const signed = { algorithm: 'sha256', encoding: 'hex' as const, parts: [`v0:${time}:`, body] };
  const given = signature.startsWith('v0=') ? [signature.slice(3)] : [];
  return isSigned(given, secret, signed) ? checkTime(time, nowMs, fiveMinutesS) : wrong;
}

/** Linear signs the body, which has its time. */
function checkLinear(call: HookCall, secret: string, nowMs: number): Distrust {
  const distrust = bodySigned('linear-signature', 'hex')(call, secret);
  if (distrust) return distrust;
  const time = isObject(call.parsed) ? call.parsed['webhookTimestamp'] : undefined;
  return typeof time === 'number' ? checkTime(String(time), nowMs, 60) : 'The body has no webhookTimestamp.';
}

/** Shopify has other names for the headers of its events. */
function checkShopify(call: HookCall, secret: string): Distrust {
  const ofEvents = 'shopify-hmac-sha256';
  const header = call.headers[ofEvents] === undefined ? `x-${ofEvents}` : ofEvents;
  return bodySigned(header, 'base64')(call, secret);
}

const twilioAlgorithms: Record<string, string> = { HMAC_SHA1: 'sha1', HMAC_SHA256: 'sha256' };

/** Twilio signs the address and the fields of the form, or the hash of a JSON body in the address. */
function checkTwilio({ headers, url, body, parsed }: HookCall, secret: string): Distrust {
  const signature = headers['x-twilio-signature'];
  if (!signature) return missing('x-twilio-signature');
  // A header names the algorithm where a shared key signs, and not the Auth Token.
  const settings = 'x-twilio-webhooks-signature-settings';
  const named = /(?:^|,) *algorithm *= *([^, ]+)/.exec(headers[settings] ?? '')?.[1]?.toUpperCase();
  const algorithm = twilioAlgorithms[named ?? 'HMAC_SHA1'];
  if (!algorithm) return `The header ${settings} names an algorithm that is not known here.`;
  const hash = new URL(url).searchParams.get('bodySHA256');
  if (hash !== null && !sameBytes(createHash('sha256').update(body).digest('hex'), hash.toLowerCase()))
    return 'The body does not have the hash that bodySHA256 names.';
  const fields = hash === null && isObject(parsed) ? Object.entries(parsed) : [];
  const isForm = fields.flatMap(([, value]) => value).every((value) => typeof value === 'string');
  const text = fields
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, value]) => [...new Set([value].flat().map(String))].toSorted().map((one) => name + one))
    .join('');
  if (hash === null && body.length > 0 && (!isForm || text === ''))
    return 'Nothing signs the body: Twilio signs the fields of a form, and any other body by bodySHA256.';
  const isRight = (address: string) =>
    isSigned([signature], secret, { algorithm, encoding: 'base64', parts: [address + text] });
  return listSpellings(url).some(isRight) ? null : wrong;
}

/** Twilio signs some addresses with the port that their protocol implies, and some without the port that they have. */
function listSpellings(url: string): string[] {
  const [found = '', origin = '', port] = /^(https?:\/\/(?:\[[^\]]*\]|[^/:?#]+))(:\d+)?/i.exec(url) ?? [];
  const rest = url.slice(found.length);
  return [origin + rest, origin + (port ?? (/^https/i.test(url) ? ':443' : ':80')) + rest];
}

function checkHmac({ headers, body }: HookCall, secret: string, hmac: HmacSettings, nowMs: number): Distrust {
  const given = headers[hmac.header.toLowerCase()];
  const { timestampHeader, prefix, encoding, algorithm } = hmac;
  if (!given) return missing(hmac.header);
  if (!given.startsWith(prefix)) return `The header ${hmac.header} must begin with ${prefix}`;
  const time = timestampHeader === null ? null : headers[timestampHeader.toLowerCase()];
  if (time === undefined) return missing(timestampHeader ?? '');
  const parts = time === null ? [body] : [`${time}.`, body];
  if (!isSigned([given.slice(prefix.length)], secret, { algorithm, encoding, parts })) return wrong;
  return time === null ? null : checkTime(time, nowMs, hmac.toleranceSeconds);
}

const standardIds = ['webhook-id', 'svix-id'];

/** How each sender proves a delivery. One row a scheme; a test compares each with the sender's own library. */
export const schemes = {
  'standard-webhooks': {
    proof: ['webhook-signature', 'svix-signature'],
    ids: standardIds,
    check: (call, secret, { nowMs }) => checkStandard(call, secret, nowMs),
  },
  stripe: {
    proof: ['stripe-signature'],
    ids: [],
    idPath: 'id',
    secretOfSender: true,
    check: (call, secret, { nowMs }) => checkStripe(call, secret, nowMs),
  },
  github: {
    proof: ['x-hub-signature-256', 'x-hub-signature'],
    ids: ['x-github-delivery'],
    check: bodySigned('x-hub-signature-256', 'hex', 'sha256='),
  },
  gitlab: {
    proof: ['webhook-signature', 'x-gitlab-token'],
    ids: ['webhook-id', 'idempotency-key'],
    // A signing token is never accepted as plain text.
    check: (call, secret, { nowMs }) =>
      secret.startsWith('whsec_')
        ? checkStandard(call, secret, nowMs)
        : checkToken(call.headers['x-gitlab-token'], secret, 'x-gitlab-token'),
  },
  slack: {
    proof: ['x-slack-signature'],
    ids: [],
    idPath: 'event_id',
    secretOfSender: true,
    check: (call, secret, { nowMs }) => checkSlack(call, secret, nowMs),
  },
  shopify: {
    proof: ['x-shopify-hmac-sha256', 'shopify-hmac-sha256'],
    ids: ['x-shopify-webhook-id', 'shopify-webhook-id'],
    secretOfSender: true,
    check: checkShopify,
  },
  twilio: {
    proof: ['x-twilio-signature'],
    ids: ['i-twilio-idempotency-token'],
    secretOfSender: true,
    check: checkTwilio,
  },
  linear: {
    proof: ['linear-signature'],
    ids: ['linear-delivery'],
    secretOfSender: true,
    check: (call, secret, { nowMs }) => checkLinear(call, secret, nowMs),
  },
  hmac: {
    proof: [],
    ids: standardIds,
    check: (call, secret, { hmac, nowMs }) => checkHmac(call, secret, hmac, nowMs),
  },
  bearer: {
    proof: ['authorization'],
    ids: standardIds,
    check: ({ headers }, secret) =>
      checkToken(headers['authorization']?.replace(/^Bearer +/i, ''), secret, 'authorization'),
  },
  none: { proof: [], ids: standardIds, check: () => null },
} satisfies Record<string, Scheme>;

export type SchemeName = keyof typeof schemes;
export const schemeNames = Object.keys(schemes) as SchemeName[];

/** Returns the scheme of this name, with all members that a scheme can have. */
export function getScheme(name: SchemeName): Scheme {
  return schemes[name];
}

/** Returns why no secret proves the call, or null when one does. While a secret is rotated, two are valid. */
export function verify(
  name: SchemeName,
  call: HookCall,
  secrets: readonly string[],
  given: { hmac: HmacSettings; nowMs: number },
): Distrust {
  if (name === 'none') return null;
  let distrust: Distrust = 'The trigger has no secret yet.';
  for (const secret of secrets) {
    distrust = getScheme(name).check(call, secret, given);
    if (distrust === null) return null;
  }
  return distrust;
}
