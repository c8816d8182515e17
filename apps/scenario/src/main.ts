import { parseArgs } from 'node:util';
import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import { obtain } from '#apps/local/src/binaries';
import { ApiError } from '#libs/platform/errors/errors';
import { runScenarios, type ScenarioOptions } from '#libs/runs/scenario/run-scenarios';
import { report } from '#libs/runs/scenario/trace';

const USAGE = `npm run scenario -- FILE... [options]

  FILE           a JSON file of scenarios, as apps/local/examples/licence-review.scenario.json
  --only TEXT    only scenarios whose name holds this
  --help         this text

Plays each on a Temporal whose clock jumps: days pass in milliseconds, and nothing leaves this machine.
The exit code is 1 when a scenario failed; the last line says how many passed and failed.`;

const closeMsMax = 30_000;
const print = (text: string) => void process.stdout.write(`${text}\n`);

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { only: { type: 'string' }, help: { type: 'boolean' } },
  });
  if (values.help || positionals.length === 0) {
    print(USAGE);
    process.exitCode = values.help ? 0 : 1;
    return;
  }
  // The report of the scenario says why a run failed, so the SDK need not log it.
  const logging = { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) };
  Runtime.install({ shutdownSignals: [], logger: new DefaultLogger('ERROR'), telemetryOptions: { logging } });
  const testServer = process.env['HOLDFAST_TEST_TIMESKIPPING'] || (await obtain('temporal-test-server'));
  const signal = interruption();
  const counts = { passed: 0, failed: 0 };
  for (const file of positionals) {
    if (signal.aborted) break;
    if (positionals.length > 1) print(file);
    await playFile(file, { testServer, only: values.only, signal }, counts);
  }
  // A test run without a scenario proves nothing, so it fails, for example when --only matches no name.
  if (counts.passed + counts.failed === 0 && !signal.aborted) print('No scenario has such a name.');
  print(`${counts.passed} passed, ${counts.failed} failed`);
  process.exitCode = signal.aborted || counts.failed > 0 || counts.passed === 0 ? 1 : 0;
}

/** Aborted when this process is asked to end: the test server is a process of its own, and would outlive it. */
function interruption(): AbortSignal {
  const interrupted = new AbortController();
  const end = () => {
    interrupted.abort();
    // A terminal sends the signal to the test server too, so it may have ended already.
    setTimeout(() => process.exit(1), closeMsMax).unref();
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, end);
  return interrupted.signal;
}

/** A file that cannot be played counts as one that failed, and the next is played all the same. */
async function playFile(
  file: string,
  options: ScenarioOptions,
  counts: { passed: number; failed: number },
): Promise<void> {
  try {
    const results = await runScenarios(file, { ...options, onResult: (one) => print(report(one)) });
    for (const { passed } of results) counts[passed ? 'passed' : 'failed']++;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    print(`FAILED  ${file}  ${error.message}`);
    for (const { path, message } of error.details ?? []) print(`          ${path}: ${message}`);
    counts.failed++;
  }
}

await main();
