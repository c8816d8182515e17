/**
 * The request was not sent, and trying again does not help: its target is not one that this system calls
 * (`EGRESS_REFUSED`), or its method or headers are none that can be sent (`INVALID_VALUE`).
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
