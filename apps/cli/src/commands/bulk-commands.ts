import type { Command } from 'commander';
import type { Schemas } from '#libs/sdk/src/holdfast';
import { addExecutionFilter, readExecutionFilter } from '../execution-filter.ts';
import { UsageError } from '../exit.ts';
import { parseObject } from '../json-object.ts';
import type { CommandSession } from '../session.ts';
import { formatTable } from '../terminal.ts';
import { type CommandContext, type CommandOptions, withSession } from './context.ts';
import { requireText } from './run-command.ts';
import { examples } from './session-commands.ts';

const everyMs = 500;

/** Commands that do one thing to many executions. */
export function addBulkCommands(program: Command, context: CommandContext): void {
  const bulk = addExecutionFilter(
    program
      .command('bulk <verb>')
      .description('Retry, cancel, answer, fork or delete all executions that a filter finds'),
  )
    .option('--all', 'every execution of the workspace, in place of a filter')
    .option('--from <place>', 'of a fork: start, or failure to keep what was done before it')
    .option('--same-version', 'of a fork: run the version of each execution instead of the live one')
    .option('--answers <json>', 'of an answer: the members of the form, as a JSON object')
    .option('--block <id>', 'of an answer: the block whose pause is meant')
    .option('--per-second <n>', 'so many a second at most')
    .option('--dry-run', 'only count them')
    .option('--no-wait', 'do not wait for the end')
    .option('--yes', 'delete without a question')
    .addHelpText(
      'after',
      examples(
        'holdfast bulk retry --workflow invoice --status failed --dry-run',
        'holdfast bulk fork --workflow invoice --failure-codes HTTP_500 --from failure',
        `holdfast bulk answer --workflow invoice --answers '{"approved":true}'`,
        'holdfast bulk show bulk_01...',
      ),
    )
    .action(withSession(context, startBulk));
  bulk.command('list').description('List bulk jobs, the newest first').action(withSession(context, listBulk));
  bulk
    .command('show <job>')
    .description('Show a bulk job, and what was refused')
    .action(withSession(context, showBulk));
  bulk
    .command('abort <job>')
    .description('End a bulk job; what it has done stays done')
    .action(withSession(context, abortBulk));
  bulk
    .command('undo <job>')
    .description('Take back the retries or forks of a job of which nothing ran')
    .option('--dry-run', 'only count them')
    .action(withSession(context, undoBulk));
}

const verbs = ['retry', 'cancel', 'answer', 'fork', 'delete'] as const;

async function startBulk(session: CommandSession, options: CommandOptions, named?: string): Promise<void> {
  const { from, perSecond, answers, block } = options as Record<string, string | undefined>;
  const verb = verbs.find((one) => one === named);
  if (!verb) throw new UsageError(`The verb must be one of ${verbs.join(', ')}.`);
  const { client } = session;
  const filter = await readExecutionFilter(session, options);
  if (Object.values(filter).every((one) => one === undefined) && options['all'] !== true)
    throw new UsageError('Name a filter, or --all for every execution of the workspace.');
  const workspaceId = await session.workspaceId();
  if (verb === 'delete' && options['dryRun'] !== true) {
    const { counts } = await client.bulk.start({ workspaceId, verb, filter, dryRun: true });
    const question = `Delete ${counts.eligible} executions and their logs? They cannot be brought back.`;
    await session.confirm(question, options['yes'] === true);
  }
  const { counts, job } = await client.bulk.start({
    workspaceId,
    verb,
    filter,
    from: from as 'start' | undefined,
    version: options['sameVersion'] ? 'same' : undefined,
    answers: answers === undefined ? undefined : parseObject(answers, '--answers'),
    block,
    perSecond: perSecond === undefined ? undefined : Number(perSecond),
    dryRun: options['dryRun'] === true,
  });
  if (!job)
    return session.done(counts, `${counts.found} are found, and the job would take ${counts.eligible}.`);
  if (options['wait'] === false) return session.done(job, `${job.id} has ${job.total} executions.`);
  const ended = await waitForEnd(session, job);
  session.done(ended, tell(ended));
}

/** Shows the progress until the job has ended. */
async function waitForEnd(
  { client, terminal }: CommandSession,
  job: Schemas['BulkJobView'],
): Promise<Schemas['BulkJobView']> {
  let now = job;
  while (now.status === 'running') {
    await new Promise((resolve) => setTimeout(resolve, everyMs));
    now = await client.bulk.get(job.id);
    const why = now.waitsFor === null ? '' : ` · ${now.waitsFor}`;
    terminal.progress(`… ${now.done + now.refused} of ${now.total}${why}`);
  }
  terminal.progress('');
  return now;
}

const tell = ({ id, verb, status, total, done, refused }: Schemas['BulkJobView']): string =>
  `${id} (${verb}) is ${status}: ${done} of ${total} done, ${refused} refused.`;

async function listBulk(session: CommandSession): Promise<void> {
  const jobs = await session.client.bulk
    .list({ workspaceId: await session.workspaceId(), limit: 50 })
    .toArray(50);
  session.show(jobs, () =>
    formatTable(
      session.terminal,
      ['JOB', 'VERB', 'STATUS', 'DONE', 'REFUSED', 'TOTAL', 'CREATED'],
      jobs.map((job) => [job.id, job.verb, job.status, job.done, job.refused, job.total, job.createdAt]),
    ),
  );
}

async function showBulk(session: CommandSession, _options: CommandOptions, id?: string): Promise<void> {
  const { client, terminal } = session;
  const job = await client.bulk.get(requireText(id, 'The job'));
  const refused = await client.bulk.listItems(job.id, { outcome: 'refused', limit: 100 }).toArray(100);
  session.show({ ...job, items: refused }, () =>
    [
      tell(job),
      formatTable(
        terminal,
        ['EXECUTION', 'CODE', 'WHY'],
        refused.map(({ executionId, code, message }) => [executionId, code ?? '', message ?? '']),
      ),
    ].join('\n'),
  );
}

async function abortBulk(session: CommandSession, _options: CommandOptions, id?: string): Promise<void> {
  const job = await session.client.bulk.abort(requireText(id, 'The job'));
  session.done(job, tell(job));
}

async function undoBulk(session: CommandSession, options: CommandOptions, id?: string): Promise<void> {
  const dryRun = options['dryRun'] === true;
  const { counts, job } = await session.client.bulk.undo(requireText(id, 'The job'), { dryRun });
  if (!job) return session.done(counts, `${counts.eligible} of ${counts.found} can be undone.`);
  const ended = await waitForEnd(session, job);
  session.done(ended, tell(ended));
}
