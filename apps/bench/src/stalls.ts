import { Agent, get } from 'node:http';
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { pure } from './definitions.ts';
import { round } from './figures.ts';
import type { Ground } from './ground.ts';
import type { Installation } from './installation.ts';
import { type LargeAnswer, startLargeAnswers } from './large-answers.ts';
import { goalsHold } from './reports.ts';

interface StallsOptions {
  rounds: number;
  /** Measures only this call; all when absent. */
  load: string | undefined;
  say(line: string): void;
}

/** A large call. It is made once a round. */
type LargeCall = () => Promise<unknown>;

/**
 * How long one large call keeps the API's event loop: the longest wait of a small call beside it, in milliseconds. The smallest value of
 * all rounds counts, because other processes make each of them larger.
 */
export async function stalls(
  ground: Ground,
  { rounds, load: only, say }: StallsOptions,
): Promise<Record<string, unknown>> {
  const load1Before = loadavg()[0] ?? 0;
  const installation = await ground.another('stalls');
  const server = await startLargeAnswers();
  const calls = { ...(await largeCalls(installation)), ...(await largeAnswers(installation, server.url)) };
  const figures: Record<string, number> = {};
  for (const [name, call] of Object.entries(calls).filter(([one]) => !only || one === only)) {
    await call();
    const waits: number[] = [];
    for (let turn = 0; turn < rounds; turn++) waits.push(await longestWait(installation.url, call));
    figures[name] = round(Math.min(...waits));
    say(`${name}: ${waits.map((wait) => round(wait)).join(', ')} ms`);
  }
  await server.stop();
  return {
    bench: 'stalls',
    figures,
    load1Before: round(load1Before),
    goalsHold: goalsHold('stalls', { figures }, `figures/${only ?? ''}`),
  };
}

/** Asks for the health of the API, one call after another, until the large call has its answer. */
async function longestWait(url: string, call: LargeCall): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const end = new AbortController();
  const work = call().finally(() => end.abort());
  let longest = 0;
  while (!end.signal.aborted) {
    const begunAtMs = performance.now();
    await answered(`${url}/health/live`, agent);
    longest = Math.max(longest, performance.now() - begunAtMs);
    await pause(1);
  }
  agent.destroy();
  await work;
  return longest;
}

async function answered(url: string, agent: Agent): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    get(url, { agent }, (answer) => answer.resume().once('end', resolve)).once('error', reject);
  });
}

const megabyte = 1_000_000;
const start = { inputs: { text: { type: 'string' }, any: { type: 'json' } } };
const answering = (data: unknown) => ({
  start,
  blocks: [{ id: 'done', type: 'response', params: { data } }],
  edges: [{ from: 'start', to: 'done' }],
});
/** A definition of 400 KB, with an expression in each block. */
const wide = {
  start: { inputs: { text: { type: 'string' } } },
  variables: { v: { type: 'string', initial: '' } },
  blocks: Array.from({ length: 450 }, (_, i) => ({
    id: `b${i}`,
    type: 'variables',
    params: { set: { v: `{{ start.text + "${'z'.repeat(800)}" + string(${i} + ${i}) }}` } },
  })),
  edges: Array.from({ length: 450 }, (_, i) => ({ from: i ? `b${i - 1}` : 'start', to: `b${i}` })),
};
/** The largest lists and objects that a body may have. */
const items = Array.from({ length: 290_000 }, (_, i) => i % 10);
const objects = Array.from({ length: 95_000 }, () => ({ a: 1, b: 'x' }));
const names = Object.fromEntries(Array.from({ length: 95_000 }, (_, i) => [`name ${i}`, i]));
const node = (i: number) => ({
  id: String(i),
  name: `Set ${i}`,
  type: 'n8n-nodes-base.set',
  typeVersion: 3,
  position: [0, 0],
  parameters: {
    assignments: { assignments: [{ id: 'a', name: 'a', type: 'string', value: `={{ $json.a + ${i} }}` }] },
  },
});

/** The calls that a caller may make with the largest bodies and texts, by the names of their figures. */
async function largeCalls(installation: Installation): Promise<Record<string, LargeCall>> {
  const echo = await installation.deployed(
    'echo',
    answering({ text: '{{ start.text }}', any: '{{ start.any }}' }),
  );
  const split = await installation.deployed('split', answering("{{ size(start.text.split(',')) }}"));
  const small = await installation.deployed('small', pure);
  const execute = (id: string, inputs: object) => () =>
    installation.post(`/api/workflows/${id}/execute`, { inputs }, 200);
  const schema = {
    columns: [
      { name: 'a', type: 'number' },
      { name: 't', type: 'string' },
    ],
  };
  const created = await installation.post('/api/v1/tables', { name: 'stalls', schema }, 200);
  const table = (created['data'] as { table: { id: string } }).table.id;
  const rows = Array.from({ length: 1000 }, (_, a) => ({ a, t: 'y'.repeat(8000) }));
  const nodes = Array.from({ length: 5000 }, (_, i) => node(i));
  return {
    validate: () => installation.post('/api/v1/workflows/validate', { definition: wide }, 200),
    deploy: async () => installation.deployed(`wide ${performance.now()}`, wide),
    import: () => installation.post('/api/v1/workflows/import', { name: 'n8n', nodes, connections: {} }, 400),
    text: execute(echo, { text: 'x'.repeat(8 * megabyte) }),
    emoji: execute(echo, { text: '😀'.repeat(2 * megabyte) }),
    items: execute(echo, { any: items }),
    objects: execute(echo, { any: objects }),
    names: execute(echo, { any: names }),
    split: execute(split, { text: 'ab,'.repeat(700_000) }),
    rows: () => installation.post(`/api/v1/tables/${table}/rows`, { rows }, 201),
    unknownField: () => installation.post(`/api/workflows/${small}/execute`, { other: objects }, 400),
  };
}

/** Calls of runs to a server with large answers, by the names of their figures. */
async function largeAnswers(installation: Installation, url: string): Promise<Record<string, LargeCall>> {
  const calling = async (answer: LargeAnswer, data: string) => {
    const id = await installation.deployed(`${answer} ${data}`, {
      blocks: [
        { id: 'ask', type: 'http', params: { url: `${url}/${answer}` } },
        { id: 'done', type: 'response', params: { data } },
      ],
      edges: [
        { from: 'start', to: 'ask' },
        { from: 'ask', to: 'done' },
      ],
    });
    return () => installation.post(`/api/workflows/${id}/execute`, {}, 200);
  };
  const [objects, empty, text] = await Promise.all([
    calling('objects', '{{ ask.status }}'),
    calling('empty', '{{ ask.status }}'),
    calling('text', '{{ ask.status }}'),
  ]);
  const shown = await calling('objects', '{{ ask.data }}');
  const code = await installation.deployed('code', {
    blocks: [
      { id: 'make', type: 'function', params: { code: 'return Array(1_000_000).fill({})' } },
      { id: 'done', type: 'response', params: { data: 'made' } },
    ],
    edges: [
      { from: 'start', to: 'make' },
      { from: 'make', to: 'done' },
    ],
  });
  return {
    answer: objects,
    answerOfEmpty: empty,
    answerOfText: text,
    answers: () => Promise.all(Array.from({ length: 20 }, objects)),
    answerShown: shown,
    codeResult: () => installation.post(`/api/workflows/${code}/execute`, {}, 200),
  };
}
