import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { settingsOrExit } from '#libs/platform/settings/boot';
import {
  getInstallationHold,
  holdInstallation,
  releaseInstallation,
} from '#libs/runs/executions/accept/installation-hold';
import { ageMsMax } from '#libs/runs/executions/control/effect-holds';
import { asOperator } from '#libs/workspace/auth/operator';

const usage = `holdfast-admin hold show                                   prints the hold of the installation, and how many wait
holdfast-admin hold set REASON [--effects] [--refuse]      takes and queues starts of all workspaces; --effects also stops what runs, --refuse refuses starts
holdfast-admin hold release [--per-second N]               lets them go, the oldest first
`;
const reasonMax = 500;

const say = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`);
const refuse = (message: string) => {
  process.stderr.write(message);
  return 2;
};

/** Reads the arguments; null when they are not as the usage says. */
function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        effects: { type: 'boolean', default: false },
        refuse: { type: 'boolean', default: false },
        'per-second': { type: 'string' },
      },
    });
  } catch {
    return null;
  }
}

/** Holds the whole installation, for example for an upgrade, and releases it. */
async function main(): Promise<number> {
  const { values, positionals } = readArguments() ?? { values: null, positionals: [] };
  const [command, reason = '', ...more] = positionals;
  if (!values || more.length > 0) return refuse(usage);
  const settings = settingsOrExit();
  if (command === 'show' && !reason) {
    say(await asOperator(settings, getInstallationHold));
    return 0;
  }
  if (command === 'set') {
    if (reason.trim() === '' || reason.length > reasonMax || reason.includes('\0'))
      return refuse(`Give a reason of 1 to ${reasonMax} characters: everybody sees it.\n${usage}`);
    const stops = values.effects ? 'effects' : 'starts';
    const wish = { reason, stops, mode: values.refuse ? 'refuse' : 'queue' } as const;
    const hold = await asOperator(settings, (client) => holdInstallation(client, wish));
    // From the answer on, no process begins an effect that the hold stops.
    if (values.effects) await pause(ageMsMax);
    say(hold);
    return 0;
  }
  if (command !== 'release' || reason) return refuse(usage);
  const perSecond = values['per-second'] === undefined ? null : Number(values['per-second']);
  if (perSecond !== null && !(perSecond >= 0.1 && perSecond <= 1000))
    return refuse(`--per-second must be from 0.1 to 1000.\n${usage}`);
  say(await asOperator(settings, (client) => releaseInstallation(client, perSecond)));
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.exitCode = refuse(`${error instanceof Error ? error.message : String(error)}\n`);
}
