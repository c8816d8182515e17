import { ApplicationFailure, type WorkflowInterceptorsFactory } from '@temporalio/workflow';

/**
 * Says in the line of the log about a run that failed with which code it did. What the SDK puts there by itself loses that on its way out of
 * the thread of the workflow, and keeps the message, which holds the words of authors and of those whom they called.
 */
export const interceptors: WorkflowInterceptorsFactory = () => {
  let failed: { type: string; code: string } | null = null;
  return {
    inbound: [
      {
        async execute(input, next) {
          try {
            return await next(input);
          } catch (error) {
            if (error instanceof ApplicationFailure)
              failed = { type: error.name, code: error.type ?? 'FAILED' };
            throw error;
          }
        },
      },
    ],
    outbound: [
      {
        getLogAttributes: (logged, next) => next(failed ? { ...logged, failed } : logged),
      },
    ],
  };
};
