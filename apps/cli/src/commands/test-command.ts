import type { Command } from 'commander';
import { readDocument } from '../definitions/workflow-files.ts';
import { UsageError } from '../exit.ts';
import { collect, readInputs } from '../inputs.ts';
import { type PlainObject, toObject } from '../json-object.ts';
import { findWorkflow } from '../lookups.ts';
import type { CommandSession } from '../session.ts';
import { safeText } from '../terminal.ts';
import { VisitProgress } from '../visit-progress.ts';
import { type CommandContext, type CommandOptions, withSession } from './context.ts';
import { showEnd, waitForEnd } from './run-command.ts';
import { examples } from './session-commands.ts';

/** The command that runs a draft as a test. */
export function addTestCommand(program: Command, context: CommandContext): void {
  program
    .command('test <workflow>')
    .description('Run the draft of a workflow as a test, which is in no statistics')
    .option('-i, --input <name=value>', 'an input, read by its declared type', collect)
    .option('-f, --file <path>', 'a JSON object of inputs; - reads the standard input')
    .option('--definition <path>', 'a definition in the place of the draft')
    .option('--scenario <path>', 'a file of scenarios, whose answers stand in the place of calls')
    .option('--only <text>', 'the scenario whose name holds this; the first one when left out')
    .option('--detach', 'do not wait: print the ids of the execution')
    .addHelpText(
      'after',
      examples(
        'holdfast test invoice --input amount=5',
        'holdfast test invoice --scenario invoice.scenario.json --only late',
      ),
    )
    .action(withSession(context, test));
}

async function test(session: CommandSession, options: CommandOptions, workflow = ''): Promise<void> {
  const { client, terminal } = session;
  const { definition, scenario, only, detach, ...given } = options as {
    definition?: string;
    scenario?: string;
    only?: string;
    detach?: boolean;
    input?: string[];
    file?: string;
  };
  const { id, name } = await findWorkflow(session, workflow);
  const { ignored, ...scripted } =
    scenario === undefined ? { inputs: {}, ignored: [] } : toBody(await readFileObject(scenario), only);
  if (ignored.length > 0)
    terminal.err(
      `The test leaves ${ignored.join(' and ')} of the scenario out. To play the whole of it: holdfast scenario ${safeText(scenario ?? '')}\n`,
    );
  const replaced = definition === undefined ? undefined : toDefinition(await readFileObject(definition));
  const tested = replaced ?? toObject((await client.workflows.get(id)).definition);
  const types = toObject(toObject(tested['start'])['inputs']);
  const inputs = await readInputs(terminal, given, (input) => toObject(types[input])['type']);
  const started = await client.deployments.test(id, {
    ...scripted,
    inputs: { ...scripted.inputs, ...inputs },
    ...(replaced ? { definition: replaced } : {}),
  });
  if (detach) return session.done(started, `${started.executionId} tests ${name}.`);
  terminal.err(`${started.executionId} tests ${safeText(name)}\n`);
  const visits = new VisitProgress(session, started.executionId);
  const job = await waitForEnd(session, started.executionId, visits);
  await visits.finish();
  showEnd(session, job);
}

/** The inputs and answers of a scenario. It always has `effects`, so that no call is made. */
function toBody(file: PlainObject, only = '') {
  const { scenarios } = file;
  const found = (Array.isArray(scenarios) ? scenarios.map(toObject) : []).find(({ name }) =>
    String(name).includes(only),
  );
  if (!found) throw new UsageError('The file has no such scenario.');
  const { inputs = {}, effects = {}, children } = found as Record<string, PlainObject | undefined>;
  const ignored = ['secrets', 'people', 'expect', 'until'].filter((member) => Object.hasOwn(found, member));
  return { inputs, effects, ...(children ? { children } : {}), ignored };
}

/** A file holds a definition, or a workflow with one. */
const toDefinition = (file: PlainObject): PlainObject =>
  'blocks' in file ? file : toObject(file['definition']);

async function readFileObject(path: string): Promise<PlainObject> {
  try {
    return toObject(await readDocument(path));
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
