import { DefaultFailureConverter } from '@temporalio/common';

/** Puts message and stack of a failure into a payload, because both may quote a run's values. The codec seals payloads. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
