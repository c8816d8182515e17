import { ScreenedFailureConverter } from './failure-converter.ts';

/** Puts message and stack of a failure into a payload, because both may quote a run's values. The codec seals payloads. */
export const failureConverter = new ScreenedFailureConverter({ encodeCommonAttributes: true });
