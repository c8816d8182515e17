import type { Command } from 'commander';
import type { Schemas } from '#libs/sdk/src/holdfast';
import { forwardDeliveries } from '../delivery-listener.ts';
import { UsageError } from '../exit.ts';
import { wholeNumber } from '../inputs.ts';
import { findTrigger } from '../lookups.ts';
import type { CommandSession } from '../session.ts';
import { formatTable, safeText } from '../terminal.ts';
import { type CommandContext, type CommandOptions, withSession } from './context.ts';
import { examples } from './session-commands.ts';

/** The command that sends deliveries to this machine. */
export function addListenCommand(program: Command, context: CommandContext): void {
  program
    .command('listen <workflow> <trigger> <url>')
    .description('Send what comes to a trigger to a server on this machine, until you interrupt it')
    .option('--count <n>', 'end after so many deliveries', wholeNumber())
    .addHelpText('after', examples('holdfast listen triage "Help desk" http://localhost:4000/hook'))
    .action(withSession(context, listen));
}

/** Commands for what came to a trigger. */
export function addDeliveryCommands(triggers: Command, context: CommandContext): void {
  triggers
    .command('deliveries <workflow> <trigger>')
    .description('List what came to a trigger, the newest first')
    .option('--verdict <verdict>', 'only those with this verdict')
    .option('--from <time>', 'only those that came at this time or later')
    .option('--to <time>', 'only those that came at this time or before')
    .option('--limit <n>', 'how many', wholeNumber(), 20)
    .action(withSession(context, listDeliveries));
  triggers
    .command('replay <workflow> <trigger> <what>')
    .description('Replay the deliveries with a verdict, each once, or one delivery by its id')
    .option('--from <time>', 'with a verdict: only those that came at this time or later')
    .option('--to <time>', 'with a verdict: only those that came at this time or before')
    .addHelpText(
      'after',
      examples(
        'holdfast triggers replay triage "Help desk" paused --from 2027-01-29T09:00:00Z',
        'holdfast triggers replay triage "Help desk" dlv_01...',
      ),
    )
    .action(withSession(context, replay));
}

async function listen(
  session: CommandSession,
  options: CommandOptions,
  workflow = '',
  trigger = '',
  url = '',
): Promise<void> {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageError(`${url} is no address, as http://localhost:4000/hook.`);
  const { workflowId, id: triggerId } = await findTrigger(session, workflow, trigger);
  const { count } = options as { count?: number };
  const { terminal, client } = session;
  const onReady = () => terminal.err(`Deliveries to ${trigger} go to ${url} from now on.\n`);
  const onLost = (reason: string) => terminal.err(`The connection is lost, and tried again: ${reason}\n`);
  let left = count ?? Infinity;
  for await (const one of forwardDeliveries({
    client,
    workflowId,
    triggerId,
    to: new URL(url),
    onReady,
    onLost,
  })) {
    const answer = one.status === null ? `no answer: ${one.failure}` : `${one.status}`;
    const line = `${one.receivedAt} ${one.id} ${one.verdict} -> ${answer} in ${one.tookMs} ms`;
    terminal.out(session.options.json ? `${JSON.stringify(one)}\n` : `${safeText(line)}\n`);
    left -= 1;
    if (left <= 0) return;
  }
}

/** The verdict on a delivery; `accepted, held` while its execution may not start. */
export const toVerdictText = ({ verdict, isHeld }: { verdict: string; isHeld: boolean }): string =>
  isHeld ? `${verdict}, held` : verdict;

async function listDeliveries(
  session: CommandSession,
  options: CommandOptions,
  ...names: string[]
): Promise<void> {
  const { workflowId, id } = await findTrigger(session, ...names);
  const { limit, verdict, from, to } = options as {
    limit: number;
    verdict?: Schemas['DeliveryView']['verdict'];
    from?: string;
    to?: string;
  };
  const filters = { verdict, from, to, limit: Math.min(limit, 100) };
  const found = await session.client.triggers.deliveries.list(workflowId, id, filters).toArray(limit);
  session.show(found, () =>
    formatTable(
      session.terminal,
      ['DELIVERY', 'VERDICT', 'RECEIVED', 'EXECUTION', 'REASON'],
      found.map((one) => [
        one.id,
        toVerdictText(one),
        one.receivedAt,
        one.executionId ?? '-',
        one.error?.message ?? '',
      ]),
    ),
  );
}

async function replay(
  session: CommandSession,
  options: CommandOptions,
  workflow = '',
  trigger = '',
  what = '',
): Promise<void> {
  const { from, to } = options as { from?: string; to?: string };
  const { workflowId, id } = await findTrigger(session, workflow, trigger);
  const { deliveries } = session.client.triggers;
  if (what.startsWith('dlv_')) {
    if (from !== undefined || to !== undefined)
      throw new UsageError('Give --from and --to with a verdict, not with the id of one delivery.');
    const started = await deliveries.replay(workflowId, id, what);
    session.done(started, `Follow it with: holdfast logs show ${started.executionId}`);
    return;
  }
  const verdict = what as Schemas['ReplayDeliveriesBody']['verdict'];
  const byDelivery = new Map<string, Schemas['ReplayedView']>();
  let cursor: string | null = null;
  for (let hasMore = true; hasMore;) {
    const reached: string | undefined = cursor ?? undefined;
    const answer = await deliveries.replayMany(workflowId, id, { verdict, from, to, cursor: reached });
    for (const one of answer.replays) byDelivery.set(one.replayOf, one);
    // A call that comes no further met a limit; the rest stays for another.
    hasMore = answer.hasMore && answer.nextCursor !== cursor;
    cursor = answer.nextCursor;
  }
  const replays = [...byDelivery.values()];
  const started = replays.filter(({ executionId }) => executionId !== null).length;
  session.done(replays, `${started} of ${replays.length} replayed deliveries started an execution.`);
}
