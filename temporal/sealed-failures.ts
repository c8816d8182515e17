import { DefaultFailureConverter } from '@temporalio/common';

/** Puts message and stack of a failure into a payload, where the codec seals them: both may quote a run's values. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
