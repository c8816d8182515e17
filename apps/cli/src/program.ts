import { Command } from 'commander';
import { addAdminCommands } from './commands/admin-commands.ts';
import type { CommandContext } from './commands/context.ts';
import { addDefinitionCommands } from './commands/definition-commands.ts';
import { addCalendarCommands } from './commands/calendar-commands.ts';
import { addAlertCommands } from './commands/alert-commands.ts';
import { addEndpointCommands } from './commands/endpoint-commands.ts';
import { addBulkCommands } from './commands/bulk-commands.ts';
import { addHoldCommands } from './commands/hold-commands.ts';
import { addImportCommand } from './commands/import-command.ts';
import { addKnowledgeCommands } from './commands/knowledge-commands.ts';
import { addLogCommands } from './commands/log-commands.ts';
import { addRunControlCommands } from './commands/run-control-commands.ts';
import { addNewCommand } from './commands/new-command.ts';
import { addPeopleCommands } from './commands/people-commands.ts';
import { addRunCommand } from './commands/run-command.ts';
import { addScenarioCommands } from './commands/scenario-command.ts';
import { addTestCommand } from './commands/test-command.ts';
import { addSessionCommands, examples } from './commands/session-commands.ts';
import { addTableCommands } from './commands/table-commands.ts';
import { addTriggerCommands } from './commands/trigger-commands.ts';
import { addToolCommands } from './commands/tool-commands.ts';
import { describeError, Exit, exitCodes } from './exit.ts';
import { safeText, type Terminal } from './terminal.ts';

/** The version of the command line, as in its package.json. */
const version = '0.1.0';

/** The whole command line. */
export function createProgram(terminal: Terminal): Command {
  const program = new Command('holdfast')
    .description('Durable workflows: keep them as files, execute them, answer what waits for people.')
    .version(version, '-V, --version')
    .option('--profile <name>', 'the installation that `holdfast login` has stored under this name')
    .option('--url <address>', 'the address of the installation')
    .option('--key <key>', 'the API key; better in HOLDFAST_API_KEY, since others see the words of a command')
    .option('--workspace <id>', 'the workspace')
    .option('--json', 'print results as JSON')
    .option('--verbose', 'tell each request')
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .configureHelp({ sortSubcommands: false, showGlobalOptions: true })
    .showSuggestionAfterError()
    .exitOverride()
    .addHelpText(
      'after',
      `${examples('holdfast login', 'holdfast pull workflows', 'holdfast run invoice --input amount=5', 'holdfast inbox')}
Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 the execution failed, 4 it waits for a person, 5 files differ, 6 not reached.`,
    );
  const context: CommandContext = { terminal, program };
  addSessionCommands(program, context);
  addNewCommand(program, context);
  addDefinitionCommands(program, context);
  addImportCommand(program, context);
  addRunCommand(program, context);
  addScenarioCommands(program, context);
  addTestCommand(program, context);
  addLogCommands(program, context);
  addRunControlCommands(program, context);
  addBulkCommands(program, context);
  addPeopleCommands(program, context);
  addTriggerCommands(program, context);
  addTableCommands(program, context);
  addKnowledgeCommands(program, context);
  addHoldCommands(program, context);
  addAlertCommands(program, context);
  addCalendarCommands(program, context);
  addEndpointCommands(program, context);
  addAdminCommands(program, context);
  addToolCommands(program, context);
  // Behind the name of a command an option is that of this command: `--version`, and `--dry-run` of `bulk undo`.
  program.enablePositionalOptions();
  inheritSettings(program, program);
  return program;
}

/** Global options may stand behind the name of a command too. */
function inheritSettings(program: Command, parent: Command): void {
  for (const command of parent.commands) {
    command.copyInheritedSettings(program);
    inheritSettings(program, command);
  }
}

/** Runs one command and resolves with its exit code. */
export async function runProgram(terminal: Terminal, words: string[]): Promise<number> {
  const program = createProgram(terminal);
  try {
    await program.parseAsync(hoistGlobals(program, words), { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    terminal.progress('');
    if (error instanceof Exit) return error.exitCode;
    const { code: word, exitCode } = Object(error) as { code?: string; exitCode?: number };
    // Commander has already shown the fault, or its help.
    if (word?.startsWith('commander.')) return exitCode === 0 ? exitCodes.done : exitCodes.wrongUsage;
    const { message, code, details } = describeError(error);
    const isJson = program.opts()['json'] === true;
    terminal.err(
      isJson
        ? `${JSON.stringify({ error: message, ...details })}\n`
        : `${terminal.paint('red', 'error')} ${safeText(message)}\n`,
    );
    return code;
  }
}

/** Puts the options of the program before the name of the command, where commander looks for them. */
function hoistGlobals(program: Command, words: string[]): string[] {
  const end = words.indexOf('--');
  const [own, rest] = end < 0 ? [words, []] : [words.slice(0, end), words.slice(end)];
  if (own[0] === 'complete') return words;
  const hoisted: string[] = [];
  const left: string[] = [];
  for (let at = 0; at < own.length; at++) {
    const word = own[at] ?? '';
    const name = word.split('=')[0];
    const option = program.options.find(({ long }) => long === name && long !== '--version');
    if (!option) left.push(word);
    else {
      hoisted.push(word);
      if (option.required && !word.includes('=') && at + 1 < own.length) hoisted.push(own[++at] ?? '');
    }
  }
  return [...hoisted, ...left, ...rest];
}
