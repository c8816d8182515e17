import * as fc from 'fast-check';
import { isWhole } from '#libs/platform/settings/support/whole';

/**
 * The seed of this file's random inputs: fixed, so that a change alone can turn a test red, and new in whole. Set HOLDFAST_TEST_SEED to
 * the seed of a failure to have its inputs again.
 */
export const seed = Number(process.env['HOLDFAST_TEST_SEED'] ?? (isWhole ? Date.now() % 2 ** 31 : 1));

fc.configureGlobal({ seed });

/** A third of so many runs in `npm test`, where each change has the same inputs again. */
export const lessOften = (runs: number): number => (isWhole ? runs : Math.ceil(runs / 3));

export { fc };
