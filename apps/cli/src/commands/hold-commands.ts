import type { Command } from 'commander';
import { UsageError } from '../exit.ts';
import { wholeNumber } from '../inputs.ts';
import { findTrigger, findWorkflow } from '../lookups.ts';
import type { CommandSession } from '../session.ts';
import { formatTable } from '../terminal.ts';
import { type CommandContext, type CommandOptions, withSession } from './context.ts';
import { examples } from './session-commands.ts';

/** Commands that keep executions from starting, and let them go. */
export function addHoldCommands(program: Command, context: CommandContext): void {
  program
    .command('hold [workflow]')
    .description('Keep new executions of a workflow, or of the whole workspace, from starting')
    .option('--trigger <trigger>', 'only those that this trigger of the workflow starts')
    .requiredOption('--reason <text>', 'why; callers see it')
    .option('--host <host>', 'calls of all workflows to this host, as api.example.com, and no starts')
    .option('--effects', 'also executions that have started, each before its next effect')
    .option('--refuse', 'refuse them instead of queueing them')
    .addHelpText('after', examples('holdfast hold invoice --reason "The ledger is being moved"'))
    .action(withSession(context, hold));
  program
    .command('release [workflow]')
    .description('Let go what a hold keeps back, the oldest first')
    .option('--hold <id>', 'the hold with this id, also of a workflow that is gone')
    .option('--trigger <trigger>', 'the hold of this trigger of the workflow')
    .option('--host <host>', 'the hold of calls to this host')
    .option('--per-second <n>', 'so many a second at most')
    .action(withSession(context, release));
  program
    .command('host-limits [host]')
    .description('List the limits of hosts of outgoing calls, or set that of one host')
    .option('--concurrency <n>', 'so many calls at once', wholeNumber())
    .option('--per-second <n>', 'so many calls in any second', wholeNumber())
    .option('--remove', 'let the host have no limit')
    .addHelpText('after', examples('holdfast host-limits api.example.com --concurrency 5'))
    .action(withSession(context, limitHost));
  program.command('holds').description('List what is held, and why').action(withSession(context, listHolds));
}

async function hold(session: CommandSession, options: CommandOptions, name = ''): Promise<void> {
  const { reason, refuse, effects } = options as { reason: string; refuse?: boolean; effects?: boolean };
  const { said, workflowId, triggerId, host } = await findSubject(session, options, name);
  const made = await session.client.holds.create(await session.workspaceId(), {
    ...(host ? { host } : triggerId === null ? { workflowId } : { triggerId }),
    ...(effects ? { stops: 'effects' as const } : {}),
    reason,
    mode: refuse ? 'refuse' : 'queue',
  });
  session.done(made, `${said} is held.`);
}

async function release(session: CommandSession, options: CommandOptions, name = ''): Promise<void> {
  const { perSecond, hold: id } = options as { perSecond?: string; hold?: string };
  const workspaceId = await session.workspaceId();
  const found =
    id === undefined
      ? await findHold(session, options, name)
      : await session.client.holds.get(workspaceId, id);
  const rate = perSecond === undefined ? {} : { perSecond: Number(perSecond) };
  const released = await session.client.holds.release(workspaceId, found.id, rate);
  session.done(released, `${found.waiting} executions are let go.`);
}

/** Finds the hold of what the arguments name. */
async function findHold(session: CommandSession, options: CommandOptions, name: string) {
  const { said, workflowId, triggerId, host } = await findSubject(session, options, name);
  const holds = await session.client.holds.list(await session.workspaceId()).toArray();
  const found = holds.find(
    (one) =>
      one.workflowId === workflowId && one.triggerId === triggerId && one.host === host && !one.byOperator,
  );
  if (!found) throw new UsageError(`${said} is not held; holdfast holds shows what is.`);
  return found;
}

/** The host as the server writes it. */
const toHost = (host: string): string =>
  URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname.replace(/\.$/, '') : host;

/** What the arguments name: the workspace, a host, a workflow, or a trigger of it. */
async function findSubject(session: CommandSession, options: CommandOptions, name: string) {
  const { trigger, host } = options as { trigger?: string; host?: string };
  if (host !== undefined) {
    if (name || trigger !== undefined)
      throw new UsageError('A host is held for the whole workspace: name nothing else.');
    return { said: host, workflowId: null, triggerId: null, host: toHost(host) };
  }
  if (trigger !== undefined) {
    if (!name) throw new UsageError('Name the workflow of the trigger before --trigger.');
    const { id: triggerId, workflowId } = await findTrigger(session, name, trigger);
    return { said: trigger, workflowId, triggerId, host: null };
  }
  const workflowId = name ? (await findWorkflow(session, name)).id : null;
  return { said: name || 'The workspace', workflowId, triggerId: null, host: null };
}

async function limitHost(session: CommandSession, options: CommandOptions, host = ''): Promise<void> {
  const { concurrency, perSecond, remove } = options as {
    concurrency?: number;
    perSecond?: number;
    remove?: boolean;
  };
  const workspaceId = await session.workspaceId();
  const { hostLimits } = await session.client.workspaces.get(workspaceId);
  const isChange = concurrency !== undefined || perSecond !== undefined || remove === true;
  if (host && !isChange) throw new UsageError('Say --concurrency, --per-second or --remove.');
  if (!host && isChange) throw new UsageError('Name the host.');
  if (remove && (concurrency !== undefined || perSecond !== undefined))
    throw new UsageError('Say --remove alone, or what the limit is.');
  const known = hostLimits.find((one) => one.host === toHost(host));
  if (remove && !known) throw new UsageError(`${host} has no limit.`);
  const others = hostLimits.filter((one) => one !== known);
  const limit = {
    host,
    concurrency: concurrency ?? known?.concurrency ?? undefined,
    perSecond: perSecond ?? known?.perSecond ?? undefined,
  };
  const wanted = remove ? others : [...others, limit];
  const shown = host
    ? (await session.client.workspaces.update(workspaceId, { hostLimits: wanted })).hostLimits
    : hostLimits;
  session.show(shown, () =>
    formatTable(
      session.terminal,
      ['HOST', 'AT ONCE', 'A SECOND'],
      shown.map((one) => [one.host, String(one.concurrency ?? '-'), String(one.perSecond ?? '-')]),
    ),
  );
}

async function listHolds(session: CommandSession): Promise<void> {
  const holds = await session.client.holds.list(await session.workspaceId()).toArray();
  session.show(holds, () =>
    formatTable(
      session.terminal,
      ['HOLD', 'WORKFLOW', 'TRIGGER', 'HOST', 'STOPS', 'MODE', 'SINCE', 'WAITING', 'STATE', 'WHY'],
      holds.map((one) => [
        one.id,
        one.workflowId ?? 'all',
        one.triggerId ?? 'all',
        one.host ?? 'all',
        one.stops,
        one.mode,
        one.heldAt,
        String(one.waiting),
        (one.releasedAt === null ? 'held' : 'being released') + (one.byOperator ? ' by the operator' : ''),
        one.reason,
      ]),
    ),
  );
}
