import { DefaultFailureConverter } from '@temporalio/common';

/** Puts message and stack of a failure into a payload, which the codec seals: both may quote a run's values. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
