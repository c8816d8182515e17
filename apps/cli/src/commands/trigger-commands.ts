import type { Command } from 'commander';
import type { Schemas } from '#libs/sdk/src/holdfast';
import { UsageError } from '../exit.ts';
import { wholeNumber } from '../inputs.ts';
import { parseObject } from '../json-object.ts';
import { forwardDeliveries } from '../delivery-listener.ts';
import { findTrigger, findWorkflow } from '../lookups.ts';
import type { CommandSession } from '../session.ts';
import { formatTable, safeText } from '../terminal.ts';
import { type CommandContext, type CommandOptions, withSession } from './context.ts';
import { examples } from './session-commands.ts';

type TriggerSettings = Schemas['CreateTriggerBody'];

/** Commands for what starts workflows by itself. */
export function addTriggerCommands(program: Command, context: CommandContext): void {
  program
    .command('listen <workflow> <trigger> <url>')
    .description('Send what comes to a trigger to a server on this machine, until you interrupt it')
    .option('--count <n>', 'end after so many deliveries', wholeNumber())
    .addHelpText('after', examples('holdfast listen triage "Help desk" http://localhost:4000/hook'))
    .action(withSession(context, listen));
  const triggers = program.command('triggers').description('See and change what starts a workflow by itself');
  triggers
    .command('list <workflow>')
    .description('List the triggers of a workflow, with their state')
    .action(withSession(context, listTriggers));
  triggers
    .command('create <workflow> <name>')
    .description('Make an address for webhooks, a form, or a schedule; the secret is shown only now')
    .option('--scheme <scheme>', 'for a webhook: how its sender proves a delivery, as github')
    .option('--secret <secret>', 'for a webhook: the secret that the sender has made')
    .option('--when <expression>', 'for a webhook: which deliveries count')
    .option(
      '--form [json]',
      'for a form: its settings, as \'{"title":"Ask us"}\'; without them a field for each input',
    )
    .option('--cron <expression>', 'for a schedule: when, as "0 9 * * MON-FRI"')
    .option('--every <seconds>', 'for a schedule: an interval in place of --cron', wholeNumber())
    .option('--dates <moments...>', 'for a schedule: listed moments in place of --cron, as 2027-01-29T09:00')
    .option('--except <days...>', 'for a schedule: days on which nothing starts, as 2026-12-25')
    .option('--timezone <zone>', 'for a schedule: the zone of --cron, --dates and --except')
    .option('--on <types...>', 'events that start it, as execution.failed')
    .option('--of <workflows...>', 'only events of these workflows')
    .option('--table <id>', 'the table whose rows are inserted, updated or deleted')
    .option('--inputs <json>', 'the inputs, a template over the event')
    .addHelpText(
      'after',
      examples(
        'holdfast triggers create triage "Help desk" --scheme github',
        'holdfast triggers create triage "Ask us" --form',
        'holdfast triggers create alarm "A run failed" --on execution.failed',
        'holdfast triggers create report Daily --cron "0 9 * * MON-FRI" --timezone Europe/Berlin',
      ),
    )
    .action(withSession(context, createTrigger));
  triggers
    .command('pause <workflow> <trigger>')
    .description('Let a trigger start nothing for now')
    .option('--note <text>', 'why, shown with the trigger and to its senders')
    .action(withSession(context, pauseTrigger));
  triggers
    .command('resume <workflow> <trigger>')
    .description('Let a trigger go on; it acts for you from then on')
    .action(withSession(context, resumeTrigger));
  triggers
    .command('run <workflow> <trigger>')
    .description('Start an execution now, as a test delivery')
    .option('--body <json>', 'the body of the event')
    .action(withSession(context, runTrigger));
  triggers
    .command('deliveries <workflow> <trigger>')
    .description('List what came to a trigger, the newest first')
    .option('--verdict <verdict>', 'only those with this verdict')
    .option('--limit <n>', 'how many', wholeNumber(), 20)
    .action(withSession(context, listDeliveries));
  triggers
    .command('replay <workflow> <trigger> <verdict>')
    .description('Replay the deliveries with a verdict, each once')
    .action(withSession(context, replayDeliveries));
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
  triggers
    .command('delete <workflow> <trigger>')
    .description('Delete a trigger with its address and the log of its deliveries')
    .option('-y, --yes', 'do not ask')
    .action(withSession(context, deleteTrigger));
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

async function listTriggers(session: CommandSession, _options: CommandOptions, workflow = ''): Promise<void> {
  const { id } = await findWorkflow(session, workflow);
  const found = await session.client.triggers.list(id, { limit: 100 }).toArray(100);
  session.show(found, () =>
    formatTable(
      session.terminal,
      ['TRIGGER', 'NAME', 'KIND', 'STATE', 'NEXT', 'LAST'],
      found.map((one) => [
        one.id,
        one.name,
        one.kind,
        one.status,
        one.schedule?.next[0] ?? '-',
        one.lastDelivery ? `${toVerdictText(one.lastDelivery)} ${one.lastDelivery.at}` : '-',
      ]),
    ),
  );
}

/** The verdict on a delivery; `accepted, held` while its execution may not start. */
const toVerdictText = ({ verdict, isHeld }: { verdict: string; isHeld: boolean }): string =>
  isHeld ? `${verdict}, held` : verdict;

async function createTrigger(
  session: CommandSession,
  options: CommandOptions,
  workflow = '',
  name = '',
): Promise<void> {
  const {
    scheme,
    form,
    cron,
    every,
    dates,
    except,
    timezone,
    secret,
    when,
    inputs,
    on,
    of = [],
    table,
  } = options as {
    scheme?: string;
    form?: string | true;
    cron?: string;
    every?: number;
    dates?: string[];
    except?: string[];
    timezone?: string;
    secret?: string;
    when?: string;
    inputs?: string;
    on?: string[];
    of?: string[];
    table?: string;
  };
  const isSchedule = [cron, every, dates].some((one) => one !== undefined);
  if ([isSchedule, form !== undefined, scheme !== undefined, on !== undefined].filter(Boolean).length !== 1)
    throw new UsageError(
      'Give --scheme for a webhook, --form for a form, --cron, --every or --dates for a schedule, or --on for events.',
    );
  const template = inputs === undefined ? {} : { inputs: parseObject(inputs, '--inputs') };
  const common = { name, ...template };
  const body = isSchedule
    ? { ...common, kind: 'schedule', schedule: { cron, everySeconds: every, dates, except, timezone } }
    : form !== undefined
      ? { ...common, kind: 'form', when, form: form === true ? {} : parseObject(form, '--form') }
      : on
        ? {
            ...common,
            kind: 'event',
            when,
            event: { types: on, workflowIds: await findIds(session, of), tableId: table },
          }
        : { ...common, kind: 'webhook', secret, when, webhook: { scheme } };
  const { id } = await findWorkflow(session, workflow);
  const made = await session.client.triggers.create(id, body as TriggerSettings);
  const next = made.schedule
    ? `It starts next at ${made.schedule.next[0]}.`
    : made.event
      ? `It starts the workflow on ${made.event.types.join(', ')}.`
      : `Its address is ${made.url}`;
  const shown = made.secret === null ? '' : `\nIts secret is ${made.secret}`;
  session.done(made, `${made.id} was made. ${next}${shown}`);
}

async function findIds(session: CommandSession, workflows: string[]): Promise<string[]> {
  const found = await Promise.all(workflows.map((name) => findWorkflow(session, name)));
  return found.map(({ id }) => id);
}

async function pauseTrigger(
  session: CommandSession,
  options: CommandOptions,
  ...names: string[]
): Promise<void> {
  const { workflowId, id } = await findTrigger(session, ...names);
  const { note } = options as { note?: string };
  const paused = await session.client.triggers.pause(workflowId, id, { note });
  session.done(paused, `${paused.name} is paused.`);
}

async function resumeTrigger(
  session: CommandSession,
  _options: CommandOptions,
  ...names: string[]
): Promise<void> {
  const { workflowId, id } = await findTrigger(session, ...names);
  const resumed = await session.client.triggers.resume(workflowId, id);
  session.done(resumed, `${resumed.name} goes on, and acts for you.`);
}

async function runTrigger(
  session: CommandSession,
  options: CommandOptions,
  ...names: string[]
): Promise<void> {
  const { workflowId, id } = await findTrigger(session, ...names);
  const { body } = options as { body?: string };
  const event = body === undefined ? {} : { body: parseObject(body, '--body') };
  const started = await session.client.triggers.run(workflowId, id, event);
  session.done(started, `Follow it with: holdfast logs show ${started.executionId}`);
}

async function listDeliveries(
  session: CommandSession,
  options: CommandOptions,
  ...names: string[]
): Promise<void> {
  const { workflowId, id } = await findTrigger(session, ...names);
  const { limit, verdict } = options as { limit: number; verdict?: Schemas['DeliveryView']['verdict'] };
  const filters = { verdict, limit: Math.min(limit, 100) };
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

async function replayDeliveries(
  session: CommandSession,
  _options: CommandOptions,
  workflow = '',
  trigger = '',
  verdict = '',
): Promise<void> {
  const { workflowId, id } = await findTrigger(session, workflow, trigger);
  const replays: Schemas['ReplayedView'][] = [];
  for (let hasMore = true; hasMore;) {
    const query = { verdict: verdict as Schemas['ReplayDeliveriesBody']['verdict'] };
    const answer = await session.client.triggers.deliveries.replayMany(workflowId, id, query);
    replays.push(...answer.replays);
    // A limit has ended the call; the rest stays for another.
    hasMore = answer.hasMore && answer.replays.every(({ error }) => error === null);
  }
  const started = replays.filter(({ executionId }) => executionId !== null).length;
  session.done(replays, `${started} of ${replays.length} replayed deliveries started an execution.`);
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

async function deleteTrigger(
  session: CommandSession,
  options: CommandOptions,
  ...names: string[]
): Promise<void> {
  const { workflowId, id, name } = await findTrigger(session, ...names);
  const question = `Delete ${name} with the log of its deliveries?`;
  await session.confirm(question, options['yes'] === true);
  session.done(await session.client.triggers.delete(workflowId, id), `${name} was deleted.`);
}
