import { ApplicationFailure, type WorkflowInterceptorsFactory } from '@temporalio/workflow';

/**
 * Adds type and code of the failure to the log line of a failed run. The SDK's own fields lose the code on their way
 * out of the workflow's thread. They keep the message, which may quote authors and called servers.
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
