/** The target is not one that this system calls. Nothing was sent to it, and trying again does not help. */
export class EgressRefused extends Error {
  override readonly name = 'EgressRefused';
  readonly code = 'EGRESS_REFUSED';
}

export type EgressFailure =
  | 'CONNECT_FAILED'
  | 'DNS_FAILED'
  | 'TIMEOUT'
  | 'RESPONSE_TOO_LARGE'
  | 'RESPONSE_INVALID'
  | 'TOO_MANY_REDIRECTS'
  | 'TLS_FAILED'
  | 'RESET';

/**
 * The call was allowed and did not succeed. `sent` is true once any byte of a request may have reached a server: a request
 * that is not idempotent is not repeated then. Messages name the host of the URL, never an address that it resolved to.
 */
export class EgressFailed extends Error {
  override readonly name = 'EgressFailed';

  constructor(
    readonly code: EgressFailure,
    message: string,
    readonly sent = false,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}
