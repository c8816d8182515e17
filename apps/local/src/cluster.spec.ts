import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { cliAttributes } from '#apps/deploy/temporal/dynamic-config';
import { soon } from '#libs/platform/settings/support/soon';
import { startCluster } from './cluster.ts';
import { checkout } from './paths.ts';
import { removePostgres } from './postgres.ts';
import { isAlive } from './processes.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-cluster-'));
});

afterEach(() => {
  removePostgres(join(folder, 'postgres'));
  rmSync(folder, { recursive: true, force: true });
});

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

describe('startCluster', () => {
  test('startCluster finds its data again', async () => {
    const first = await startCluster({ dataDir: folder, durable: true });
    await query(first.databaseUrl, 'create table kept as select 42 as answer');
    await first.stop();
    const second = await startCluster({ dataDir: folder, durable: true });

    expect(await query(second.databaseUrl, 'select * from kept')).toEqual([{ answer: 42 }]);
    await second.stop();
  });

  test('startCluster has vectors, Unicode letters, and no way in without the password', async () => {
    const cluster = await startCluster({ dataDir: folder });
    await query(cluster.databaseUrl, 'create extension vector');

    expect(
      await query(cluster.databaseUrl, `select lower('ÄÉ') as low, '[3,4]'::vector <-> '[0,0]' as far`),
    ).toEqual([{ low: 'äé', far: 5 }]);
    await expect(query(cluster.databaseUrl.replace(':holdfast@', ':guess@'), 'select 1')).rejects.toThrow(
      'password',
    );
    await cluster.stop();
  });

  test('startCluster has the search attributes registered', async () => {
    const cluster = await startCluster({ dataDir: folder });
    const { Connection } = await import('@temporalio/client');
    const connection = await Connection.connect({ address: cluster.temporalAddress });
    const { customAttributes } = await connection.operatorService.listSearchAttributes({
      namespace: 'default',
    });

    expect(Object.keys(customAttributes ?? {})).toEqual(expect.arrayContaining(Object.keys(cliAttributes)));
    await connection.close();
    await cluster.stop();
  });

  test('startCluster leaves no process when its own is killed, and the next start works', async () => {
    const code = `
      const { startCluster } = await import(${JSON.stringify(join(checkout(), 'dist/apps/local/src/cluster.js'))});
      await startCluster({ dataDir: ${JSON.stringify(folder)}, durable: true });
      const { execFileSync } = await import('node:child_process');
      process.stdout.write(execFileSync('pgrep', ['-P', String(process.pid)], { encoding: 'utf8' }) + '.');
      setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    parent.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await soon(() => output.endsWith('.'));
    const pids = output.match(/\d+/g)?.map(Number) ?? [];
    expect(pids.length).toBeGreaterThanOrEqual(3);

    parent.kill('SIGKILL');
    await once(parent, 'exit');
    await soon(() => pids.every((pid) => !isAlive(pid)));
    const again = await startCluster({ dataDir: folder, durable: true });
    await again.stop();
  });
});
