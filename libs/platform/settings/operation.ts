import { isIP } from 'node:net';

/** A key of the payload codec. */
export interface PayloadKey {
  id: string;
  /** 32 bytes for AES-256. Null for the entry `off`, which seals nothing. */
  bytes: Buffer | null;
}

const entryPattern = /^([A-Za-z0-9._-]{1,64}):([A-Za-z0-9+/_-]{43}=?)$/;

/**
 * Reads a comma-separated list of `id:base64` entries. With `off` as the first entry, new payloads are not sealed, but the other keys
 * still open old payloads. Operators use this until every process has the keys. Errors never show the value of the variable.
 */
export function parsePayloadKeys(text: string): PayloadKey[] {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
  const keys = entries.map((entry, index): PayloadKey => {
    if (entry === 'off' && index === 0) return { id: entry, bytes: null };
    const [, id, base64 = ''] = entryPattern.exec(entry) ?? [];
    const bytes = Buffer.from(base64, 'base64');
    if (!id || bytes.length !== 32)
      throw new Error(
        `PAYLOAD_KEYS must hold entries "id:32 bytes in base64": entry ${index + 1} is not one.`,
      );
    return { id, bytes };
  });
  if (new Set(keys.map(({ id }) => id)).size < keys.length)
    throw new Error('PAYLOAD_KEYS must hold each id once.');
  return keys;
}

const dayMs = 86_400_000;

/** Milliseconds of whole days, written as `30` or `P30D`; null for `off`. */
export function parseDays(text: string, variable = 'EXECUTION_RETENTION', daysMin = 1): number | null {
  if (text === 'off') return null;
  const days = Number(/^(?:P\d{1,5}D|\d{1,5})$/.test(text) ? text.replaceAll(/[PD]/g, '') : 0);
  if (days < daysMin)
    throw new Error(
      `${variable} must be a number of days${daysMin > 1 ? ` from ${daysMin} on,` : ''} such as 30 or P30D, or off: it is ${JSON.stringify(text)}.`,
    );
  return days * dayMs;
}

/** The shortest retention. The database does not allow a worker to delete younger entries. */
const auditDaysMin = 30;

export const parseAuditDays = (text: string) => parseDays(text, 'AUDIT_RETENTION', auditDaysMin);

/** Reads a comma-separated list of addresses and CIDR blocks. Refuses a whole address family, because then every client could choose its address. */
export function parseProxies(text: string): string[] {
  const entries = text.split(',').map((entry) => entry.trim());
  for (const entry of entries) {
    const [address = '', bits, ...rest] = entry.split('/');
    const max = isIP(address) === 4 ? 32 : 128;
    const fits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= max);
    if (isIP(address) === 0 || !fits || rest.length > 0)
      throw new Error(
        `TRUSTED_PROXIES must hold addresses and CIDR blocks: ${JSON.stringify(entry)} is neither.`,
      );
  }
  return entries;
}

/** Reads a comma-separated list of host names without ports. */
export function parseHosts(text: string): string[] {
  const entries = text.split(',').map((entry) => entry.trim().toLowerCase());
  for (const entry of entries)
    if (!/^([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:]+\])$/.test(entry))
      throw new Error(`MCP_HOSTS must hold names of hosts without ports: ${JSON.stringify(entry)} is none.`);
  return entries;
}
