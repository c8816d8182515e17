import type { Command } from 'commander';
import type { Schemas } from '#libs/sdk/src/holdfast';
import { findTrigger } from '../lookups.ts';
import type { CommandSession } from '../session.ts';
import { formatTable } from '../terminal.ts';
import { type CommandContext, type CommandOptions, withSession } from './context.ts';
import { examples } from './session-commands.ts';

/** Commands that start a schedule at moments of the past. */
export function addBackfillCommands(triggers: Command, context: CommandContext): void {
  triggers
    .command('backfill <workflow> <trigger>')
    .description('Start a schedule at its moments of the past')
    .requiredOption('--from <time>', 'the beginning of the range')
    .requiredOption('--to <time>', 'the end of the range, which is not in it')
    .option('--again', 'also the moments that have started an execution already')
    .option('--beside', 'start moments beside executions that are open')
    .option('--per-second <n>', 'so many moments a second at most', Number)
    .option('--dry-run', 'only count the moments')
    .option('--no-wait', 'do not wait for the end')
    .addHelpText(
      'after',
      examples('holdfast triggers backfill report Daily --from 2026-01-01 --to 2026-02-01 --dry-run'),
    )
    .action(withSession(context, backfillTrigger));
  triggers
    .command('backfills <workflow> <trigger>')
    .description('List the backfills of a schedule, the newest first')
    .action(withSession(context, listBackfills));
  triggers
    .command('abort-backfill <workflow> <trigger> <backfill>')
    .description('End a backfill; the executions that it has started go on')
    .action(withSession(context, abortBackfill));
}

async function backfillTrigger(
  session: CommandSession,
  options: CommandOptions,
  ...names: string[]
): Promise<void> {
  const { client, terminal } = session;
  const { workflowId, id } = await findTrigger(session, ...names);
  const { from = '', to = '', again, beside, perSecond, dryRun, wait } = options as BackfillOptions;
  const { counts, backfill } = await client.triggers.backfill(workflowId, id, {
    from,
    to,
    again,
    overlap: beside ? 'allow_all' : undefined,
    perSecond,
    dryRun,
  });
  if (!backfill)
    return session.done(counts, `${counts.moments} moments, of which ${counts.alreadyRan} ran already.`);
  if (wait === false) return session.done(backfill, `${backfill.id} has ${backfill.total} moments.`);
  let now = backfill;
  while (now.status === 'running') {
    await new Promise((resolve) => setTimeout(resolve, everyMs));
    now = await client.triggers.backfills.get(workflowId, id, now.id);
    const why = now.waitsFor === null ? '' : ` · ${now.waitsFor}`;
    terminal.progress(`… ${now.started + now.alreadyRan + now.refused} of ${now.total}${why}`);
  }
  terminal.progress('');
  session.done(now, tellBackfill(now));
}

interface BackfillOptions {
  perSecond?: number;
  from?: string;
  to?: string;
  again?: boolean;
  beside?: boolean;
  dryRun?: boolean;
  wait?: boolean;
}

/** The time between two looks at a backfill. */
const everyMs = 1000;

const tellBackfill = (one: Schemas['BackfillView']): string =>
  `${one.id} is ${one.status}: ${one.started} of ${one.total} started, ${one.alreadyRan} ran already, ${one.refused} refused.`;

async function listBackfills(
  session: CommandSession,
  _options: CommandOptions,
  ...names: string[]
): Promise<void> {
  const { workflowId, id } = await findTrigger(session, ...names);
  const found = await session.client.triggers.backfills.list(workflowId, id, { limit: 50 }).toArray(50);
  session.show(found, () =>
    formatTable(
      session.terminal,
      ['BACKFILL', 'FROM', 'TO', 'STATUS', 'STARTED', 'RAN', 'REFUSED', 'TOTAL'],
      found.map((one) => [
        one.id,
        one.from,
        one.to,
        one.status,
        one.started,
        one.alreadyRan,
        one.refused,
        one.total,
      ]),
    ),
  );
}

async function abortBackfill(
  session: CommandSession,
  _options: CommandOptions,
  workflow = '',
  trigger = '',
  backfill = '',
): Promise<void> {
  const { workflowId, id } = await findTrigger(session, workflow, trigger);
  const ended = await session.client.triggers.backfills.abort(workflowId, id, backfill);
  session.done(ended, tellBackfill(ended));
}
