import { setTimeout as pause } from 'node:timers/promises';
import { Caller } from './caller.ts';
import { Chance } from './chance.ts';
import { documentNamed, kindsOf, type Kind, noted, turns, written } from './kinds.ts';
import { parts, type Part, type Product } from './product.ts';

/** One accepted run and what became of it. */
export interface Outcome {
  n: number;
  kind: string;
  workflow: string;
  executionId: string;
  status: string;
  output: unknown;
  error: unknown;
  /** How many rows of the table have the number of the run. */
  rows: number;
  /** What became of the documents that have the number of the run. */
  documents: string[];
  endedAtMs: number;
}

export interface Told {
  outcomes: Outcome[];
  kinds: Record<string, Kind>;
  kills: Record<Part, number>;
  /** How often Postgres was refused space while its disk was full; null where it cannot be filled. */
  refusedSpace: number | null;
  /** For each run that was under way when all processes were up again: seconds from then to its next step, and to its end. */
  movesS: number[];
  recoveriesS: number[];
  books: Books;
}

/** What the list of logs and the ledger say at the end. */
export interface Books {
  logs: { executionId: string; status: string; trigger: string; cost: { total: number } | null }[];
  usage: number;
}

const runsAtOnce = 15;
const killsARound = 3;
/** In this round the disk is full instead. */
const fullRound = 1;

/** A run that has not ended after so long never will. */
const endsWithinMs = 180_000;

/** Starts runs of all kinds in rounds, and kills processes with SIGKILL while they are under way. */
export class Campaign {
  private readonly caller: Caller;
  private readonly chance: Chance;
  private readonly kills: Record<Part, number> = { api: 0, worker: 0, temporal: 0, postgres: 0 };
  private refusedSpace: number | null = null;
  private table = '';
  private base = '';

  constructor(
    private readonly product: Product,
    private readonly options: { runs: number; seed: number; receiver: string; say(line: string): void },
  ) {
    this.caller = new Caller(product);
    this.chance = new Chance(options.seed);
  }

  async run(): Promise<Told> {
    const { runs, receiver, say } = this.options;
    this.table = (await this.caller.call('POST', '/api/v1/tables', written)).body.data.table.id;
    this.base = (await this.caller.call('POST', '/api/v1/knowledge', noted)).body.data.knowledgeBase.id;
    const child = await this.deploy('child', kindsOf(receiver, '').calls);
    const kinds = kindsOf(receiver, child);
    const workflows = new Map<string, string>();
    for (const name of Object.keys(kinds))
      workflows.set(name, await this.deploy(`${name} under faults`, kinds[name]));
    const outcomes: Outcome[] = [];
    const [movesS, recoveriesS]: [number[], number[]] = [[], []];
    while (outcomes.length < runs) {
      const size = Math.min(runsAtOnce, runs - outcomes.length);
      const ended = Array.from({ length: size }, (_, i) => {
        const n = outcomes.length + i;
        const kind = turns[n % turns.length] ?? '';
        return this.drive(n, kind, workflows.get(kind) ?? '');
      });
      const full = outcomes.length / runsAtOnce === fullRound;
      const trouble = full ? this.fillDisk() : this.killSome();
      const [upAtMs, ...round] = await Promise.all([trouble.then(() => this.upAgain()), ...ended]);
      const late = round.filter(({ endedAtMs }) => endedAtMs > upAtMs);
      recoveriesS.push(...late.map(({ endedAtMs }) => (endedAtMs - upAtMs) / 1000));
      for (const outcome of late) movesS.push(((await this.movedAtMs(outcome, upAtMs)) - upAtMs) / 1000);
      outcomes.push(...round);
      say(`${outcomes.length} of ${runs} runs have ended`);
    }
    const books = await this.books();
    return {
      outcomes,
      kinds,
      kills: this.kills,
      refusedSpace: this.refusedSpace,
      movesS,
      recoveriesS,
      books,
    };
  }

  private async books(): Promise<Books> {
    const logs: Books['logs'] = [];
    for (let cursor = ''; ;) {
      const page = await this.caller.call('GET', `/api/v1/logs?limit=1000${cursor && `&cursor=${cursor}`}`);
      logs.push(...page.body.data);
      cursor = page.body.nextCursor;
      if (!cursor) break;
    }
    return { logs, usage: (await this.caller.call('GET', '/api/v1/usage')).body.total.cost };
  }

  private async killSome(): Promise<void> {
    for (let kill = 0; kill < killsARound; kill++) {
      await pause(this.chance.between(100, 2500));
      const first = this.chance.of(parts);
      const second = this.chance.next() < 0.25 ? this.chance.of(parts) : first;
      for (const part of new Set([first, second])) if (this.product.kill(part)) this.kills[part] += 1;
    }
  }

  private async fillDisk(): Promise<void> {
    await pause(this.chance.between(100, 2500));
    this.refusedSpace = await this.product.fillDisk();
  }

  /** Resolves to the moment at which all processes were up again. */
  private async upAgain(): Promise<number> {
    await this.product.ready();
    return Date.now();
  }

  /** The first moment after `upAtMs` at which a block of the run began or ended; its end when there is none. */
  private async movedAtMs({ workflow, executionId, endedAtMs }: Outcome, upAtMs: number): Promise<number> {
    const path = `/api/workflows/${workflow}/executions/${executionId}`;
    const blocks: { startedAt: string; endedAt: string | null }[] = (await this.caller.call('GET', path)).body
      .blocks;
    const times = blocks
      .flatMap(({ startedAt, endedAt }) => [startedAt, endedAt ?? startedAt])
      .map(Date.parse);
    return Math.min(endedAtMs, ...times.filter((atMs) => atMs > upAtMs));
  }

  /** One run from its acceptance to its end, or to the deadline; a pause is answered twice at once. */
  private async drive(n: number, kind: string, workflow: string): Promise<Outcome> {
    await pause(this.chance.between(0, 3000));
    const path = `/api/workflows/${workflow}/execute`;
    const accepted = await this.caller.call('POST', path, { inputs: { n }, async: true }, `run-${n}`);
    if (accepted.status !== 202)
      throw new Error(`Run ${n} was not accepted: ${JSON.stringify(accepted.body)}`);
    const { jobId, executionId } = accepted.body;
    const deadline = performance.now() + endsWithinMs;
    for (;;) {
      const { body } = await this.caller.call('GET', `/api/jobs/${jobId}?wait=5`);
      if (['completed', 'failed'].includes(body.status) || performance.now() > deadline) {
        const { status, output, failure: error } = body;
        const endedAtMs = Date.now();
        return {
          n,
          kind,
          workflow,
          executionId,
          status,
          output,
          error,
          endedAtMs,
          rows: await this.rowsOf(n),
          documents: await this.documentsOf(n, deadline),
        };
      }
      const [point] = body.paused?.pausePoints ?? [];
      if (point) await this.answerTwice(new URL(point.resumeLinks.apiUrl).pathname);
    }
  }

  private async rowsOf(run: number): Promise<number> {
    const filter = encodeURIComponent(JSON.stringify({ run }));
    const { body } = await this.caller.call('GET', `/api/v1/tables/${this.table}/rows?filter=${filter}`);
    return body.data.totalCount;
  }

  /** The statuses of the run's documents, once they have been processed or the deadline has passed. */
  private async documentsOf(run: number, deadline: number): Promise<string[]> {
    const documents = `/api/v1/knowledge/${this.base}/documents`;
    const found = await this.caller.call('GET', `${documents}?search=${documentNamed(run)}`);
    return Promise.all(
      found.body.data.documents.map(async ({ id }: { id: string }) => {
        for (;;) {
          const { body } = await this.caller.call('GET', `${documents}/${id}?wait=5`);
          const status: string = body.data.document.processingStatus;
          if (!['pending', 'processing'].includes(status) || performance.now() > deadline) return status;
        }
      }),
    );
  }

  /** Both may be refused when an attempt that was cut off has been committed. */
  private async answerTwice(path: string): Promise<void> {
    const answer = { input: { ok: true }, async: true };
    const replies = await Promise.all([1, 2].map(() => this.caller.call('POST', path, answer)));
    const odd = replies.find(({ status }) => status !== 202 && status !== 409);
    if (odd) throw new Error(`An answer got ${odd.status}: ${JSON.stringify(odd.body)}`);
  }

  private async deploy(name: string, kind: Kind | undefined): Promise<string> {
    const definition = kind?.definition;
    const created = await this.caller.call('POST', '/api/v1/workflows', { name, definition });
    const id = String(created.body.data?.id);
    const deployed = await this.caller.call('POST', `/api/v1/workflows/${id}/deploy`);
    if (deployed.status !== 200)
      throw new Error(`${name} cannot be deployed: ${JSON.stringify(deployed.body)}`);
    return id;
  }
}
