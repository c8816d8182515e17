import type { GuestError } from './messages.ts';

export type SandboxCode = GuestError['code'] | 'CODE_TIMEOUT' | 'SANDBOX_BUSY' | 'SANDBOX_CRASHED';

/** The place of the error in the user's code, counted from 1, and the log lines before it. */
export interface SandboxDetails {
  line?: number;
  column?: number;
  stack?: string;
  logs: string[];
  /** Absent when no code was handed over. */
  durationMs?: number;
}

/**
 * A run without a result. `CODE_…`: the user's code failed, and a retry fails again. `SANDBOX_…`: the host failed, and a retry may
 * succeed. The message is a whole sentence or the guest's message. It contains no path of this machine.
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

/** The process died before the first line of the code ran, so another process may run the code. */
export class NotBegun extends SandboxError {
  constructor(message: string) {
    super('SANDBOX_CRASHED', message);
  }
}

export function crashed(how: string, logs: string[]): SandboxError {
  return new SandboxError('SANDBOX_CRASHED', `The process that ran the code ${how}.`, { logs });
}

/** The error of a result that is no JSON. Code that has taken control of its process may send one. */
export const unreadable = (logs: string[]): SandboxError => crashed('sent no result that can be read', logs);
