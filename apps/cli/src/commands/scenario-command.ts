import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { ScenarioResult } from '#libs/runs/scenario/scenario';
import { readDocument } from '../definitions/workflow-files.ts';
import { Exit, exitCodes, UsageError } from '../exit.ts';
import type { CommandSession } from '../session.ts';
import { safeText } from '../terminal.ts';
import { acting, type CommandContext, type CommandOptions, getGlobals, withSession } from './context.ts';
import { requireText } from './run-command.ts';
import { examples } from './session-commands.ts';

/** Commands that play scenarios, without an installation, and that make them from executions. */
export function addScenarioCommands(program: Command, context: CommandContext): void {
  program
    .command('scenario <file...>')
    .description('Play scenarios of a definition on this machine, on a clock that jumps')
    .option('--only <text>', 'only scenarios whose name holds this')
    .addHelpText(
      'after',
      examples(
        'holdfast scenario orders/order-saga.scenario.json',
        'holdfast scenario flows/*.scenario.json --only late',
      ),
    )
    .action(acting(context, playFiles));
  program
    .command('record <execution>')
    .description('Make a file with a scenario from an execution, which plays it again')
    .option('-o, --output <file>', 'write to this file')
    .addHelpText('after', examples('holdfast record exec_01... -o orders/refused.scenario.json'))
    .action(withSession(context, record));
}

async function record(session: CommandSession, options: CommandOptions, executionId?: string): Promise<void> {
  const id = requireText(executionId, 'The execution');
  const { workflowId } = await session.client.logs.get(id);
  const { scenario, differences } = await session.client.executions.getScenario(workflowId, id);
  for (const text of differences) session.terminal.err(`It plays another way: ${safeText(text)}\n`);
  const { output } = options as { output?: string };
  const text = `${JSON.stringify(scenario, null, 2)}\n`;
  if (output === undefined) return session.terminal.out(text);
  await writeFile(output, text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new UsageError(`${output} is there already. Name another file.`) : error;
  });
  session.done(
    { output, differences },
    `The scenario is in ${output}. Play it with: holdfast scenario ${output}`,
  );
}

/** Plays all files. A file that cannot be played counts as one that failed, and the next is played all the same. */
async function playFiles(
  context: CommandContext,
  options: CommandOptions,
  ...files: unknown[]
): Promise<void> {
  const { only } = options as { only?: string };
  const { terminal } = context;
  const isJson = getGlobals(context).json === true;
  const print = (text: string) => (isJson ? undefined : terminal.out(`${safeText(text)}\n`));
  // Other commands need no engine.
  const { isScenarioFault, report, runScenarios } = await import('#libs/runs/scenario/run-scenarios');
  const signal = interruption();
  const results: ScenarioResult[] = [];
  const faults: { file: string; error: string; details: unknown }[] = [];
  for (const file of files.map(String)) {
    if (signal.aborted) break;
    if (files.length > 1) print(file);
    try {
      const onResult = (result: ScenarioResult) => {
        results.push(result);
        print(report(result));
      };
      await runScenarios(file, { ...(only ? { only } : {}), signal, readDocument, onResult });
    } catch (error) {
      if (!isScenarioFault(error)) throw error;
      print(`FAILED  ${file}  ${error.message}`);
      for (const { path, message } of error.details ?? []) print(`          ${path}: ${message}`);
      faults.push({ file, error: error.message, details: error.details ?? [] });
    }
  }
  const passed = results.filter((result) => result.passed).length;
  const failed = results.length - passed + faults.length;
  // A test run without a scenario proves nothing, so it fails, for example when --only matches no name.
  if (passed + failed === 0 && !signal.aborted) print('No scenario has such a name.');
  if (isJson) terminal.out(`${JSON.stringify({ passed, failed, results, faults }, null, 2)}\n`);
  print(`${passed} passed, ${failed} failed`);
  if (signal.aborted || failed > 0 || passed === 0) throw new Exit(exitCodes.failed);
}

/** Aborted when this process is asked to end: the run under way is then shown as far as it came. */
function interruption(): AbortSignal {
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => interrupted.abort());
  return interrupted.signal;
}
