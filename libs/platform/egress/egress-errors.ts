/**
 * The request was not sent, and a retry does not help. `EGRESS_REFUSED`: the target is not allowed. `INVALID_VALUE`: the method or
 * a header is invalid.
 */
export class EgressRefused extends Error {
  override readonly name = 'EgressRefused';

  constructor(
    message: string,
    readonly code: 'EGRESS_REFUSED' | 'INVALID_VALUE' = 'EGRESS_REFUSED',
  ) {
    super(message);
  }

  static host(hostname: string): EgressRefused {
    return new EgressRefused(
      `The host ${hostname} has an address that is not public, so it is not called; the setting EGRESS_ALLOW names the exceptions.`,
    );
  }
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
 * The call was allowed and failed. `sent` is true when any byte of a request may have reached a server; then a request that is not
 * idempotent must not be repeated. Messages name the host of the URL, never its IP address.
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
