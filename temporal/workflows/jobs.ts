import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  setCurrentDetails,
} from '@temporalio/workflow';

/**
 * Every activity of a job is retried while a database or a model is away. The activities count the attempts that ended their
 * worker, and give up themselves.
 */
export const retry = { initialInterval: '500ms', maximumInterval: '30s' } as const;

/**
 * Does the work of a job. A job that cannot be done fails with a reason, also when an operator ends it. A job whose failure says
 * `SUPERSEDED` has nothing left to do.
 */
export async function runJob(
  work: () => Promise<string>,
  fail: (code: string, message: string) => Promise<unknown>,
  sentences: { cancelled: string; late: string },
): Promise<string> {
  try {
    return await work();
  } catch (error) {
    const [code, message] = toReason(error, sentences);
    if (code === 'SUPERSEDED') return 'superseded';
    await CancellationScope.nonCancellable(() => fail(code, message));
    setCurrentDetails(`Failed: ${message}`);
    return 'failed';
  }
}

function toReason(
  error: unknown,
  { cancelled, late }: { cancelled: string; late: string },
): [string, string] {
  if (isCancellation(error)) return ['CANCELLED', cancelled];
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof ApplicationFailure) return [cause.type ?? 'PROCESSING_FAILED', cause.message];
  return ['PROCESSING_FAILED', late];
}
