import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { soon } from '#libs/platform/settings/support/soon';
import {
  claim,
  openDataFolder,
  readRun,
  readFolderSecrets,
  wipeDataFolder,
  writeRun,
  type Run,
} from './data-folder.ts';
import { readCommand, isAlive } from './processes.ts';

let folder: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-data-'));
  openDataFolder(folder);
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** A process whose command line looks like one of ours. */
async function givenProcess(look: string): Promise<number> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', look], { stdio: 'ignore' });
  children.push(child);
  await once(child, 'spawn');
  await soon(() => readCommand(child.pid ?? 0).includes(look));
  return child.pid ?? 0;
}

async function givenRun(run: Partial<Run>): Promise<void> {
  const urls = { api: 'http://localhost:3000', openapi: '', docs: '' };
  writeRun(folder, { supervisor: 0, launcher: 0, startedAt: '', processes: {}, ports: {}, urls, ...run });
}

describe('readFolderSecrets', () => {
  test('readFolderSecrets makes 32 random bytes once and keeps them for their owner alone', () => {
    const first = readFolderSecrets(folder);

    expect(Buffer.from(first.secret, 'base64url')).toHaveLength(32);
    expect(readFolderSecrets(folder)).toEqual(first);
    expect(statSync(join(folder, 'secrets.json')).mode & 0o777).toBe(0o600);
  });

  test('readFolderSecrets refuses to make new secrets for data that has lost its own', () => {
    const data = mkdtempSync(join(folder, 'postgres-'));
    rmSync(data, { recursive: true });
    openDataFolder(join(folder, 'postgres'));
    writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '18');

    expect(() => readFolderSecrets(folder)).toThrow('secrets.json is missing');
  });
});

describe('claim', () => {
  test('claim refuses a folder that another supervisor works on, and names its address', async () => {
    const supervisor = await givenProcess('apps/local/run.mjs');
    writeFileSync(join(folder, 'supervisor.pid'), String(supervisor));
    await givenRun({ supervisor });

    await expect(claim(folder)).rejects.toThrow(`at http://localhost:3000 (process ${supervisor})`);
    expect(isAlive(supervisor)).toBe(true);
  });

  test('claim stops a supervisor whose npm was killed', async () => {
    const supervisor = await givenProcess('apps/local/run.mjs');
    const launcher = await givenProcess('npm');
    writeFileSync(join(folder, 'supervisor.pid'), String(supervisor));
    await givenRun({ supervisor, launcher });
    process.kill(launcher, 'SIGKILL');
    await soon(() => !isAlive(launcher));

    await claim(folder);
    expect(isAlive(supervisor)).toBe(false);
  });

  test('claim stops the processes of a killed supervisor, but no process that got one of their numbers later', async () => {
    const api = await givenProcess('apps/api/src/main');
    const stranger = await givenProcess('something-else');
    await givenRun({ processes: { api, worker: stranger } });

    await claim(folder);
    expect([isAlive(api), isAlive(stranger)]).toEqual([false, true]);
  });
});

test('wiping deletes the runs and the secrets, and leaves foreign files in the folder', () => {
  readFolderSecrets(folder);
  writeFileSync(join(folder, 'temporal', 'runs.db'), '');
  writeFileSync(join(folder, 'mine.txt'), '');
  wipeDataFolder(folder);

  expect(readdirSync(folder)).toEqual(['mine.txt']);
  expect(readRun(folder)).toBeUndefined();
});
