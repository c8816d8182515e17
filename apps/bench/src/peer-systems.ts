import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { request } from 'undici';
import type { Json } from '#libs/platform/json/json';
import { installedPackages } from '#libs/platform/binaries/npm-packages';
import { checkout } from '#apps/local/src/paths';
import { freePort } from '#apps/local/src/ports';
import { lastLines, launch, stopProcess, until } from '#apps/local/src/processes';
import { pureRuns } from './execute.ts';
import type { Ground } from './ground.ts';
import { callsInRow } from './http.ts';
import { isObject } from './installation.ts';
import { resuming } from './resume.ts';
import type { Subject } from './rounds.ts';
import { TemporalSync } from './temporal-sync.ts';

export const peerLoads = ['calls3', 'calls10', 'pure', 'answer'] as const;
export type PeerLoad = (typeof peerLoads)[number];
export type SystemName = 'ours' | 'dbos' | 'restate';

/** An engine with the same workflows as the others. */
export interface System {
  name: SystemName;
  subjects: Record<PeerLoad, Subject>;
  /** The processes that take part in a run, apart from the client. */
  pids: Record<string, number>;
  /** The URL of its Postgres, where it has one. */
  databaseUrl?: string;
  stop(): Promise<void>;
}

/** An API and a worker. */
export async function startOurs(ground: Ground, url: string): Promise<System> {
  const product = await ground.another('peers');
  const sync = new TemporalSync(product);
  const calls = async (count: number): Promise<Subject> => {
    const run = await callsInRow(product, count, url);
    return { name: 'ours', once: async () => void (await run()), settle: () => sync.settle() };
  };
  const subjects = {
    calls3: await calls(3),
    calls10: await calls(10),
    pure: await pureRuns(product, sync),
    answer: await resuming(product, 'ours'),
  };
  const { databaseUrl, pids } = product;
  return {
    name: 'ours',
    subjects,
    pids: { ...pids, ...ground.servers },
    databaseUrl,
    stop: () => product.stop(),
  };
}

/** DBOS in one process, with a database of its own on the Postgres of the ground. */
export async function startDbos(ground: Ground, url: string): Promise<System> {
  const [home, port] = [await installedPackages(manifests), await freePort()];
  const at = `http://127.0.0.1:${port}`;
  const databaseUrl = await createDatabase(ground.cluster.databaseUrl);
  const dbos = await startProgram(ground, {
    name: 'dbos',
    program: [process.execPath, join(checkout(), manifests, 'dbos.mjs'), home, String(port), databaseUrl],
    readyAt: at,
  });
  const waits: Json[] = [];
  const subjects = buildSubjects('dbos', {
    calls: (count) => call('POST', `${at}/calls`, { count, url }),
    pure: (amount) => call('POST', `${at}/pure`, { amount }),
    wait: async () => void waits.push(await call('POST', `${at}/approval`, {})),
    answer: (answer) => call('POST', `${at}/answer`, { id: waits.pop() ?? '', answer }),
  });
  const pids = { dbos: dbos.pid, postgres: ground.servers['postgres'] ?? 0 };
  return { name: 'dbos', subjects, pids, databaseUrl, stop: () => dbos.stop() };
}

/** The server of Restate, and a process with its services. Both keep their defaults, so each entry of a journal is safe on disk. */
export async function startRestate(ground: Ground, url: string): Promise<System> {
  const home = await installedPackages(manifests);
  const [services, ingress, admin, node] = await freePorts(4);
  const at = (port = 0) => `127.0.0.1:${port}`;
  const sdk = await startProgram(ground, {
    name: 'restate-services',
    program: [process.execPath, join(checkout(), manifests, 'restate.mjs'), home, String(services)],
  });
  const packaged = `@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`;
  const server = await startProgram(ground, {
    name: 'restate',
    program: [
      join(home, 'node_modules', packaged),
      '--no-logo',
      '--node-name=bench',
      '--listen-mode=tcp',
      `--bind-address=${at(node)}`,
      `--base-dir=${join(ground.folder, 'restate')}`,
    ],
    env: {
      RESTATE_INGRESS__BIND_ADDRESS: at(ingress),
      RESTATE_ADMIN__BIND_ADDRESS: at(admin),
      RESTATE_DISABLE_TELEMETRY: 'true',
      RESTATE_LOG_FILTER: 'warn',
    },
    readyAt: `http://${at(admin)}/health`,
  });
  const register = () => call('POST', `http://${at(admin)}/deployments`, { uri: `http://${at(services)}` });
  // The services speak HTTP/2 alone, so their first answer is the one that the server needs.
  await until(() => register().then(...isDone), 30_000, 'The registration of services at Restate');
  const to = `http://${at(ingress)}`;
  const waits: string[] = [];
  const subjects = buildSubjects('restate', {
    calls: (count) => call('POST', `${to}/runs/calls`, { count, url }),
    pure: (amount) => call('POST', `${to}/runs/pure`, { amount }),
    wait: async () => {
      const id = randomBytes(8).toString('hex');
      await call('POST', `${to}/approval/${id}/run/send`);
      waits.push(id);
    },
    answer: async (answer) => {
      const id = waits.pop() ?? '';
      // The caller who wants the result asks for it at once, so it comes as soon as it is there.
      const result = call('GET', `${to}/restate/workflow/approval/${id}/attach`);
      await call('POST', `${to}/approval/${id}/answer`, answer);
      return result;
    },
  });
  const stop = async () => void (await Promise.all([server.stop(), sdk.stop()]));
  return { name: 'restate', subjects, pids: { restate: server.pid, services: sdk.pid }, stop };
}

const manifests = 'apps/bench/peers';
const isDone = [() => true, () => false] as const;

/** How a peer is asked for each kind of run. Resolves to the output of the run. */
interface PeerRuns {
  calls(count: number): Promise<Json>;
  pure(amount: number): Promise<Json>;
  /** Begins a run that waits. */
  wait(): Promise<void>;
  /** Answers one run that waits, and gives its result. */
  answer(answer: { approved: boolean }): Promise<Json>;
}

function buildSubjects(name: SystemName, runs: PeerRuns): Record<PeerLoad, Subject> {
  const checked = (run: () => Promise<Json>, isRight: (output: Json) => boolean): Subject => ({
    name,
    once: async () => {
      const output = await run();
      if (!isRight(output)) throw new Error(`A run of ${name} gave ${JSON.stringify(output)}.`);
    },
  });
  const isCalled = (output: Json) => output === 'done';
  return {
    calls3: checked(() => runs.calls(3), isCalled),
    calls10: checked(() => runs.calls(10), isCalled),
    pure: checked(
      () => runs.pure(5000),
      (output) => isObject(output) && output['size'] === 'large',
    ),
    answer: {
      ...checked(
        () => runs.answer({ approved: true }),
        (output) => isObject(output) && output['approved'] === true,
      ),
      prepare: async (count) => {
        for (let made = 0; made < count; made++) await runs.wait();
      },
    },
  };
}

async function createDatabase(clusterUrl: string): Promise<string> {
  const url = new URL(clusterUrl);
  const client = new pg.Client({ connectionString: clusterUrl });
  await client.connect();
  url.pathname = `/peer_${randomBytes(6).toString('hex')}`;
  await client.query(`create database ${url.pathname.slice(1)}`);
  await client.end();
  return url.href;
}

async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

/** Starts a program of a peer, and waits until it answers at `readyAt`. */
async function startProgram(
  { folder }: Ground,
  {
    name,
    program,
    env,
    readyAt,
  }: { name: string; program: string[]; env?: NodeJS.ProcessEnv; readyAt?: string },
): Promise<{ pid: number; stop(): Promise<void> }> {
  const [command = '', ...args] = program;
  const log = join(folder, `${name}.log`);
  const { PATH, HOME } = process.env;
  const { pid = 0 } = launch({ command, args, env: { PATH, HOME, NODE_ENV: 'production', ...env }, log });
  const stop = () => stopProcess(pid, 'SIGTERM', 8000);
  try {
    if (readyAt) await until(() => fetch(readyAt).then(...isDone), 60_000, `An answer of ${name}`);
  } catch (error) {
    await stop();
    throw new Error(`${String(error)}\n${lastLines(log)}`, { cause: error });
  }
  return { pid, stop };
}

/** Makes one call on a kept connection, and gives the JSON of its answer. */
async function call(method: 'GET' | 'POST', url: string, body?: Json): Promise<Json> {
  const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await request(url, { method, ...(body === undefined ? {} : json) });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${url} answered ${answer.statusCode}: ${text}`);
  return text ? JSON.parse(text) : null;
}
