import { Command } from 'commander';
import { UsageError } from '../exit.ts';
import type { CommandSession } from '../session.ts';
import { formatTable } from '../terminal.ts';
import { type CommandContext, type CommandOptions, withSession } from './context.ts';
import { examples } from './session-commands.ts';

/** Commands for the servers that hear of events, and for the deliveries to them. */
export function addEndpointCommands(program: Command, context: CommandContext): void {
  const endpoints = new Command('endpoints').description('Servers that hear of events of the workspace');
  endpoints
    .command('list', { isDefault: true })
    .description('List the endpoints with their health')
    .action(withSession(context, listEndpoints));
  endpoints
    .command('create <url>')
    .description('Have events sent to a server; its secret is shown once')
    .option('--type <type...>', 'only events of these types, as execution.failed')
    .option('--workflow <id...>', 'only events of these workflows')
    .option('--description <text>', 'a note for people')
    .addHelpText(
      'after',
      examples('holdfast endpoints create https://shop.example/hook --type execution.failed'),
    )
    .action(withSession(context, createEndpoint));
  for (const [name, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const)
    endpoints
      .command(`${name} <endpoint>`)
      .description(enabled ? 'Send to it again, also what has waited' : 'Let its deliveries wait')
      .action(
        withSession(context, async (session, _options, id = '') => {
          const changed = await session.client.endpoints.update(await session.workspaceId(), id, { enabled });
          session.done(changed, `${id} is ${name}d.`);
        }),
      );
  endpoints
    .command('rotate <endpoint>')
    .description('Give it a new secret, shown once; the former one signs too for a day')
    .action(
      withSession(context, async (session, _options, id = '') => {
        showSecret(session, await session.client.endpoints.rotateSecret(await session.workspaceId(), id));
      }),
    );
  endpoints
    .command('test <endpoint>')
    .description('Send it a test')
    .action(
      withSession(context, async (session, _options, id = '') => {
        const sent = await session.client.endpoints.test(await session.workspaceId(), id);
        session.done(sent, `${sent.id} is on its way.`);
      }),
    );
  endpoints
    .command('delete <endpoint>')
    .description('Delete it with its log')
    .option('-y, --yes', 'do not ask')
    .action(
      withSession(context, async (session, options, id = '') => {
        await session.confirm(`Delete ${id}? Nothing is sent to it any more.`, options['yes'] === true);
        session.done(
          await session.client.endpoints.delete(await session.workspaceId(), id),
          `${id} is deleted.`,
        );
      }),
    );
  endpoints
    .command('deliveries [endpoint]')
    .description('List the deliveries, the newest first')
    .option('--status <status>', 'pending, held, delivered or failed')
    .option('--execution <id>', 'only events of this execution')
    .option('--limit <n>', 'how many', '20')
    .action(withSession(context, listDeliveries));
  endpoints
    .command('replay <id>')
    .description('Send again: one delivery, or of an endpoint what --failed or --since names')
    .option('--failed', 'all that have failed')
    .option('--since <time>', 'all events since then, as 2027-01-01T00:00:00Z')
    .action(withSession(context, replay));
  program.addCommand(endpoints);
}

async function listEndpoints(session: CommandSession): Promise<void> {
  const list = await session.client.endpoints.list(await session.workspaceId()).toArray();
  session.show(list, () =>
    formatTable(
      session.terminal,
      ['ENDPOINT', 'URL', 'TYPES', 'HEALTH', 'WHY'],
      list.map((one) => [
        one.id,
        one.url,
        one.types.join(' ') || 'all',
        one.health,
        one.disabledReason ?? one.lastError ?? '',
      ]),
    ),
  );
}

async function createEndpoint(session: CommandSession, options: CommandOptions, url = ''): Promise<void> {
  const { type, workflow, description } = options as {
    type?: string[];
    workflow?: string[];
    description?: string;
  };
  const made = await session.client.endpoints.create(await session.workspaceId(), {
    url,
    ...(type ? { types: type } : {}),
    ...(workflow ? { workflowIds: workflow } : {}),
    ...(description === undefined ? {} : { description }),
  });
  showSecret(session, made);
}

/** Prints the value alone on standard output, so that it can be piped into a store of secrets. */
function showSecret(session: CommandSession, made: { id: string; secret: string }): void {
  session.terminal.err(`${made.id}: the secret is shown only now.\n`);
  session.show(made, () => `${made.secret}\n`);
}

async function listDeliveries(
  session: CommandSession,
  options: CommandOptions,
  endpointId = '',
): Promise<void> {
  const { status, execution, limit } = options as {
    status?: 'pending' | 'held' | 'delivered' | 'failed';
    execution?: string;
    limit: string;
  };
  const page = await session.client.endpoints.deliveries.list(await session.workspaceId(), {
    limit: Number(limit),
    ...(endpointId ? { endpointId } : {}),
    ...(status ? { status } : {}),
    ...(execution ? { executionId: execution } : {}),
  });
  session.show(page.items, () =>
    formatTable(
      session.terminal,
      ['DELIVERY', 'AT', 'TYPE', 'EXECUTION', 'STATUS', 'ATTEMPTS', 'WHY'],
      page.items.map((one) => [
        one.id,
        one.occurredAt,
        one.type,
        one.executionId ?? '',
        one.status,
        String(one.attempts),
        one.lastError ?? '',
      ]),
    ),
  );
}

async function replay(session: CommandSession, options: CommandOptions, id = ''): Promise<void> {
  const { failed = false, since } = options as { failed?: boolean; since?: string };
  const { endpoints } = session.client;
  const workspaceId = await session.workspaceId();
  if (id.startsWith('dlv_')) {
    session.done(await endpoints.deliveries.replay(workspaceId, id), `${id} is sent again.`);
    return;
  }
  if (failed === (since !== undefined))
    throw new UsageError('Say what is sent again: --failed, or --since with a time.');
  let replayed = 0;
  for (let from = since; ;) {
    const done = await endpoints.replay(workspaceId, id, from === undefined ? { failed } : { since: from });
    replayed += done.replayed;
    if (!done.more) break;
    from = done.nextSince ?? undefined;
  }
  session.done({ replayed }, `${replayed} deliveries are sent again.`);
}
