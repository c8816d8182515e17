import { capped } from './details.ts';

/** One fault in a request: the field, the broken rule as a sentence, and the stable code of the rule. */
export interface Detail {
  /** The dotted path of the field from the root of the body, query or headers. Empty when no single field is wrong. */
  path: string;
  message: string;
  code: string;
}

/**
 * An error that a caller can act on. Everything else that is thrown is a bug.
 * `message` and `code` reach the caller unchanged, so neither may hold another tenant's data.
 */
export abstract class ApiError extends Error {
  abstract readonly kind: ErrorKind;

  constructor(
    message: string,
    readonly code: string,
    readonly details?: Detail[],
  ) {
    super(message);
    this.name = new.target.name;
  }
}

export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'denied'
  | 'absent'
  | 'conflict'
  | 'mismatch'
  | 'outdated'
  | 'tooLarge'
  | 'unsupported'
  | 'tooMany'
  | 'unpaid'
  | 'unavailable';

/** The request is wrong; `details` says where, for a hundred faults at most. Never empty. */
export class Invalid extends ApiError {
  readonly kind = 'invalid';

  constructor(details: [Detail, ...Detail[]] | Detail[], message?: string, code = 'INVALID_REQUEST') {
    const first = details[0];
    const said = message ?? (first ? sentence(first, details.length) : 'The request is not valid.');
    super(said, code, capped(details));
  }

  /** The common case: one field, one rule. */
  static field(path: string, message: string, code = 'invalid'): Invalid {
    return new Invalid([{ path, message, code }]);
  }

  /** The same faults in a member of the request. */
  under(member: string): Invalid {
    return new Invalid(
      (this.details ?? []).map((detail) => ({ ...detail, path: `${member}.${detail.path}` })),
    );
  }
}

/** The fault of a field that a request, or a part of it, does not have. `known` are the fields that it has. */
export const toUnknownField = (path: string, known: readonly string[]): Detail => ({
  path,
  message: `is not a field of this request. Known: ${known.join(', ') || 'none'}.`,
  code: 'unknown_field',
});

/** The body is in a form that is not read. */
export class UnsupportedBody extends ApiError {
  readonly kind = 'unsupported';

  constructor(message: string) {
    super(message, 'UNSUPPORTED_MEDIA_TYPE');
  }
}

/** The request has no key, or not a live one. Every cause gets the same message, so that keys cannot be enumerated. */
export class Unauthenticated extends ApiError {
  readonly kind = 'unauthenticated';

  constructor(message = 'A valid API key is required in the X-API-Key header.', code = 'UNAUTHORIZED') {
    super(message, code);
  }
}

/** The caller is known, but does not have the permission. */
export class Denied extends ApiError {
  readonly kind = 'denied';

  constructor(message: string, code = 'FORBIDDEN') {
    super(message, code);
  }
}

/** The thing does not exist or belongs to another workspace; the error is the same for both. */
export class NotFound extends ApiError {
  readonly kind = 'absent';

  /** `resource` is the kind of the thing, in lower case: `row`. */
  constructor(readonly resource: string) {
    super(`No such ${resource}.`, 'NOT_FOUND');
  }
}

/** The thing is not in a state that allows this. */
export class Conflict extends ApiError {
  readonly kind = 'conflict';

  constructor(message: string, code = 'CONFLICT') {
    super(message, code);
  }
}

/** The name is already in use, and names must be unique there. */
export class NameTaken extends Conflict {
  constructor(thing: string, name: string) {
    const article = /^([aeiou]|MCP )/.test(thing) ? 'An' : 'A';
    super(`${article} ${thing} named "${name}" exists already; choose another name.`, 'NAME_TAKEN');
  }
}

/** The first request with an Idempotency-Key is still at work. `executionId` is the execution that it starts, if it starts one. */
export class InFlight extends Conflict {
  readonly retryAfterS = 2;

  constructor(readonly executionId?: string) {
    const [as, or] = executionId ? [`, as ${executionId}`, ', or read that execution'] : ['', ''];
    super(
      `A request with this Idempotency-Key is still in progress${as}; send it again after the seconds in Retry-After${or}.`,
      'IDEMPOTENCY_IN_FLIGHT',
    );
  }
}

/** An Idempotency-Key was used again with another request. */
export class Mismatch extends ApiError {
  readonly kind = 'mismatch';

  constructor() {
    super(
      'This Idempotency-Key was used with another request or by another caller; use a new key.',
      'IDEMPOTENCY_KEY_REUSED',
    );
  }
}

/** The thing has changed since the caller read it, and the call allowed no such change. */
export class Outdated extends ApiError {
  readonly kind = 'outdated';

  constructor(message: string, details?: Detail[]) {
    super(message, 'PRECONDITION_FAILED', details && capped(details));
  }
}

/** The request is larger than may be sent or stored. */
export class TooLarge extends ApiError {
  readonly kind = 'tooLarge';

  constructor(message: string) {
    super(message, 'PAYLOAD_TOO_LARGE');
  }
}

/** A limit is reached; the caller may try again in `retryAfterS` whole seconds. */
export class TooMany extends ApiError {
  readonly kind = 'tooMany';

  constructor(
    message: string,
    readonly retryAfterS: number,
    code = 'RATE_LIMIT_EXCEEDED',
  ) {
    super(message, code);
  }
}

/** A limit that somebody pays for is reached; `rule` is its stable name. */
export class Unpaid extends ApiError {
  readonly kind = 'unpaid';

  constructor(message: string, rule: string, code = 'USAGE_LIMIT_EXCEEDED') {
    super(message, code, [{ path: '', message, code: rule }]);
  }
}

/** A backend that is needed does not answer; try again in `retryAfterS` whole seconds. */
export class Unavailable extends ApiError {
  readonly kind = 'unavailable';

  constructor(
    message: string,
    readonly retryAfterS = 2,
  ) {
    super(message, 'UNAVAILABLE');
  }
}

function sentence(first: Detail, count: number): string {
  const said = formatDetail(first);
  if (count === 1) return said;
  return `${said} ${count === 2 ? 'One more fault is' : `${count - 1} more faults are`} in details.`;
}

/** All faults as sentences that name their fields, for a reader who gets no list of details. */
export function formatDetails({ message, details = [] }: Pick<ApiError, 'message' | 'details'>): string {
  if (details.length === 0) return message;
  return details.map(formatDetail).join(' ');
}

/** The first words of messages that are a predicate without a subject. The name of the field is the subject. */
const predicate =
  /^(is|are|must|may|can|cannot|has|have|had|holds|makes|matches|goes|ended|differs|needs|names|does|fits|belongs|lies)\b/;

/** One fault as a sentence that names its field. The message is a sentence already, or a predicate that needs the field as its subject. */
export function formatDetail({ path, message }: Pick<Detail, 'path' | 'message'>): string {
  const ended = /[.!?…]$/.test(message) ? message : `${message}.`;
  if (predicate.test(ended)) return path ? `"${path}" ${ended}` : `The request ${ended}`;
  const said = `${ended.charAt(0).toUpperCase()}${ended.slice(1)}`;
  return path === '' || said.includes(path) ? said : `${path}: ${said}`;
}
