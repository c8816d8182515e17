import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { AnswerCutter } from '#libs/platform/database/support/answer-cutter';
import { Chance } from './chance.ts';
import { written } from './kinds.ts';
import type { Signal, Target } from './target.ts';

const hitsARound = 3;
/** The numbers of the rounds with the full disk and with the absent database. Each happens once. */
const [fullRound, awayRound] = [1, 4];
/** The table is held in each round whose number has this remainder after division by six. */
const heldRound = 2;
/** So is the round in which connections to Postgres go silent, and then answers are lost. */
const cutRound = 3;
/** A process gives up a silent connection within this time, in milliseconds. */
const silentMs = 20_000;
/** The answers are lost in so many places, in each up to three in a row. */
const cutsARound = 12;
/** So is the round in which all processes are stopped, one after the other, with long calls under way; but the round without a database. */
const restartRound = 4;
/** So is the round in which a process is frozen. */
const frozenRound = 5;

/** The number of troubles of each kind. */
export interface Troubles {
  kills: Record<string, number>;
  /** The number of SIGTERMs. The process starts again each time. */
  terms: Record<string, number>;
  /** Those of them in rounds in which nothing else happens, with calls of 18 seconds under way. */
  restarts: number;
  /** The number of times that Postgres found its disk full; null where the disk cannot be filled. */
  refusedSpace: number | null;
  /** The seconds without a database, and the kills of Postgres in that time. */
  away: { seconds: number; kills: number };
  held: { times: number; seconds: number };
  /** The places at which answers of Postgres were lost: the transaction was committed, and its connection ended. */
  cuts: number;
  /** The connections to Postgres that have gone silent. */
  silenced: number;
  /** The times that a process was frozen. */
  frozen: { times: number; seconds: number };
}

export interface TroubleOptions {
  awayMs: number;
  heldMs: number;
  frozenMs: number;
}

/** Breaks something in each round. */
export class Breaker {
  readonly counts: Troubles = {
    kills: {},
    terms: {},
    restarts: 0,
    refusedSpace: null,
    away: { seconds: 0, kills: 0 },
    held: { times: 0, seconds: 0 },
    cuts: 0,
    silenced: 0,
    frozen: { times: 0, seconds: 0 },
  };

  /** The times of the kills for calls of run control. */
  readonly strikesAtMs: number[] = [];

  constructor(
    private readonly target: Target,
    private readonly chance = new Chance(1),
    /** Of the kills for calls of run control, whose number depends on time: so `chance` stays the same for the same seed. */
    private readonly strikes = chance,
    private readonly options: TroubleOptions = { awayMs: 0, heldMs: 0, frozenMs: 0 },
  ) {}

  /** True for a round in which processes are only told to stop. */
  restartsIn(round: number): boolean {
    return round % 6 === restartRound && round !== awayRound;
  }

  /** Breaks something. Resolves when this round breaks nothing more. */
  async breakIn(round: number): Promise<void> {
    const { parts, databaseUrl, isLocal, cutter } = this.target;
    if (round === fullRound && isLocal) return this.fillDisk();
    if (round === awayRound && parts.includes('postgres')) {
      await pause(this.chance.between(100, 2500));
      return this.keepAway('postgres', this.options.awayMs);
    }
    if (this.restartsIn(round)) return this.restart();
    if (round % 6 === heldRound && databaseUrl) return this.holdTable(databaseUrl);
    if (round % 6 === frozenRound && isLocal) return this.freeze();
    if (round % 6 === cutRound && cutter) return this.loseAnswers(cutter);
    return this.hit();
  }

  /** Sends SIGTERM to one process, then SIGKILL to others. */
  private async hit(): Promise<void> {
    for (let hit = 0; hit < hitsARound; hit++) {
      await pause(this.chance.between(100, 2500));
      if (hit === 0) await this.stopOne(this.chance.of(this.target.programs));
      else {
        const first = this.chance.of(this.target.parts);
        const second = this.chance.next() < 0.25 ? this.chance.of(this.target.parts) : first;
        for (const part of new Set([first, second])) await this.send(part, 'SIGKILL');
      }
    }
  }

  /** Stops all processes, one after the other, as an upgrade does. The runs of the round have begun by then. */
  private async restart(): Promise<void> {
    await pause(this.chance.between(4000, 6000));
    for (const program of this.target.programs) {
      if (await this.send(program, 'SIGTERM')) this.counts.restarts += 1;
      await this.target.ready();
    }
  }

  /** Kills everything at once, as when the machine restarts. */
  async killAll(): Promise<void> {
    for (const part of this.target.parts) await this.send(part, 'SIGKILL');
  }

  /** Kills an API or a worker each so many seconds, in turn, while work is under way. It waits longer where no other API would be left. */
  async killWhile<T>(everyMs: number, work: () => Promise<T>): Promise<T> {
    const over = new AbortController();
    const killing = this.killInTurn(everyMs, over.signal);
    const result = await work().finally(() => over.abort());
    await killing;
    await this.target.ready();
    return result;
  }

  private async killInTurn(everyMs: number, signal: AbortSignal): Promise<void> {
    const { programs, urls } = this.target;
    for (let turn = 0; !signal.aborted; turn++) {
      await pause(everyMs, undefined, { signal }).catch(() => undefined);
      while (!signal.aborted && !(await areUp(urls))) await pause(100);
      if (!signal.aborted) await this.send(programs[turn % programs.length] ?? '', 'SIGKILL');
    }
  }

  /** Sends SIGTERM to a process, or to another one while it is down. */
  private async stopOne(part: string): Promise<void> {
    for (const one of new Set([part, ...this.target.programs])) if (await this.send(one, 'SIGTERM')) return;
  }

  /** Kills one API or worker soon, so that it dies between two commits of what was just asked of it. */
  async strikeSoon(withinMs: number): Promise<void> {
    const part = this.strikes.of(this.target.programs);
    await pause(this.strikes.between(0, withinMs));
    if (await this.send(part, 'SIGKILL')) this.strikesAtMs.push(Date.now());
  }

  private async send(part: string, signal: Signal): Promise<boolean> {
    if (!(await this.target.signal(part, signal))) return false;
    const counts = signal === 'SIGKILL' ? this.counts.kills : this.counts.terms;
    counts[part] = (counts[part] ?? 0) + 1;
    return true;
  }

  private async fillDisk(): Promise<void> {
    await pause(this.chance.between(100, 2500));
    this.counts.refusedSpace = await this.target.fillDisk();
  }

  /** Kills a server whenever it runs again, before it has recovered. */
  async keepAway(part: 'postgres' | 'temporal', awayMs: number): Promise<void> {
    const { away } = this.counts;
    const begun = performance.now();
    while (performance.now() - begun < awayMs) {
      if (await this.send(part, 'SIGKILL')) away.kills += 1;
      await pause(20);
    }
    away.seconds += Math.round((performance.now() - begun) / 1000);
  }

  /** Freezes a process beyond its leases. It goes on afterwards, and does not know that others have taken its work. */
  private async freeze(): Promise<void> {
    await pause(this.chance.between(100, 2500));
    const part = this.chance.of(this.target.programs);
    if (!(await this.target.signal(part, 'SIGSTOP'))) return;
    await pause(this.options.frozenMs);
    await this.target.signal(part, 'SIGCONT');
    this.counts.frozen.times += 1;
    this.counts.frozen.seconds += Math.round(this.options.frozenMs / 1000);
  }

  private async loseAnswers(cutter: AnswerCutter): Promise<void> {
    await pause(this.chance.between(100, 2500));
    this.counts.silenced += cutter.silence();
    await pause(silentMs);
    for (let cut = 0; cut < cutsARound; cut++) {
      const hasLost = cutter.cut(
        '',
        Math.ceil(this.chance.between(0, 20)),
        Math.ceil(this.chance.between(0, 3)),
      );
      await pause(this.chance.between(100, 500));
      if (hasLost()) this.counts.cuts += 1;
    }
  }

  /** Locks the row of the table that all runs and imports write to, like another writer. */
  private async holdTable(connectionString: string): Promise<void> {
    await pause(this.chance.between(100, 1000));
    const client = new Client({ connectionString });
    await client.connect();
    try {
      await client.query('begin');
      await client.query('select from tables where name = $1 for update', [written.name]);
      await pause(this.options.heldMs);
      await client.query('rollback');
    } finally {
      await client.end();
    }
    this.counts.held.times += 1;
    this.counts.held.seconds += Math.round(this.options.heldMs / 1000);
  }
}

async function areUp(urls: string[]): Promise<boolean> {
  const up = urls.map((url) =>
    fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(1000) }).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return !(await Promise.all(up)).includes(false);
}
