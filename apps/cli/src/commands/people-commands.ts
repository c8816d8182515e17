import type { Command } from 'commander';
import { answerForm } from '../answer-form.ts';
import { UsageError } from '../exit.ts';
import { collect, readInputs } from '../inputs.ts';
import type { CommandSession } from '../session.ts';
import { formatTable } from '../terminal.ts';
import { type CommandContext, type CommandOptions, withSession } from './context.ts';
import { examples } from './session-commands.ts';

/** Commands for people who answer: inbox and answer. */
export function addPeopleCommands(program: Command, context: CommandContext): void {
  program
    .command('inbox')
    .description('List what waits for an answer')
    .option('--mine', 'only what I may answer')
    .action(withSession(context, listInbox));
  program
    .command('answer <pause>')
    .description('Answer a pause of the inbox by its id')
    .option('-i, --input <name=value>', 'a field of the form', collect)
    .option('-f, --file <path>', 'a JSON object of fields; - reads the standard input')
    .addHelpText(
      'after',
      examples('holdfast answer ctx_1f... --input approved=true', 'holdfast answer ctx_1f...'),
    )
    .action(withSession(context, answer));
}

async function listInbox(session: CommandSession, options: CommandOptions): Promise<void> {
  const workspaceId = await session.workspaceId();
  const mine = options['mine'] === true ? { mine: true } : {};
  const items = await session.client.pauses.listInbox({ workspaceId, limit: 100, ...mine }).toArray(1000);
  session.show(items, () =>
    items.length === 0
      ? 'Nothing waits for an answer.\n'
      : formatTable(
          session.terminal,
          ['PAUSE', 'WORKFLOW', 'TITLE', 'QUESTION', 'SINCE', 'DUE'],
          items.map((one) => [
            one.contextId,
            one.workflowName,
            one.executionTitle ?? '-',
            one.response?.displayData?.title ?? one.blockId,
            one.registeredAt,
            one.expiresAt ?? '-',
          ]),
        ),
  );
}

async function answer(session: CommandSession, options: CommandOptions, contextId = ''): Promise<void> {
  const { client, terminal } = session;
  const given = options as { input?: string[]; file?: string };
  const workspaceId = await session.workspaceId();
  let item;
  for await (const one of client.pauses.listInbox({ workspaceId, limit: 100 }))
    if (one.contextId === contextId) item = one;
  if (!item)
    throw new UsageError(`Nothing with the id ${contextId} waits. See what does with: holdfast inbox`);
  const isGiven = given.input !== undefined || given.file !== undefined;
  if (!isGiven && !terminal.isInteractive)
    throw new UsageError('Give the fields with --input or --file where no terminal is.');
  const fields = item.response?.formFields ?? [];
  const input = isGiven
    ? await readInputs(terminal, given, (name) => fields.find((field) => field.name === name)?.type)
    : await answerForm(terminal, item.response);
  const result = await client.pauses.startAnswer(item.workflowId, item.executionId, contextId, { input });
  session.done(result, `${result.message} Follow it with: holdfast logs show ${item.executionId}`);
}
