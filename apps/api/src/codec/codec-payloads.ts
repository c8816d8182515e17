import { Invalid } from '#libs/platform/errors/errors';

/** A payload as Temporal's JSON shows it: bytes in base64. */
export interface ShownPayload {
  metadata: Record<string, string>;
  data: string;
  /** For a reference: the sizes of the payloads behind it. */
  externalPayloads?: ExternalSize[];
}

interface ExternalSize {
  sizeBytes: string;
}

interface RawPayload {
  metadata: Record<string, Uint8Array>;
  data: Uint8Array;
}

const payloadsMax = 10_000;

/** The payloads of a codec request. Unknown members belong to the UI and are left out. */
export function parsePayloads(body: unknown): RawPayload[] {
  const { payloads } = isRecord(body) ? body : {};
  if (!Array.isArray(payloads) || payloads.length > payloadsMax)
    throw Invalid.field('payloads', `must be a list of at most ${payloadsMax}`, 'type');
  return payloads.map((payload: unknown, index) => {
    const { metadata = {}, data = '' } = isRecord(payload) ? payload : { metadata: null };
    if (!isRecord(metadata))
      throw Invalid.field(`payloads.${index}`, 'must be an object with metadata and data', 'type');
    return {
      metadata: Object.fromEntries(
        Object.entries(metadata).map(([name, value]) => [
          name,
          parseBytes(value, `payloads.${index}.metadata.${name}`),
        ]),
      ),
      data: parseBytes(data, `payloads.${index}.data`),
    };
  });
}

/** The sizes for the payloads of a codec request. A reference is returned unchanged, with its sizes. */
export function parseSizes(body: unknown): (ExternalSize[] | undefined)[] {
  const { payloads } = isRecord(body) ? body : {};
  return (Array.isArray(payloads) ? payloads : []).map((payload: unknown) => {
    const { externalPayloads } = isRecord(payload) ? payload : {};
    return Array.isArray(externalPayloads) && externalPayloads.every(isSize) ? externalPayloads : undefined;
  });
}

export function shown(
  payloads: { metadata?: Record<string, Uint8Array> | null; data?: Uint8Array | null }[],
  sizes: (ExternalSize[] | undefined)[] = [],
): { payloads: ShownPayload[] } {
  return {
    payloads: payloads.map(({ metadata, data }, index) => ({
      metadata: Object.fromEntries(
        Object.entries(metadata ?? {}).map(([name, bytes]) => [name, base64(bytes)]),
      ),
      data: base64(data ?? new Uint8Array()),
      ...(sizes[index] ? { externalPayloads: sizes[index] } : {}),
    })),
  };
}

function parseBytes(value: unknown, path: string): Uint8Array {
  if (typeof value !== 'string' || !/^[A-Za-z0-9+/_-]*={0,2}$/.test(value))
    throw Invalid.field(path, 'must be base64', 'type');
  return Buffer.from(value, 'base64');
}

function isSize(value: unknown): value is ExternalSize {
  return isRecord(value) && typeof value.sizeBytes === 'string' && /^\d{1,19}$/.test(value.sizeBytes);
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
