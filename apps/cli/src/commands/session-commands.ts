import type { Command } from 'commander';
import { UsageError } from '../exit.ts';
import { profilePath, readProfiles, writeProfiles } from '../profiles.ts';
import { buildClient, type CommandSession } from '../session.ts';
import { formatTable, safeText } from '../terminal.ts';
import { acting, type CommandContext, getGlobals, withSession } from './context.ts';

/** Commands that say who calls what: login, logout, profiles, whoami, status. */
export function addSessionCommands(program: Command, context: CommandContext): void {
  program
    .command('login')
    .description('Store the address and the key of an installation')
    .option('--name <name>', 'the name of the profile', 'default')
    .addHelpText(
      'after',
      examples(
        'holdfast login --url https://flows.example.com',
        'holdfast login --url http://localhost:3000 --name local < key.txt',
      ),
    )
    .action(acting(context, login));
  program
    .command('logout')
    .description('Forget the key of a profile; revoke it with `holdfast keys revoke`')
    .option('--name <name>', 'the name of the profile')
    .action(acting(context, logout));
  program.command('profiles').description('List the profiles').action(acting(context, listProfiles));
  program
    .command('use <profile>')
    .description('Make a profile the one that commands mean')
    .action(acting(context, (shared, _options, name) => useProfile(shared, String(name))));
  program.command('whoami').description('Show what the key reaches').action(withSession(context, whoami));
  program
    .command('status')
    .description('Show whether the installation is well')
    .action(withSession(context, status));
}

export const examples = (...lines: string[]): string =>
  `\nExamples:\n${lines.map((line) => `  $ ${line}\n`).join('')}`;

async function login(context: CommandContext, options: Record<string, unknown>): Promise<void> {
  const { terminal } = context;
  const globals = getGlobals(context);
  const url =
    globals.url ?? terminal.env['HOLDFAST_URL'] ?? (await terminal.ask('The address of the installation:'));
  const given =
    globals.key ??
    (terminal.isInteractive
      ? await terminal.ask('The key (not shown):', { isSecret: true })
      : await terminal.readInput());
  const apiKey = given.trim();
  if (apiKey === '')
    throw new UsageError('The key is missing: give it on the standard input, or with --key.');
  const client = buildClient(terminal, globals, { url, apiKey });
  const workspaces = await client.workspaces.list().toArray();
  const workspaceId = globals.workspace ?? (workspaces.length === 1 ? workspaces[0]?.id : undefined);
  const path = profilePath(terminal.env);
  const { profiles } = await readProfiles(path);
  const name = String(options['name']);
  profiles[name] = { url, apiKey, ...(workspaceId ? { workspaceId } : {}) };
  await writeProfiles(path, { current: name, profiles });
  const names = workspaces.map((one) => one.name).join(', ');
  terminal.out(
    `${safeText(`Logged in to ${url} as profile ${name}; the key reaches ${names || 'no workspace'}.`)}\n`,
  );
  if (!workspaceId && workspaces.length > 1)
    terminal.err('It reaches several workspaces: name one with --workspace, or log in again with it.\n');
}

async function logout(context: CommandContext, options: Record<string, unknown>): Promise<void> {
  const path = profilePath(context.terminal.env);
  const { current, profiles } = await readProfiles(path);
  const name = String(options['name'] ?? getGlobals(context).profile ?? current);
  if (!(name in profiles)) throw new UsageError(`There is no profile ${name}.`);
  delete profiles[name];
  await writeProfiles(path, { current, profiles });
  context.terminal.out(`The profile ${name} is forgotten.\n`);
}

async function listProfiles(context: CommandContext): Promise<void> {
  const { terminal } = context;
  const { current, profiles } = await readProfiles(profilePath(terminal.env));
  const rows = Object.entries(profiles).map(([name, { url, workspaceId, apiKey }]) => ({
    name,
    url,
    workspaceId: workspaceId ?? null,
    key: `...${apiKey.slice(-4)}`,
    isCurrent: name === current,
  }));
  if (getGlobals(context).json) terminal.out(`${JSON.stringify(rows, null, 2)}\n`);
  else
    terminal.out(
      formatTable(
        terminal,
        ['', 'PROFILE', 'ADDRESS', 'WORKSPACE', 'KEY'],
        rows.map((row) => [row.isCurrent ? '*' : '', row.name, row.url, row.workspaceId, row.key]),
      ),
    );
}

async function useProfile({ terminal }: CommandContext, name: string): Promise<void> {
  const path = profilePath(terminal.env);
  const { profiles } = await readProfiles(path);
  if (!(name in profiles))
    throw new UsageError(
      `There is no profile ${name}. There are: ${Object.keys(profiles).join(', ') || 'none'}.`,
    );
  await writeProfiles(path, { current: name, profiles });
  terminal.out(`Commands mean ${name} from now on.\n`);
}

async function whoami(session: CommandSession): Promise<void> {
  const { client, url } = session;
  const workspaces = await client.workspaces.list().toArray();
  const limits = await client.usage.getLimits(workspaces[0] ? { workspaceId: workspaces[0].id } : {});
  const value = { url, workspaces, rateLimit: limits.rateLimit, usage: limits.usage };
  session.show(value, () =>
    [
      `${url}\n`,
      formatTable(
        session.terminal,
        ['WORKSPACE', 'NAME', 'PLAN'],
        workspaces.map(({ id, name, plan }) => [id, name, plan]),
      ),
    ].join(''),
  );
}

async function status(session: CommandSession): Promise<void> {
  const { client, url } = session;
  // Status 503 tells that a dependency is away, and this command asks for exactly this state.
  const health = await client.health.checkReadiness({ maxRetries: 0 }).catch((error: unknown) => {
    const { status: httpStatus, message } = Object(error);
    if (httpStatus !== 503) throw error;
    return { status: 'away', dependencies: { message } };
  });
  const waiting = await client.pauses.listInbox({ limit: 1 }).then(
    (page) => page.items.length > 0,
    () => false,
  );
  session.show({ url, ...health, waiting }, () => {
    const parts = Object.entries(health.dependencies).map(
      ([name, state]) => `  ${name}: ${JSON.stringify(state)}\n`,
    );
    return `${url}: ${health.status}\n${parts.join('')}${waiting ? 'Something waits for an answer: holdfast inbox\n' : ''}`;
  });
}
