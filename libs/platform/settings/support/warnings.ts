import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * Makes a test that blocks nothing: when it fails, it passes, and the end of `npm test` and `npm run check` has a line about it. It is for
 * what pleases a reader, such as words and sizes. What protects a user is a plain test.
 */
export function asWarning<A extends unknown[]>(work: (...args: A) => unknown): (...args: A) => Promise<void> {
  return async (...args) => {
    try {
      await work(...args);
    } catch (error) {
      const { testPath = '', currentTestName: title = '' } = expect.getState();
      warn({ file: relative(process.cwd(), testPath), title, message: String(error) });
    }
  };
}

/** Registers a test that blocks nothing, see `asWarning`. */
export function testAsWarning(title: string, work: () => unknown): void {
  test(title, asWarning(work));
}

/** Adds a line to the warnings at the end of the run of tests. */
export function warn(warning: { file: string; title: string; message: string }): void {
  const kept = process.env['HOLDFAST_TEST_WARNINGS'];
  if (kept) appendFileSync(kept, `${JSON.stringify(warning)}\n`);
  else process.stderr.write(`warning: ${warning.title}: ${warning.message}\n`);
}
