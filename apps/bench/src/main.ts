import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { say } from '#apps/local/src/say';
import { clients } from './clients.ts';
import { control } from './control.ts';
import { execute } from './execute.ts';
import { Ground } from './ground.ts';
import { functions, http } from './http.ts';
import { knowledge } from './knowledge.ts';
import { knowledgeQuality } from './knowledge-quality.ts';
import { logs } from './logs.ts';
import { mcp } from './mcp.ts';
import { paused } from './paused.ts';
import { compareWithPeers } from './peers.ts';
import { buildResult, shownReport, writeResult } from './results.ts';
import { resume } from './resume.ts';
import { scale } from './scale.ts';
import { shares } from './shares.ts';
import { stalls } from './stalls.ts';
import { steps } from './steps.ts';
import { tables } from './tables.ts';
import { triggers } from './triggers.ts';

const USAGE = `npm run bench -- NAME [options]

  execute        a synchronous execution over HTTP, and one up to a pause, beside a bare start + result; how soon
                 Temporal has them all; what a run costs
  http           1, 3 and 10 HTTP calls in a row, and a parallel of 1,000, beside bare activities
  clients        the TypeScript client beside bare fetch: a small read, and an execution
  mcp            a call of a pure workflow by an agent beside the same over REST; a look at one of --waiting open tasks
  functions      three function blocks in a row beside three HTTP calls
  resume         a synchronous resume over HTTP beside a bare update + result
  steps          the steps of long runs: pure blocks, effects beside bare activities, a wide parallel, a replay
  paused         lists and resumes among 100,000 paused executions, beside an empty system and a bare update;
                 then --waiting runs are paused, a new build takes over, and all are answered
  peers          calls in a row, pure steps and answers beside DBOS and Restate, which are fetched by npm
  scale          two APIs and two workers over --rows executions of 1,000 workspaces, a fifth of them paused, beside the
                 same over 1,000 executions of one; how fast retention deletes; the memory of each process
  knowledge      searches of a base of --rows chunks, 100000 at most, beside scoring every chunk; ingestion beside the bare
                 embedder; the memory of a long PDF
  knowledge-quality
                 how well searches find answers, beside cosine, BM25 and their fusion, over installed documentation
  logs           each filter of the list of logs among --rows executions of one workspace
  shares         short calls of one tenant beside each load of a hostile one: floods of probes, files nobody takes, inserts
                 into a held table, slow statements, a workflow that calls itself, huge documents
  stalls         how long a call with the largest body, text or definition keeps the API from other callers
  tables         a table of --rows rows: inserts, pages, a rename, an aggregate, a neighbour, beside raw Postgres
  control        forks of an execution of 10,000 visits; a bulk retry of --waiting executions, 10000 at most, at 50 a second
                 beside a neighbour
  triggers       signed hooks beside asynchronous executions; --rows deliveries of eight senders, some repeated; --waiting
                 schedules over a minute and of one moment; as many held executions that are released at 50 a second

  --rounds N     alternating rounds (default 5)
  --rows N       executions in the rows of scale and logs, rows of the table in tables, chunks in knowledge, deliveries in
                 triggers (default 1000000)
  --load NAME    only this load in shares, or in peers: calls3, calls10, pure or answer
  --peer NAME    only this peer in peers: dbos or restate
  --waiting N    runs that wait over the upgrade in paused, open tasks in mcp, schedules in triggers,
                 executions in control (default 1000)
  --runs N       runs of each subject in a round at 1 client; five times as many at 10 (default 60)
  --json FILE    write the figures of the page on benchmarks there, as apps/bench/results has them

Starts what it needs and removes it afterwards. The last line of standard output is one JSON object.`;

const benches = {
  clients,
  control,
  execute,
  http,
  functions,
  mcp,
  steps,
  paused,
  peers: compareWithPeers,
  resume,
  scale,
  tables,
  triggers,
  knowledge,
  logs,
  shares,
  stalls,
};
/** Benches that start their own servers. Idle processes of other benches would take a share of the cores. */
const ownStart = new Set([
  'peers',
  'scale',
  'tables',
  'knowledge',
  'logs',
  'shares',
  'stalls',
  'triggers',
  'control',
]);
/** Benches that need no server. */
const alone = { 'knowledge-quality': knowledgeQuality };
const isAlone = (name: string | undefined): name is keyof typeof alone => name !== undefined && name in alone;
const isBench = (name: string | undefined): name is keyof typeof benches =>
  name !== undefined && name in benches;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '5' },
      runs: { type: 'string', default: '60' },
      waiting: { type: 'string', default: '1000' },
      rows: { type: 'string', default: '1000000' },
      load: { type: 'string' },
      peer: { type: 'string' },
      json: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  const [name] = positionals;
  if (values.help || (!isBench(name) && !isAlone(name))) {
    process.stdout.write(`${USAGE}\n`);
    process.exitCode = values.help ? 0 : 1;
    return;
  }
  const options = {
    rounds: positive(values.rounds),
    runs: positive(values.runs),
    waiting: positive(values.waiting),
    rows: positive(values.rows),
    load: values.load,
    peer: values.peer,
    say,
  };
  if (isAlone(name)) {
    finish(name, await alone[name](options), {}, values.json);
    return;
  }
  Runtime.install({ shutdownSignals: [], logger: new DefaultLogger('ERROR') });
  const ground = new Ground();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void ground.stop().finally(() => process.exit(130)));
  try {
    await ground.start(say);
    if (!ownStart.has(name)) await ground.startCompared(say);
    const figures = await benches[name](ground, options);
    const { rounds, runs, rows, waiting } = options;
    finish(name, figures, { rounds, runs, rows, waiting }, values.json);
  } finally {
    await ground.stop();
  }
}

/** Shows the figures with their goals, prints all as JSON, and stores those for the page in `file`. */
function finish(name: string, printed: object, options: Record<string, number>, file?: string): void {
  say(shownReport(name, printed));
  if (file) writeResult(file, buildResult(name, printed, options));
  process.stdout.write(`${JSON.stringify({ ...printed, ...options, machine: machine() })}\n`);
}

function machine(): Record<string, unknown> {
  return { cpus: cpus().length, model: cpus()[0]?.model ?? '', node: process.version };
}

function positive(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`${text} is not a whole number above 0.`);
  return value;
}

try {
  await main();
  process.exit();
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exit(1);
}
