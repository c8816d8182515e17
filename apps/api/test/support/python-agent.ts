import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '#libs/platform/binaries/cache-folder';
import { again } from '#libs/platform/binaries/npm-packages';

const run = promisify(execFile);
const folder = 'apps/api/test/support/python-agent';

/** The observations of the agent in Python. */
export interface AgentReport {
  version: string;
  tools: string[];
  size: object;
  told: boolean;
  shown: number;
  approve: object;
  cancelled: boolean;
}

/** Runs the agent against a server. */
export async function runPythonAgent(url: string, key: string, mode: string): Promise<AgentReport> {
  const home = await fetchAgentPackages();
  const env = { ...process.env, PYTHONPATH: home, PYTHONNOUSERSITE: '1' };
  const { stdout } = await run('python3', [join(folder, 'agent.py'), url, key, mode], { env });
  return JSON.parse(stdout) as AgentReport;
}

/**
 * Installs the packages of the list into a cache of the machine. The name of the folder comes from the list. The cache
 * only ever holds whole folders.
 */
export async function fetchAgentPackages(): Promise<string> {
  const list = join(folder, 'requirements.txt');
  const digest = createHash('sha256').update(readFileSync(list)).digest('hex').slice(0, 16);
  const home = join(cacheFolder(), `python-agent-${digest}`);
  if (existsSync(home)) return home;
  const beside = join(cacheFolder(), `.new-${randomUUID()}`);
  mkdirSync(beside, { recursive: true });
  try {
    const install = ['-m', 'pip', 'install', '-q', '--no-deps', '--only-binary', ':all:', '--target', beside];
    await again(() => run('python3', [...install, '-r', list]));
    if (!existsSync(home)) renameSync(beside, home);
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
  return home;
}
