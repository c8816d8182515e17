import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import 'reflect-metadata';
import { parseAnchors } from '#libs/workspace/audit/anchor';
import { Chains } from '#libs/workspace/audit/chain';
import { settingsOrExit } from '#libs/platform/settings/boot';

const usage = `npm run audit -- verify [--anchors FILE] [--days N]
                                          proves every entry of the audit log, and that it goes through the anchors of
                                          an export or of a log; entries older than N days (AUDIT_RETENTION) may be gone
npm run audit -- anchors                  prints where each chain ends now, signed, a line for each
npm run audit -- forget --days N          deletes entries that are older, and leaves anchors; as the owner of the schema
npm run audit -- renew                    signs anew what was deleted before anchors of retention had a signature of their own
`;

const dayMs = 86_400_000;

/** Verifies the audit log of an installation, without its processes. Exits with 1 when the log was changed. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { anchors: { type: 'string' }, days: { type: 'string' } },
});
const [command = ''] = positionals;
const days = values.days === undefined ? undefined : Number(values.days);
const say = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`);
const refuse = (message: string) => {
  process.stderr.write(message);
  return 2;
};

async function main(): Promise<number> {
  const isForgetting = command === 'forget';
  if (!['verify', 'anchors', 'forget', 'renew'].includes(command)) return refuse(usage);
  if (days === undefined ? isForgetting : !(days >= 1)) return refuse(usage);
  const { databaseDirectUrl, secret, audit } = settingsOrExit();
  const chains = await Chains.open(databaseDirectUrl, secret, { asOwner: isForgetting });
  try {
    if (command === 'verify')
      return await verify(chains, days === undefined ? audit.retentionMs : days * dayMs);
    if (command === 'anchors') for (const anchor of await chains.anchors()) say(anchor);
    if (command === 'renew') for (const renewed of await chains.renew()) say(renewed);
    return isForgetting && days !== undefined ? await forget(chains, days) : 0;
  } finally {
    await chains.close();
  }
}

async function forget(chains: Chains, olderThan: number): Promise<number> {
  const outcome = await chains.forget(new Date(Date.now() - olderThan * dayMs));
  say(outcome);
  return outcome.refused.length > 0 ? 1 : 0;
}

async function verify(chains: Chains, retentionMs: number | null): Promise<number> {
  const anchors = values.anchors === undefined ? [] : parseAnchors(readFileSync(values.anchors, 'utf8'));
  // A file without anchors must not look like a successful check.
  if (values.anchors !== undefined && anchors.length === 0)
    return refuse(`There is no anchor in ${values.anchors}.\n`);
  const verdicts = await chains.verify(anchors, retentionMs);
  for (const verdict of verdicts) say(verdict);
  return verdicts.some(({ faults }) => faults.length > 0) ? 1 : 0;
}

process.exit(await main());
