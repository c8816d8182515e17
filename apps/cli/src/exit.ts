import { ApiError, ConnectionError, HoldfastError } from '#libs/sdk/src/holdfast';

/** The exit codes, as scripts read them. */
export const exitCodes = {
  done: 0,
  failed: 1,
  wrongUsage: 2,
  executionFailed: 3,
  executionWaits: 4,
  differs: 5,
  notReached: 6,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The command was given wrongly, or misses something that only its caller can give. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Ends the command with this code. All messages have been shown. */
export class Exit extends Error {
  override readonly name = 'Exit';
  constructor(readonly exitCode: ExitCode) {
    super(`exit ${exitCode}`);
  }
}

/** The sentence and the exit code of an error. */
export function describeError(error: unknown): { message: string; code: ExitCode; details?: object } {
  if (error instanceof UsageError) return { message: error.message, code: exitCodes.wrongUsage };
  if (error instanceof ConnectionError) return { message: error.message, code: exitCodes.notReached };
  if (error instanceof ApiError) {
    const { message, code, status, requestId, details } = error;
    const hint = hints[status] ? ` ${hints[status]}` : '';
    return {
      message: `${message}${hint} [${code}${requestId ? `, ${requestId}` : ''}]`,
      code: exitCodes.failed,
      details: { code, status, requestId, details },
    };
  }
  if (error instanceof HoldfastError)
    return { message: error.message, code: exitCodes.failed, details: { code: error.code } };
  return { message: error instanceof Error ? error.message : String(error), code: exitCodes.failed };
}

const hints: Record<number, string> = {
  401: 'Log in anew with: holdfast login.',
  403: 'See what the key may do with: holdfast whoami.',
};
