import type { Command } from 'commander';
import type { OpenPause, Schemas, WaitedJob } from '#libs/sdk/src/holdfast';
import { answerForm } from '../answer-form.ts';
import { Exit, exitCodes, UsageError } from '../exit.ts';
import { collect, readInputs } from '../inputs.ts';
import { toObject, type PlainObject } from '../json-object.ts';
import { findWorkflow } from '../lookups.ts';
import type { CommandSession } from '../session.ts';
import { safeText } from '../terminal.ts';
import { VisitProgress } from '../visit-progress.ts';
import { type CommandContext, type CommandOptions, withSession } from './context.ts';
import { examples } from './session-commands.ts';

/** The command that executes a workflow. */
export function addRunCommand(program: Command, context: CommandContext): void {
  program
    .command('run <workflow>')
    .description('Execute a workflow and show what each block does; the output goes to standard output')
    .option(
      '-i, --input <name=value>',
      'an input, read by its declared type; name:=text is text; name=@path reads a file',
      collect,
    )
    .option('-f, --file <path>', 'a JSON object of inputs; - reads the standard input')
    .option('--detach', 'do not wait: print the ids of the execution')
    .option('--idempotency-key <key>', 'the same key again gives the same execution')
    .addHelpText(
      'after',
      `${examples('holdfast run invoice --input amount=5 --input note:=007', 'holdfast run invoice --file inputs.json --json')}
The exit code is 3 when the execution failed, and 4 when it waits for a person and no terminal is there to ask.`,
    )
    .action(withSession(context, run));
}

async function run(session: CommandSession, options: CommandOptions, workflow = ''): Promise<void> {
  const { client, terminal } = session;
  const { detach, idempotencyKey, ...given } = options as {
    detach?: boolean;
    idempotencyKey?: string;
    input?: string[];
    file?: string;
  };
  const { id, name, version } = await findWorkflow(session, workflow);
  const types = given.input && typeof version === 'number' ? await readInputTypes(session, id, version) : {};
  const inputs = await readInputs(terminal, given, (input) => toObject(types[input])['type']);
  const started = await client.workflows.start(id, { inputs }, idempotencyKey ? { idempotencyKey } : {});
  for (const warning of started.warnings ?? []) terminal.err(`warning: ${safeText(warning)}\n`);
  if (detach) {
    session.done(started, `${started.executionId} of ${name} is accepted.`);
    return;
  }
  terminal.err(`${started.executionId} of ${safeText(name)}\n`);
  const visits = new VisitProgress(session, started.executionId);
  const job = await waitForEnd(session, started.executionId, visits);
  await visits.finish();
  showEnd(session, job);
}

/** The inputs that the live version declares; none where the key may not read it. */
async function readInputTypes({ client }: CommandSession, id: string, version: number): Promise<PlainObject> {
  const { definition } = await client.deployments.getVersion(id, version).catch((error: unknown) => {
    if (Object(error).status === 403) return { definition: {} };
    throw error;
  });
  return toObject(toObject(toObject(definition)['start'])['inputs']);
}

/** Waits for the end. A pause is asked on the terminal, where one is. */
export async function waitForEnd(
  session: CommandSession,
  executionId: string,
  visits: VisitProgress,
): Promise<WaitedJob> {
  const { client, terminal } = session;
  const controller = new AbortController();
  const watch = visits.watch(controller.signal);
  try {
    const waitOptions =
      terminal.isInteractive && !session.options.json
        ? { onPause: (pause: OpenPause) => ask(session, visits, pause) }
        : {};
    return await client.executions.wait(executionId, waitOptions);
  } finally {
    controller.abort();
    await watch;
  }
}

async function ask(session: CommandSession, visits: VisitProgress, pause: OpenPause): Promise<void> {
  await visits.finish();
  const input = await answerForm(session.terminal, pause.response);
  await pause.answer(input);
}

/** Shows the output, and ends with the exit code for the outcome of the run. */
export function showEnd(session: CommandSession, job: WaitedJob): void {
  const { terminal } = session;
  if (job.paused) {
    session.show(job, () => job.paused?.pausePoints.map((pause) => waitsText(pause)).join('') ?? '');
    throw new Exit(exitCodes.executionWaits);
  }
  if (!job.success || job.status !== 'completed') {
    if (session.options.json) session.show(job, () => '');
    const { code, blockId } = job.failure ?? {};
    terminal.err(
      `${terminal.paint('red', 'failed')} ${safeText(job.error ?? '')} [${[code, blockId].filter(Boolean).join(', ')}]\n`,
    );
    throw new Exit(exitCodes.executionFailed);
  }
  session.show(
    job,
    () => `${typeof job.output === 'string' ? job.output : JSON.stringify(job.output, null, 2)}\n`,
  );
}

function waitsText({ response, contextId, resumeLinks }: Schemas['PausePointView']): string {
  const title = response?.displayData?.title ?? contextId;
  return safeText(
    `It waits for a person: ${title}\n  holdfast answer ${contextId}\n${resumeLinks.uiUrl ? `  ${resumeLinks.uiUrl}\n` : ''}`,
  );
}

export function requireText(value: string | undefined, what: string): string {
  if (value === undefined || value === '') throw new UsageError(`${what} is missing.`);
  return value;
}
