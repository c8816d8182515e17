/** One thing that is wrong with a request: the field, the rule that it breaks, and a sentence. */
export interface ErrorDetail {
  path: string;
  message: string;
  code: string;
  blockId?: string;
  rowId?: string;
  position?: number;
}

/** Every error that this client throws. `message` is a sentence that says what to do. */
export class HoldfastError extends Error {
  override readonly name: string = 'HoldfastError';
  /** A stable upper-case word for programs. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The client was set up or called wrongly; nothing was sent. */
export class ConfigurationError extends HoldfastError {
  override readonly name = 'ConfigurationError';
  constructor(message: string, options?: ErrorOptions) {
    super('CONFIGURATION', message, options);
  }
}

/** No answer came: the server is away, or the connection broke. `cause` has the reason. */
export class ConnectionError extends HoldfastError {
  override readonly name: string = 'ConnectionError';
  constructor(message: string, options?: ErrorOptions, code = 'CONNECTION_FAILED') {
    super(code, message, options);
  }
}

/** The answer, or the next part of it, did not come in time. The server may have done the work all the same. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
  constructor(message: string, options?: ErrorOptions) {
    super(message, options, 'TIMEOUT');
  }
}

/** The caller aborted the call through its signal. */
export class AbortedError extends HoldfastError {
  override readonly name = 'AbortedError';
  constructor(options?: ErrorOptions) {
    super('ABORTED', 'The call was aborted by its caller.', options);
  }
}

/** A file or a stream of the caller could not be read while it was sent. */
export class FileReadError extends HoldfastError {
  override readonly name = 'FileReadError';
  constructor(name: string, options?: ErrorOptions) {
    super(
      'FILE_UNREADABLE',
      `${name} could not be read while it was sent. Check that it still exists.`,
      options,
    );
  }
}

/** The answer is not what Holdfast sends: most often the address belongs to something else. */
export class UnreadableAnswerError extends HoldfastError {
  override readonly name = 'UnreadableAnswerError';
  constructor(
    readonly status: number,
    message: string,
    options?: ErrorOptions,
  ) {
    super('UNREADABLE_ANSWER', message, options);
  }
}

/** The refusal of a call, as the server gave it. */
export interface Refusal {
  status: number;
  code: string;
  message: string;
  requestId: string | undefined;
  details: ErrorDetail[];
  headers: Headers;
  retryAfterMs: number | undefined;
}

/** The server refused the call. */
export class ApiError extends HoldfastError {
  override readonly name: string = 'ApiError';
  readonly status: number;
  /** Names the request in the server's log. */
  readonly requestId: string | undefined;
  readonly details: ErrorDetail[];
  readonly headers: Headers;
  /** The wait that the server asks for, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(refusal: Refusal) {
    const { status, code, message, requestId, details, headers, retryAfterMs } = refusal;
    const [first] = details;
    // The sentence of the server has its first fault already, with a capital or a full stop of its own.
    const isSaid = first !== undefined && message.includes(first.message.slice(1));
    const fields = details
      .slice(isSaid ? 1 : 0)
      .map((one) => (one.path ? `${one.path}: ${one.message}` : one.message));
    super(code, [message, ...(fields.length > 0 ? [`(${fields.join('; ')})`] : [])].join(' '));
    this.status = status;
    this.requestId = requestId;
    this.details = details;
    this.headers = headers;
    this.retryAfterMs = retryAfterMs;
  }
}

/** 400: a field is wrong; `details` names each. */
export class InvalidRequestError extends ApiError {
  override readonly name = 'InvalidRequestError';
}
/** 401: there is no such key, or it is revoked or expired. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
}
/** 402: a limit of the plan or of the member is reached. */
export class UsageLimitError extends ApiError {
  override readonly name = 'UsageLimitError';
}
/** 403: the key may not do this. */
export class PermissionError extends ApiError {
  override readonly name = 'PermissionError';
}
/** 404: there is no such thing, or it belongs to another workspace. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}
/** 409: the present state does not allow the call; `code` says why. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
}
/** 412: somebody has changed the thing since it was read. */
export class OutdatedError extends ApiError {
  override readonly name = 'OutdatedError';
}
/** 422: the Idempotency-Key was used with another body, or by somebody else. */
export class IdempotencyKeyReusedError extends ApiError {
  override readonly name = 'IdempotencyKeyReusedError';
}
/** 429: too many calls; `retryAfterMs` says how long to wait. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
}
/** 5xx: the server failed, or a part of it is away. */
export class ServerError extends ApiError {
  override readonly name = 'ServerError';
}

const classes: Record<number, new (refusal: Refusal) => ApiError> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  402: UsageLimitError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  412: OutdatedError,
  422: IdempotencyKeyReusedError,
  429: RateLimitError,
};

/** The error of the class that the status stands for. */
export function toError(refusal: Refusal): ApiError {
  const Class = classes[refusal.status] ?? (refusal.status >= 500 ? ServerError : ApiError);
  return new Class(refusal);
}
