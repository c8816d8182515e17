import 'reflect-metadata';
import { createWorkspaceFor, openWorkspace, operatedWorkspaces } from '#libs/workspace/auth/operator';
import { settingsOrExit } from '#libs/platform/settings/boot';

const usage = `npm run workspaces -- list                prints every workspace, with its policy and its admins
npm run workspaces -- open WORKSPACE      lets personal keys into a workspace again that has locked all its people out
npm run workspaces -- create NAME EMAIL   makes a workspace with this user as its admin; it does not count for WORKSPACES_PER_USER
`;

/** Lists and makes workspaces, and opens one to the keys of its members. */
const [command, first = '', email = ''] = process.argv.slice(2);
const say = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`);
const refuse = (message: string) => {
  process.stderr.write(message);
  return 2;
};

async function main(): Promise<number> {
  if (command === 'list') {
    for (const workspace of await operatedWorkspaces(settingsOrExit())) say(workspace);
    return 0;
  }
  if (command === 'create' && first !== '' && email !== '') {
    const created = await createWorkspaceFor(settingsOrExit(), first, email);
    if (!created) return refuse(`No user, or more than one, has the address ${JSON.stringify(email)}.\n`);
    say(created);
    return 0;
  }
  if (command !== 'open') return refuse(usage);
  const opened = await openWorkspace(settingsOrExit(), first);
  if (!opened) return refuse(`There is no workspace ${JSON.stringify(first)}.\n`);
  say(opened);
  return 0;
}

process.exitCode = await main();
