import type { GuestError } from './messages.ts';

export type SandboxCode = GuestError['code'] | 'CODE_TIMEOUT' | 'SANDBOX_BUSY' | 'SANDBOX_CRASHED';

/** The place of the error in the user's code, counted from 1, and the lines logged until then. */
export interface SandboxDetails {
  line?: number;
  column?: number;
  stack?: string;
  logs: string[];
  /** Absent when no code was handed over. */
  durationMs?: number;
}

/**
 * A run without a result. `CODE_…` is the user's code and stays so when repeated; `SANDBOX_…` is the host and may pass.
 * The message is a whole sentence or the guest's own words; no path of this machine is in it.
 */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';

  constructor(
    readonly code: SandboxCode,
    message: string,
    readonly details: SandboxDetails = { logs: [] },
  ) {
    super(message);
  }

  static of(fault: GuestError, logs: string[]): SandboxError {
    const at = /code\.js:(\d+)(?::(\d+))?/.exec(fault.stack ?? '');
    const place = at ? { line: Number(at[1]), ...(at[2] ? { column: Number(at[2]) } : {}) } : {};
    return new SandboxError(fault.code, fault.message, {
      ...place,
      ...(fault.stack ? { stack: fault.stack } : {}),
      logs,
    });
  }
}

/** The process died before the first line of the code ran in it: another process may run the code. */
export class NotBegun extends SandboxError {
  constructor(message: string) {
    super('SANDBOX_CRASHED', message);
  }
}
