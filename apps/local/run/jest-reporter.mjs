import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * Writes what Jest runs to the file that `HOLDFAST_TEST_RESULTS` names, a line of JSON each: the number of files, each file that begins,
 * and the result of each file. So the results are known also when Jest is ended from outside.
 */
export default class ResultsReporter {
  #root = '';

  onRunStart({ numTotalTestSuites }) {
    write({ files: numTotalTestSuites });
  }

  onTestFileStart({ path, context }) {
    this.#root = context.config.rootDir;
    write({ began: relative(this.#root, path) });
  }

  onTestFileResult({ path }, result) {
    const failures = result.testResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => ({ title: fullName, message: failureMessages.join('\n') }));
    // A file that cannot be read has no tests.
    if (result.testExecError || (failures.length === 0 && result.failureMessage))
      failures.push({ title: '', message: result.failureMessage ?? String(result.testExecError) });
    write({
      file: relative(this.#root, path),
      passed: result.numPassingTests,
      skipped: result.numPendingTests + result.numTodoTests,
      failures,
    });
  }
}

function write(line) {
  const file = process.env.HOLDFAST_TEST_RESULTS;
  if (file) appendFileSync(file, `${JSON.stringify(line)}\n`);
}
