import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { claim, openDataFolder, wipeDataFolder } from './data-folder.ts';
import { Client } from './demo/client.ts';
import { Complaints, type ComplaintsOptions, type ModelOptions } from './demo/complaints.ts';
import { EventReceiver } from './demo/event-receiver.ts';
import { AskTheDocs } from './demo/knowledge.ts';
import type { LocalServer } from './demo/local-server.ts';
import { ReportReceiver } from './demo/receiver.ts';
import { Review, type ReviewOptions, type Stage } from './demo/review.ts';
import { Screen } from './demo/screen.ts';
import { ScriptedModel } from './demo/scripted-model.ts';
import { expectations, toLog, linesOfReport } from './demo/verdict.ts';
import { TicketTriage } from './demo/triage.ts';
import { findLauncher, onLaunchersEnd } from './launcher.ts';
import { Local } from './local.ts';
import { dataFolder } from './paths.ts';
import { say } from './say.ts';

const USAGE = `npm run demo [-- options]        a licence review, with a person who decides
npm run demo -- knowledge          the documentation becomes a knowledge base, and a workflow answers questions from it
npm run demo -- triggers           a help desk starts a workflow by webhooks, through a deploy under a hold
npm run demo -- mcp                an agent calls a workflow as a tool: a model proposes, and a person decides

  --crash         of the review: kill worker and API with SIGKILL, twice
  --interactive   leave the answer to you
  --reject        answer with a rejection
  --model NAME    of mcp: the model that the provider is asked for
  --help          this text

The model of mcp is a script of the demo, unless LLM_BASE_URL names a provider; its key is read from LLM_API_KEY.

It brings servers, ports and data of its own and stops them at its end; the logs stay in the data folder's demo/logs.`;

/** Ports beside those of `npm start`; when one is taken, a higher one is used. */
const PORTS = {
  PORT: '3100',
  WORKER_HEALTH_PORT: '3911',
  HOLDFAST_POSTGRES_PORT: '25432',
  HOLDFAST_TEMPORAL_PORT: '7333',
  HOLDFAST_TEMPORAL_UI_PORT: '8333',
};
/** Variables that would make the demo use the servers of somebody else. */
const SERVERS = /^(DATABASE_URL$|TEMPORAL_|PUBLIC_URL$)/;

let interrupted = false;

async function main(): Promise<void> {
  const flag = { type: 'boolean', default: false } as const;
  const options = {
    crash: flag,
    interactive: flag,
    reject: flag,
    help: flag,
    model: { type: 'string' },
  } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [play = 'review', ...more] = positionals;
  if (values.help) return void process.stdout.write(`${USAGE}\n`);
  if (more.length > 0 || !['review', 'knowledge', 'mcp', 'triggers'].includes(play))
    throw new Error(`There is no demo "${positionals.join(' ')}".\n\n${USAGE}`);

  const { crash, interactive, reject, model } = values;
  const decision = reject ? 'reject' : 'approve';
  const folder = join(dataFolder(), 'demo');
  const screen = new Screen();
  const receiver = await ReportReceiver.start();
  const events = play === 'triggers' ? await EventReceiver.start() : undefined;
  const script = play === 'mcp' && !process.env['LLM_BASE_URL'] ? await ScriptedModel.start() : undefined;
  try {
    const local = await openAnew(folder, addressesOf(events ?? receiver, script), screen);
    stopOnSignals(local, screen);
    const wanted: ReviewOptions = { crash, interactive, decision };
    await withProduct(local, screen, (client) => {
      if (play === 'knowledge') return answerQuestions(client, screen);
      if (play === 'mcp')
        return handleComplaints(client, screen, { interactive, decision, ...modelOf(script, model) });
      if (events) return sortTickets(client, events, screen);
      return review({ client, receiver, screen, folder }, wanted);
    });
  } finally {
    await receiver.stop();
    await script?.stop();
    await events?.stop();
  }
}

/** The addresses on this machine that the worker may reach, and its model. The user's provider may have a private address. */
function addressesOf(receiver: LocalServer, script: ScriptedModel | undefined): Record<string, string> {
  if (script) return { EGRESS_ALLOW: `${receiver.address},${script.address}`, LLM_BASE_URL: script.url };
  const theirs = process.env['LLM_BASE_URL'] ? process.env['EGRESS_ALLOW'] : undefined;
  return { EGRESS_ALLOW: [receiver.address, theirs].filter(Boolean).join(',') };
}

function modelOf(script: ScriptedModel | undefined, model: string | undefined): ModelOptions {
  const modelName = script
    ? 'a script of the demo, which understands nothing; set LLM_BASE_URL to ask a real one'
    : `that of the provider at ${new URL(process.env['LLM_BASE_URL'] ?? '').host}`;
  // A secret is not empty; a provider that needs no key passes over it.
  return { modelName, model, modelKey: process.env['LLM_API_KEY'] || 'none' };
}

/** Every demo starts with new data, because only the first start gives a key. */
async function openAnew(folder: string, addresses: Record<string, string>, screen: Screen): Promise<Local> {
  openDataFolder(folder);
  await claim(folder);
  wipeDataFolder(folder);
  const theirs = Object.keys(process.env).filter((name) => SERVERS.test(name));
  const unset = Object.fromEntries(theirs.map((name) => [name, undefined]));
  const env = { ...unset, ...PORTS, HOST: '127.0.0.1', ...addresses };
  return Local.open({ folder, launcher: findLauncher(), env, say: (line) => screen.aside(line) });
}

async function withProduct(
  local: Local,
  screen: Screen,
  work: (client: Client) => Promise<void>,
): Promise<void> {
  try {
    screen.step('Starting', 'Postgres, Temporal, API and worker of the demo');
    await local.start();
    if (!local.first) throw new Error('The first start made no workspace.');
    await work(new Client(local.run.urls.api, local.first.keys.workspace));
  } finally {
    // After a signal the stop is under way already, and ends this process.
    if (!interrupted) await local.stop();
  }
}

async function review(stage: Stage, options: ReviewOptions): Promise<void> {
  const { client, receiver, screen } = stage;
  screen.step('Ready', client.url);
  const reviewed = await new Review(stage, options).play();
  const [report] = receiver.reports;
  if (report) {
    screen.heading('Report');
    for (const line of linesOfReport(report)) screen.line(line);
    screen.line('');
    screen.table(report.inQuestion);
  }
  screen.heading('Block log');
  screen.table(toLog(reviewed.execution));
  screen.heading('Checks');
  const all = await expectations(client, receiver, reviewed, options);
  for (const { holds, what } of all) screen.check(holds, what);
  if (!all.every(({ holds }) => holds)) process.exitCode = 1;
}

async function answerQuestions(client: Client, screen: Screen): Promise<void> {
  screen.step('Ready', client.url);
  if (!(await new AskTheDocs({ client, screen }).play())) process.exitCode = 1;
}

async function sortTickets(client: Client, receiver: EventReceiver, screen: Screen): Promise<void> {
  screen.step('Ready', client.url);
  if (!(await new TicketTriage({ client, receiver, screen }).play())) process.exitCode = 1;
}

async function handleComplaints(client: Client, screen: Screen, options: ComplaintsOptions): Promise<void> {
  screen.step('Ready', client.url);
  if (!(await new Complaints({ client, screen }, options).play())) process.exitCode = 1;
}

function stopOnSignals(local: Local, screen: Screen): void {
  const stop = (why: string) => {
    if (interrupted) return;
    interrupted = true;
    screen.step('Stopping', why);
    void local.stop().finally(() => process.exit(130));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  onLaunchersEnd(findLauncher(), () => stop('npm has gone'));
}

try {
  await main();
} catch (error) {
  if (!interrupted) {
    say(`\n${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
    setImmediate(() => process.exit());
  }
}
