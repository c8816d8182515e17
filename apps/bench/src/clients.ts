import { Holdfast } from '#libs/sdk/src/holdfast';
import { quantile, round } from './figures.ts';
import type { Ground } from './ground.ts';
import { goalsHold } from './reports.ts';

/** Calls of one kind in a row, before the other client's turn. So both meet the same state of the machine. */
const turn = 20;

interface ClientsOptions {
  rounds: number;
  runs: number;
  say: (line: string) => void;
}

/**
 * The TypeScript client beside bare `fetch`, one call after the other, in turns of twenty: a small read, and an
 * execution.
 */
export async function clients(ground: Ground, { rounds, runs, say }: ClientsOptions): Promise<object> {
  const { installation: eager } = ground;
  const client = new Holdfast({ baseUrl: eager.url, apiKey: eager.key });
  const definition = {
    blocks: [{ id: 'done', type: 'response', params: { data: { ok: true } } }],
    edges: [{ from: 'start', to: 'done' }],
  };
  const { id } = await client.workflows.create({ name: 'Clients', definition });
  await client.deployments.deploy(id);
  const headers = { 'x-api-key': eager.key, 'content-type': 'application/json' };
  const read = async (path: string, init: RequestInit = {}): Promise<unknown> =>
    (await fetch(`${eager.url}${path}`, { headers, ...init })).json();
  const execute = (more: Record<string, string>) =>
    read(`/api/workflows/${id}/execute`, {
      method: 'POST',
      body: '{"inputs":{}}',
      headers: { ...headers, ...more },
    });
  const subjects = {
    read: {
      bare: () => read('/health/live'),
      client: async () => void (await client.health.checkLiveness()),
    },
    // The client sends a key with each execution, to repeat it safely. The server stores an answer for the key.
    execute: {
      bare: () => execute({ 'idempotency-key': crypto.randomUUID() }),
      client: async () => void (await client.workflows.execute(id)),
    },
    executeWithoutKey: { bare: () => execute({}), client: () => execute({}) },
  };
  const figures: Record<string, object> = {};
  for (const [name, { bare, client: ours }] of Object.entries(subjects)) {
    const times = { bare: [] as number[], ours: [] as number[] };
    for (let warm = 0; warm < 200; warm++) await (warm % 2 === 0 ? bare() : ours());
    for (let count = 0; count < rounds * runs; count += turn) {
      // The order alternates, because the second client meets a warmer server.
      const isBareFirst = (count / turn) % 2 === 0;
      if (isBareFirst) times.bare.push(...(await timed(bare)));
      times.ours.push(...(await timed(ours)));
      if (!isBareFirst) times.bare.push(...(await timed(bare)));
    }
    const [bareMs, oursMs] = [quantile(times.bare, 0.5), quantile(times.ours, 0.5)];
    figures[name] = {
      bareMs: round(bareMs, 3),
      clientMs: round(oursMs, 3),
      overheadMs: round(oursMs - bareMs, 3),
    };
    say(`${name}: ${JSON.stringify(figures[name])}`);
  }
  return { bench: 'clients', ...figures, goalsHold: goalsHold('clients', figures) };
}

/** The duration of each call of one turn, in milliseconds. */
async function timed(call: () => Promise<unknown>): Promise<number[]> {
  const durations: number[] = [];
  for (let count = 0; count < turn; count++) {
    const begin = performance.now();
    await call();
    durations.push(performance.now() - begin);
  }
  return durations;
}
