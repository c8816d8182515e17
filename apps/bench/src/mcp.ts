import { readFileSync } from 'node:fs';
import { approval, pure } from './definitions.ts';
import { round } from './figures.ts';
import type { Ground } from './ground.ts';
import type { Installation } from './installation.ts';
import { loop, measure, type Subject } from './rounds.ts';
import { goalsHold } from './reports.ts';

interface McpOptions {
  rounds: number;
  runs: number;
  waiting: number;
  say(line: string): void;
}

const prefix = 'io.modelcontextprotocol';
const tasks = { extensions: { [`${prefix}/tasks`]: {} } };

type Rpc = (
  method: string,
  name: string,
  params: object,
  capabilities?: object,
) => Promise<Record<string, unknown>>;

/**
 * A call of a pure workflow by an agent beside the same call over REST. Also a read of one task while `waiting` other
 * tasks wait for people.
 */
export async function mcp(ground: Ground, { rounds, runs, waiting, say }: McpOptions): Promise<object> {
  const product = ground.installation;
  const small = await product.deployed('mcp pure', pure);
  const ask = await product.deployed('mcp approval', approval);
  const tools = [
    { workflowId: small, name: 'small' },
    { workflowId: ask, name: 'ask' },
  ];
  const { data } = await send(product, '/api/v1/mcp-servers', { name: 'bench', tools });
  const rpc = rpcOf(product, `/api/mcp/${data.id}`);
  const [byRest, byAgent] = [restOf(product, small), agentOf(rpc)];
  const calls = await measure([byRest, byAgent], { rounds, runs, clients: 1, warmUp: 100, say });
  say(`Opening ${waiting} tasks ...`);
  // The first half fills memory that a process keeps anyway, such as the runs of its worker.
  const half = Math.ceil(waiting / 2);
  const open = await openTasks(rpc, half);
  const before = residentMb(product.pids['api']);
  open.push(...(await openTasks(rpc, half)));
  const after = residentMb(product.pids['api']);
  const looking = lookOf(rpc, open);
  const looks = await measure([looking], { rounds, runs, clients: 1, warmUp: 100, say });
  const p50 = ({ name }: Subject) => calls.get(name)?.p50Ms ?? NaN;
  const figures = {
    callRatioToRest: round(p50(byAgent) / p50(byRest)),
    getP95Ms: looks.get(looking.name)?.p95Ms ?? NaN,
    apiMbPerThousandTasks: round(((after - before) * 1000) / half),
  };
  return {
    bench: 'mcp',
    openTasks: open.length,
    ...figures,
    goalsHold: goalsHold('mcp', figures),
    calls: Object.fromEntries([...calls, ...looks]),
  };
}

async function send(
  { url, key }: Installation,
  path: string,
  body: object,
  more: Record<string, string> = {},
) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json', ...more };
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const answer = JSON.parse(await response.text());
  if (!response.ok || answer.error) throw new Error(JSON.stringify(answer));
  return answer;
}

function rpcOf(product: Installation, path: string): Rpc {
  return async (method, name, params, capabilities = {}) => {
    const meta = {
      [`${prefix}/protocolVersion`]: '2026-07-28',
      [`${prefix}/clientInfo`]: { name: 'bench', version: '1' },
      [`${prefix}/clientCapabilities`]: capabilities,
    };
    const headers = {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      'mcp-name': name,
    };
    const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } };
    return (await send(product, path, message, headers)).result;
  };
}

const inputs = { amount: 5 };

const restOf = (product: Installation, id: string): Subject => ({
  name: 'over REST',
  once: async () => {
    if (!(await send(product, `/api/workflows/${id}/execute`, { inputs })).success)
      throw new Error('It failed.');
  },
});

const agentOf = (rpc: Rpc): Subject => ({
  name: 'by an agent',
  once: async () => {
    const { structuredContent } = await rpc('tools/call', 'small', { name: 'small', arguments: inputs });
    if (!structuredContent) throw new Error('It gave no output.');
  },
});

/**
 * Makes `count` tasks that wait for a person. On a busy machine a task may pause only after its answer; that task is
 * left out.
 */
async function openTasks(rpc: Rpc, count: number): Promise<string[]> {
  const open: string[] = [];
  const once = async () => {
    const { taskId, status } = await rpc('tools/call', 'ask', { name: 'ask', arguments: {} }, tasks);
    if (status === 'input_required') open.push(String(taskId));
  };
  while (open.length < count) await loop({ name: 'opening', once }, count - open.length, 10);
  return open;
}

const lookOf = (rpc: Rpc, open: string[]): Subject => ({
  name: 'tasks/get',
  once: async () => {
    const taskId = open[Math.floor(Math.random() * open.length)] ?? '';
    const { status } = await rpc('tasks/get', taskId, { taskId }, tasks);
    if (status !== 'input_required') throw new Error(`The task is ${String(status)}.`);
  },
});

/** The memory of a process, in MiB. */
function residentMb(pid: number | undefined): number {
  const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid ?? 0}/status`, 'utf8'))?.[1];
  return Number(kb) / 1024;
}
