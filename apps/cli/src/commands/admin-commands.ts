import { Command } from 'commander';
import { UsageError } from '../exit.ts';
import type { CommandSession } from '../session.ts';
import { formatTable } from '../terminal.ts';
import { type CommandContext, type CommandOptions, withSession } from './context.ts';
import { examples } from './session-commands.ts';

type RoleName = 'viewer' | 'editor' | 'admin';

/** Commands for keys, members and secrets. */
export function addAdminCommands(program: Command, context: CommandContext): void {
  program.addCommand(keyCommands(context));
  program.addCommand(memberCommands(context));
  program.addCommand(secretCommands(context));
}

function keyCommands(context: CommandContext): Command {
  const keys = new Command('keys').description('Keys of the workspace, or with --personal your own');
  keys
    .command('list', { isDefault: true })
    .description('List the keys')
    .option('--personal', 'your own')
    .action(withSession(context, listKeys));
  keys
    .command('create <name>')
    .description('Create a key; its value is shown once')
    .option('--role <role>', 'viewer, editor or admin', 'editor')
    .option('--expires <date>', 'when it ends, as 2027-01-01T00:00:00Z')
    .option('--personal', 'a key of your own')
    .addHelpText('after', examples('holdfast keys create ci --role editor --json'))
    .action(withSession(context, createKey));
  keys
    .command('revoke <key>')
    .description('Revoke a key by its id')
    .option('--personal', 'one of your own')
    .option('-y, --yes', 'do not ask')
    .action(withSession(context, revokeKey));
  return keys;
}

async function listKeys(session: CommandSession, options: CommandOptions): Promise<void> {
  const { keys } = session.client;
  const list = await (
    options['personal'] ? keys.listPersonal() : keys.list(await session.workspaceId())
  ).toArray();
  session.show(list, () =>
    formatTable(
      session.terminal,
      ['KEY', 'NAME', 'ROLE', 'HINT', 'LAST USED', 'ENDED'],
      list.map((one) => [
        one.id,
        one.name,
        one.role,
        one.hint,
        one.lastUsedAt ?? 'never',
        one.revokedAt ?? one.expiresAt ?? '',
      ]),
    ),
  );
}

async function createKey(session: CommandSession, options: CommandOptions, name = ''): Promise<void> {
  const { role, expires, personal } = options as { role: RoleName; expires?: string; personal?: boolean };
  const { keys } = session.client;
  const made = personal
    ? await keys.createPersonal({ name, ...(expires ? { expiresAt: expires } : {}) })
    : await keys.create(await session.workspaceId(), {
        name,
        role,
        ...(expires ? { expiresAt: expires } : {}),
      });
  // The value alone on standard output, so that it can be piped into a store of secrets.
  session.terminal.err(`${made.id}: the value is shown only now.\n`);
  session.show(made, () => `${made.key}\n`);
}

async function revokeKey(session: CommandSession, options: CommandOptions, keyId = ''): Promise<void> {
  const { keys } = session.client;
  await session.confirm(
    `Revoke ${keyId}? Everything that uses it is refused at once.`,
    options['yes'] === true,
  );
  const revoked = options['personal']
    ? await keys.revokePersonal(keyId)
    : await keys.revoke(await session.workspaceId(), keyId);
  session.done(revoked, `${keyId} is revoked.`);
}

function memberCommands(context: CommandContext): Command {
  const members = new Command('members').description('Members of the workspace');
  members
    .command('list', { isDefault: true })
    .description('List the members')
    .action(withSession(context, listMembers));
  members
    .command('invite <email>')
    .description('Invite a person; the token is shown once')
    .option('--role <role>', 'viewer, editor or admin', 'editor')
    .action(
      withSession(context, async (session, options, email = '') => {
        const role = options['role'] as RoleName;
        const made = await session.client.invitations.create(await session.workspaceId(), { email, role });
        session.terminal.err(`${email} is invited as ${role} for seven days; hand this token over:\n`);
        session.show(made, () => `${made.token}\n`);
      }),
    );
  members
    .command('role <member> <role>')
    .description('Change the role of a member, by id or address')
    .action(
      withSession(context, async (session, _options, member = '', role = '') => {
        const workspaceId = await session.workspaceId();
        const { userId, email } = await findMember(session, workspaceId, member);
        const changed = await session.client.members.changeRole(workspaceId, userId, {
          role: role as RoleName,
        });
        session.done(changed, `${email} is ${changed.role} now.`);
      }),
    );
  members
    .command('remove <member>')
    .description('Remove a member, by id or address')
    .option('-y, --yes', 'do not ask')
    .action(
      withSession(context, async (session, options, member = '') => {
        const workspaceId = await session.workspaceId();
        const { userId, email } = await findMember(session, workspaceId, member);
        await session.confirm(`Remove ${email} from the workspace?`, options['yes'] === true);
        session.done(
          await session.client.members.remove(workspaceId, userId),
          `${email} is no member any more.`,
        );
      }),
    );
  return members;
}

async function listMembers(session: CommandSession): Promise<void> {
  const members = await session.client.members.list(await session.workspaceId()).toArray();
  session.show(members, () =>
    formatTable(
      session.terminal,
      ['MEMBER', 'ADDRESS', 'NAME', 'ROLE'],
      members.map((one) => [one.userId, one.email, one.name, one.role]),
    ),
  );
}

async function findMember({ client }: CommandSession, workspaceId: string, idOrEmail: string) {
  const members = await client.members.list(workspaceId).toArray();
  const found = members.find(
    ({ userId, email }) => userId === idOrEmail || email.toLowerCase() === idOrEmail.toLowerCase(),
  );
  if (!found) throw new UsageError(`The workspace has no member ${idOrEmail}.`);
  return found;
}

function secretCommands(context: CommandContext): Command {
  const secrets = new Command('secrets').description('Credentials that blocks use by name');
  secrets
    .command('list', { isDefault: true })
    .description('List the names; a value is never shown')
    .action(
      withSession(context, async (session) => {
        const list = await session.client.secrets.list(await session.workspaceId()).toArray();
        session.show(list, () =>
          formatTable(
            session.terminal,
            ['SECRET', 'CHANGED'],
            list.map(({ name, updatedAt }) => [name, updatedAt]),
          ),
        );
      }),
    );
  secrets
    .command('set <name>')
    .description('Set a secret; its value comes from the terminal, unseen, or from standard input')
    .addHelpText('after', examples('holdfast secrets set CRM_TOKEN < token.txt'))
    .action(
      withSession(context, async (session, _options, name = '') => {
        const { terminal, client } = session;
        const text = terminal.isInteractive
          ? await terminal.ask('The value (not shown):', { isSecret: true })
          : await terminal.readInput();
        // A file ends with a line end that nobody means.
        const value = text.replace(/\r?\n$/, '');
        session.done(
          await client.secrets.put(await session.workspaceId(), name, { value }),
          `${name} is set.`,
        );
      }),
    );
  secrets
    .command('delete <name>')
    .description('Delete a secret; blocks that name it fail from then on')
    .option('-y, --yes', 'do not ask')
    .action(
      withSession(context, async (session, options, name = '') => {
        await session.confirm(
          `Delete ${name}? Blocks that name it fail from then on.`,
          options['yes'] === true,
        );
        session.done(
          await session.client.secrets.delete(await session.workspaceId(), name),
          `${name} is deleted.`,
        );
      }),
    );
  return secrets;
}
