import type { ErrorBody, RefusalFormat } from '../http/refusal-formats.ts';

/** The path prefix of the clients of another product. */
export const foreignRoot = '/api/v2';

const isForeign = /^\/api\/v2(?=[/?]|$)/;

/** The clients' names for our fields. */
const fields: Record<string, string> = {
  inputs: 'input',
  folder: 'folderPath',
  folderIds: 'folderPaths',
  name: 'search',
  executionId: 'runId',
};

function foreignPath(path: string): string {
  return path.replace(/^\w+/, (first) => fields[first] ?? first);
}

/** The clients' code for a status. */
const codes: Record<number, string> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  402: 'USAGE_LIMIT_EXCEEDED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'RATE_LIMITED',
  500: 'INTERNAL_ERROR',
  503: 'SERVICE_UNAVAILABLE',
};

/** A refusal in the clients' form. Our own code is in `details` when no field is at fault. */
interface ForeignRefusal {
  error: { code: string; message: string; details: object };
}

/** Refusals for the clients of another product. */
export const foreignRefusals: RefusalFormat = { path: isForeign, write: foreignRefusal };

function foreignRefusal(status: number, { error, code, requestId, ...body }: ErrorBody): ForeignRefusal {
  const details = body.details?.map((detail) => ({ ...detail, path: foreignPath(detail.path) }));
  const foreignCode = codes[status] ?? (status < 500 ? 'BAD_REQUEST' : 'INTERNAL_ERROR');
  // Some of those clients show only the message, so it names the field.
  const [first] = details ?? [];
  const message = first?.path ? `${first.path}: ${first.message}` : error;
  return { error: { code: foreignCode, message, details: details ?? { code, requestId } } };
}
