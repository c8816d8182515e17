import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import 'reflect-metadata';
import type { Anchor } from '#libs/audit/anchor';
import { Chains } from '#libs/audit/chain';
import { settingsOrExit } from '#libs/settings/boot';

const usage = `npm run audit -- verify [--anchors FILE]   proves every entry of the audit log, and that it goes through the anchors
npm run audit -- anchors                  prints where each chain ends now, signed, a line for each
npm run audit -- forget --days N          deletes entries that are older, and leaves anchors; as the owner of the schema
`;

/** Proves the audit log of an installation, without its processes. Exits with 1 when it does not hold. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { anchors: { type: 'string' }, days: { type: 'string' } },
});
const [command = ''] = positionals;
const days = Number(values.days ?? NaN);
const say = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`);

async function main(): Promise<number> {
  if (!['verify', 'anchors', 'forget'].includes(command) || (command === 'forget' && !(days >= 1))) {
    process.stderr.write(usage);
    return 2;
  }
  const { databaseDirectUrl, secret } = settingsOrExit();
  const chains = await Chains.open(databaseDirectUrl, secret, { asOwner: command === 'forget' });
  try {
    if (command === 'verify') return await verify(chains);
    if (command === 'anchors') for (const anchor of await chains.anchors()) say(anchor);
    else say({ deleted: await chains.forget(new Date(Date.now() - days * 86_400_000)) });
    return 0;
  } finally {
    await chains.close();
  }
}

async function verify(chains: Chains): Promise<number> {
  const lines = values.anchors ? readFileSync(values.anchors, 'utf8').split('\n').filter(Boolean) : [];
  const verdicts = await chains.verify(lines.map((line) => JSON.parse(line) as Anchor));
  for (const verdict of verdicts) say(verdict);
  return verdicts.some(({ faults }) => faults.length > 0) ? 1 : 0;
}

process.exit(await main());
