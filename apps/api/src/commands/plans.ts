import 'reflect-metadata';
import { assignedPlans, assignPlan } from '#libs/workspace/auth/assigned-plans';
import { getPlanLimits } from '#libs/platform/settings/plans';
import { settingsOrExit } from '#libs/platform/settings/boot';

const usage = `npm run plans -- list                     prints the configured plans with their numbers
npm run plans -- workspaces               prints every workspace with its plan
npm run plans -- assign WORKSPACE PLAN    gives a workspace a plan; every process follows within five seconds
`;

/** Shows and assigns the plans of workspaces. */
const [command, workspaceId = '', plan = ''] = process.argv.slice(2);
const say = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`);
const refuse = (message: string) => {
  process.stderr.write(message);
  return 2;
};

async function main(): Promise<number> {
  if (!['list', 'workspaces', 'assign'].includes(command ?? '')) return refuse(usage);
  const settings = settingsOrExit();
  const { plans, defaultPlan } = settings;
  if (command === 'list')
    for (const name of Object.keys(plans))
      say({ plan: name, isDefault: name === defaultPlan, ...getPlanLimits(name, settings) });
  if (command === 'workspaces') for (const one of await assignedPlans(settings)) say(one);
  if (command !== 'assign') return 0;
  if (!Object.hasOwn(plans, plan))
    return refuse(`There is no plan ${JSON.stringify(plan)}; there are ${Object.keys(plans).join(', ')}.\n`);
  const assigned = await assignPlan(settings, workspaceId, plan);
  if (!assigned) return refuse(`There is no workspace ${JSON.stringify(workspaceId)}.\n`);
  say(assigned);
  return 0;
}

process.exitCode = await main();
