import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** The cell that holds a sealed value. The value opens only for this cell, so a copy of the row does not open. */
export interface SealedCell {
  workspace: string;
  table: string;
  row: string;
  column: string;
}

/** A 256-bit key and the number by which sealed values name it. */
export interface DataKey {
  version: number;
  bytes: Buffer;
}

/** The value was sealed with another key, was changed, or is from another cell. The error does not say which. */
export class Unsealable extends Error {
  override readonly name = 'Unsealable';

  constructor() {
    super('The sealed value does not open here.');
  }
}

const secretBytesMin = 32;
const keyBytes = 32;
/** 96 random bits. NIST SP 800-38D allows 2^32 values for each key; the chance of a repeated nonce is then below 2^-32. */
const nonceBytes = 12;
const tagBytes = 16;

/**
 * The master key of one version of HOLDFAST_SECRET. It only seals data keys. Throws for a secret of fewer than 32
 * bytes, so that an unset or empty one stops the boot.
 */
export function masterKey(secret: string, version = 1): DataKey {
  return { version, bytes: derived(secret, 'holdfast', 'master-key') };
}

/** Makes a data key for one workspace, and its sealed form to store. */
export function newDataKey(
  master: DataKey,
  workspace: string,
  version = 1,
): { key: DataKey; wrapped: string } {
  const key = { version, bytes: randomBytes(keyBytes) };
  return { key, wrapped: wrapDataKey(master, workspace, key) };
}

/** Seals a data key under a master key. After a change of HOLDFAST_SECRET, only the data keys must be sealed again. */
export function wrapDataKey(master: DataKey, workspace: string, key: DataKey): string {
  return seal(master, key.bytes, keyCell(workspace, key.version));
}

/** Opens a stored data key of this workspace and version. Throws `Unsealable`. */
export function unwrapDataKey(master: DataKey, workspace: string, { version, wrapped }: WrappedKey): DataKey {
  return { version, bytes: open(master, wrapped, keyCell(workspace, version)) };
}

export interface WrappedKey {
  version: number;
  wrapped: string;
}

/** AES-256-GCM as `v1.<key version>.<nonce, text and tag in base64url>`. Text is taken as UTF-8. */
export function seal(key: DataKey, plaintext: string | Uint8Array, cell: SealedCell): string {
  const nonce = randomBytes(nonceBytes);
  const head = `v1.${key.version}`;
  const cipher = createCipheriv('aes-256-gcm', key.bytes, nonce, { authTagLength: tagBytes });
  cipher.setAAD(cellBytes(head, cell));
  const body = Buffer.concat([
    nonce,
    cipher.update(Buffer.from(plaintext)),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  return `${head}.${body.toString('base64url')}`;
}

/** The bytes that `seal` was given. Throws `Unsealable` for another key, another cell, or one changed bit. */
export function open(key: DataKey, sealed: string, cell: SealedCell): Buffer {
  const parts = sealedPattern.exec(sealed);
  const body = Buffer.from(parts?.[2] ?? '', 'base64url');
  // Several base64 texts decode to the same bytes (spare bits, padding); only the one that `seal` writes is accepted.
  const ours = parts !== null && Number(parts[1]) === key.version && body.toString('base64url') === parts[2];
  if (!ours || body.length < nonceBytes + tagBytes) throw new Unsealable();
  // The length of the tag is fixed. Node would accept a tag of 4 bytes, which takes only 2^32 tries to guess.
  const decipher = createDecipheriv('aes-256-gcm', key.bytes, body.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(cellBytes(`v1.${key.version}`, cell));
  decipher.setAuthTag(body.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(body.subarray(nonceBytes, -tagBytes)), decipher.final()]);
  } catch {
    throw new Unsealable();
  }
}

/** The data key that a sealed value needs. Throws `Unsealable` when it is not a sealed value. */
export function parseKeyVersion(sealed: string): number {
  const version = sealedPattern.exec(sealed)?.[1];
  if (version === undefined) throw new Unsealable();
  return Number(version);
}

/**
 * Salt and info from which HKDF derives the key of a purpose. They never change: stored API keys, links that were
 * sent and cursors depend on them.
 */
const purposes = {
  'api-key': ['', 'holdfast api keys'],
  cursor: ['', 'holdfast cursors'],
  invitation: ['holdfast', 'keyed-hash:invitation'],
  'resume-link': ['holdfast', 'keyed-hash:resume-link'],
  'timeline-link': ['holdfast', 'keyed-hash:timeline-link'],
  'mcp-request-state': ['holdfast', 'keyed-hash:mcp-request-state'],
  'audit-anchor': ['holdfast', 'keyed-hash:audit-anchor'],
  'audit-retention': ['holdfast', 'keyed-hash:audit-retention'],
  'oauth-record': ['holdfast', 'keyed-hash:oauth-record'],
  'oauth-cookie': ['holdfast', 'keyed-hash:oauth-cookie'],
  'oauth-signature': ['holdfast', 'keyed-hash:oauth-signature'],
  session: ['holdfast', 'keyed-hash:session'],
  'hook-token': ['holdfast', 'keyed-hash:hook-token'],
  'form-link': ['holdfast', 'keyed-hash:form-link'],
  'form-page': ['holdfast', 'keyed-hash:form-page'],
  'secret-check': ['holdfast', 'keyed-hash:secret-check'],
} as const;

/**
 * The HMAC-SHA-256 of the value in base64url. Each purpose has its own key, so the hash of an API key is not valid as the signature
 * of a link. Throws for an empty value, so that "nothing stored" never equals "nothing sent".
 */
export function keyedHash(
  secret: string,
  purpose: keyof typeof purposes,
  value: string | Uint8Array,
): string {
  if (value.length === 0) throw new RangeError('There is nothing to hash.');
  const [salt, info] = purposes[purpose];
  const key = derived(secret, salt, info);
  return createHmac('sha256', key).update(value).digest('base64url');
}

/** True when two strings are equal. The time depends only on their lengths. Two empty strings are not equal. */
export function sameBytes(a: string | Uint8Array, b: string | Uint8Array): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length > 0 && left.length === right.length && timingSafeEqual(left, right);
}

const sealedPattern = /^v1\.([1-9]\d{0,8})\.([A-Za-z0-9_-]+)$/;
const derivedKeys = new Map<string, Buffer>();

/** HKDF (RFC 5869) over the secret. The result is cached, because the derivation costs more than the hash that follows. */
function derived(secret: string, salt: string, info: string): Buffer {
  if (Buffer.byteLength(secret) < secretBytesMin)
    throw new RangeError(`HOLDFAST_SECRET needs ${secretBytesMin} bytes or more.`);
  const name = `${salt}\n${info}\n${secret}`;
  const known = derivedKeys.get(name);
  if (known) return known;
  const key = Buffer.from(hkdfSync('sha256', secret, salt, info, keyBytes));
  derivedKeys.set(name, key);
  return key;
}

function keyCell(workspace: string, version: number): SealedCell {
  return { workspace, table: 'data_key', row: String(version), column: 'wrapped' };
}

/** The bytes that identify a cell. JSON separates the parts: `a` + `bc` and `ab` + `c` are different cells. */
function cellBytes(head: string, { workspace, table, row, column }: SealedCell): Buffer {
  return Buffer.from(JSON.stringify([head, workspace, table, row, column]));
}
