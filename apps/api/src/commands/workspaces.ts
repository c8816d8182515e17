import 'reflect-metadata';
import { openWorkspace, operatedWorkspaces } from '#libs/workspace/auth/operator';
import { settingsOrExit } from '#libs/platform/settings/boot';

const usage = `npm run workspaces -- list             prints every workspace, with its policy and its admins
npm run workspaces -- open WORKSPACE   lets personal keys into a workspace again that has locked all its people out
`;

/** Lists workspaces, and opens one to the keys of its members. */
const [command, workspaceId = ''] = process.argv.slice(2);
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
  if (command !== 'open') return refuse(usage);
  const opened = await openWorkspace(settingsOrExit(), workspaceId);
  if (!opened) return refuse(`There is no workspace ${JSON.stringify(workspaceId)}.\n`);
  say(opened);
  return 0;
}

process.exitCode = await main();
