import { cpus, totalmem } from 'node:os';
import { Connection } from '@temporalio/client';
import { Client } from 'pg';
import { commitOfBuild } from '#apps/local/src/commit';
import { isDoubled, type CampaignResult } from './campaign.ts';
import type { Receiver } from './receiver.ts';
import type { Target } from './target.ts';

/** What the campaign ran on. A member is null when the installation stands elsewhere and does not say it. */
export async function machine(target: Target, pooler: string | null): Promise<Record<string, unknown>> {
  const here = target.isLocal;
  return {
    cores: here ? cpus().length : null,
    memoryGiB: here ? Math.round(totalmem() / 1024 ** 3) : null,
    node: here ? process.version.slice(1) : null,
    postgres: target.databaseUrl ? await postgresVersion(target.databaseUrl) : null,
    temporal: target.temporalAddress ? await temporalVersion(target.temporalAddress) : null,
    pgbouncer: pooler,
    commit: here ? commitOfBuild() : null,
  };
}

async function postgresVersion(connectionString: string): Promise<string | undefined> {
  const client = new Client({ connectionString });
  await client.connect();
  const { rows } = await client.query('show server_version');
  await client.end();
  return String(rows[0]?.server_version).split(' ')[0];
}

async function temporalVersion(address: string): Promise<string> {
  const connection = await Connection.connect({ address });
  const { serverVersion } = await connection.workflowService.getSystemInfo({});
  await connection.close();
  return serverVersion ?? '';
}

export function buildFigures(result: CampaignResult, receiver: Receiver): Record<string, unknown> {
  const { outcomes, troubles, imports, bulkRounds, kinds, readyS, movesS, recoveriesS } = result;
  const limited = outcomes.filter(({ limited: { before } }) => before > 0).length;
  return {
    ended: ends(result),
    ...troubles,
    askedAgainForALimit: limited,
    begunByTwo: outcomes.filter(({ n }) => isDoubled(n)).length,
    begunByTwoPeople: outcomes.filter(({ other }) => other !== null).length,
    files: imports.length,
    retried: outcomes.filter(({ kind }) => kinds[kind]?.control?.verb === 'retry').length,
    forked: outcomes.filter(({ forkedFrom }) => forkedFrom !== null).length,
    bulkJobs: bulkRounds.flatMap(({ jobs }) => jobs).length,
    repeatedDeliveries: [...receiver.receipts.values()].filter(({ deliveries }) => deliveries > 1).length,
    putOff: receiver.putOff.size,
    underWayAtRecovery: movesS.length,
    ...spread('ready', readyS),
    ...spread('move', movesS),
    ...spread('end', recoveriesS),
  };
}

/** The number of runs by status. */
function ends({ outcomes }: CampaignResult): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of outcomes) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Median, 95th percentile and maximum of some times in seconds. */
function spread(name: string, seconds: number[]): Record<string, number> {
  const sorted = seconds.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round((sorted[Math.ceil(sorted.length * share) - 1] ?? 0) * 10) / 10;
  return { [`${name}P50S`]: at(0.5), [`${name}P95S`]: at(0.95), [`${name}MaxS`]: at(1) };
}
