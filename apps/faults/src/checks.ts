import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { Outcome, CampaignResult } from './campaign.ts';
import { attemptsMax, documentNamed, type Kind, shutStep } from './kinds.ts';
import type { Receipt, Receiver } from './receiver.ts';
import type { Target } from './target.ts';

/** Broken promises, one sentence each. */
export interface Faults {
  /** Runs with another end or output than expected. */
  lost: string[];
  /** Work that was repeated, or is missing. */
  repeated: string[];
  other: string[];
}

/** Compares everything with the promises. All three lists are empty when all promises were kept. */
export async function findFaults(
  result: CampaignResult,
  receiver: Receiver,
  { temporalAddress, isLocal }: Target,
): Promise<Faults> {
  return {
    lost: ended(result),
    repeated: [
      ...received(result, receiver),
      ...wrote(result),
      ...imported(result),
      ...noted(result),
      ...keyed(result),
      ...retried(result, receiver),
      ...bulk(result),
    ],
    other: [
      ...logged(result),
      ...moved(result),
      ...exceeded(result, receiver),
      ...booked(result, isLocal),
      ...(temporalAddress ? await openInTemporal(result, temporalAddress) : []),
    ],
  };
}

/** 95 % of the runs under way must move on within 15 s of a recovery. Fewer than 100 runs prove nothing. */
function moved({ movesS }: CampaignResult): string[] {
  const late = movesS.filter((seconds) => seconds > 15).length;
  return movesS.length >= 100 && late / movesS.length > 0.05
    ? [`${late} of ${movesS.length} runs moved on later than 15 s after a recovery.`]
    : [];
}

/**
 * Each run must be in the logs once, with its status. The ledger must have each ended run once, and the costs of all
 * logs.
 */
function booked({ outcomes, stored: { logs, usage } }: CampaignResult, hasPrices: boolean): string[] {
  const called = logs.filter(({ trigger }) => trigger === 'api');
  const logsById = grouped(called, ({ executionId }) => executionId);
  const executions = outcomes.flatMap(executionsIn);
  const faults = executions.flatMap(({ executionId, status }) => {
    const own = logsById.get(executionId) ?? [];
    return own.length === 1 && own[0]?.status === status
      ? []
      : [`${executionId} is ${status} and ${own.length} times in the logs.`];
  });
  if (called.length !== executions.length)
    faults.push(`There are ${called.length} logs of ${executions.length} executions.`);
  const over = logs.filter(({ status }) => status !== 'paused');
  // Without prices the ledger has no entries.
  if (hasPrices && over.some(({ cost }) => (cost?.total ?? 0) < 0.01))
    faults.push('A run that has ended is not booked.');
  if (hasPrices && over.length !== usage.executions)
    faults.push(`${over.length} runs have ended, and the ledger has ${usage.executions}.`);
  const sum = logs.reduce((total, { cost }) => total + (cost?.total ?? 0), 0);
  if (Math.abs(sum - usage.cost) > 1e-6)
    faults.push(`The logs cost ${sum}, and the ledger says ${usage.cost}.`);
  return faults;
}

/** The execution of a run, and the failed one that it was forked from. */
const executionsIn = ({ executionId, status, forkedFrom }: Outcome) => [
  { executionId, status },
  ...(forkedFrom === null ? [] : [{ executionId: forkedFrom, status: 'failed' }]),
];

/** Each run that failed or asked must be retried once, which the key of its call says, or forked once, under keys of the fork. */
function retried({ outcomes, kinds }: CampaignResult, receiver: Receiver): string[] {
  const keys = grouped([...receiver.receipts], ([, { run }]) => run);
  return outcomes.flatMap(({ n, kind, executionId, forkedFrom }) => {
    const isForked = kinds[kind]?.control?.verb === 'fork';
    if (!isForked && !isRetried(kinds[kind])) return [];
    const made = (keys.get(n) ?? []).map(([key]) => key).toSorted();
    const again = isForked ? shutStep : `${shutStep}/retry-1`;
    const expected = [
      `${forkedFrom ?? executionId}/a`,
      `${executionId}/${again}`,
      `${executionId}/b`,
    ].toSorted();
    return made.join() === expected.join()
      ? []
      : [`${kind} ${n} made its calls under [${made}] instead of [${expected}].`];
  });
}

const isRetried = (kind: Kind | undefined) => kind?.control?.verb === 'retry' || kind?.asksOperator === true;

/** A key must have one job. Its counts must add up, and of all jobs one must have done each act, once. */
function bulk({ bulkRounds }: CampaignResult): string[] {
  return bulkRounds.flatMap(({ kind, verb, executionIds, jobs }) => {
    const faults = jobs.flatMap(({ ids, status, total, done, refused, items }) => {
      const [isDone, isRefused] = ['done', 'refused'].map((one) =>
        items.filter(({ outcome }) => outcome === one),
      );
      const addsUp = total === done + refused && done === isDone?.length && refused === isRefused?.length;
      return ids.size === 1 && status === 'completed' && addsUp
        ? []
        : [`The job [${[...ids]}] of ${kind} is ${status} with ${done} and ${refused} of ${total}.`];
    });
    const acts = jobs.flatMap(({ items }) => items).filter(({ outcome }) => outcome === 'done');
    const byExecution = grouped(acts, ({ executionId }) => executionId);
    // Who cancels what is being cancelled has done it too.
    const most = verb === 'cancel' ? jobs.length : 1;
    const odd = executionIds.flatMap((id) => {
      const times = byExecution.get(id)?.length ?? 0;
      return times >= 1 && times <= most ? [] : [`Jobs did ${verb} ${times} times to ${id} of ${kind}.`];
    });
    return [...faults, ...odd];
  });
}

/** Each run must have the end of its kind. A completed run must have its own output. */
function ended({ outcomes, kinds }: CampaignResult): string[] {
  return outcomes.flatMap((outcome) => {
    const { n, kind, executionId, status, output, error } = outcome;
    const { ends = 'completed', voters } = kinds[kind] ?? {};
    const isRight = voters === undefined ? output === n : countsVotes(outcome, voters);
    return status === ends && (status !== 'completed' || isRight)
      ? []
      : [`${executionId} (${kind} ${n}) is ${status} with ${JSON.stringify(output ?? error)}.`];
  });
}

/** Each of the people must have one vote. */
function countsVotes({ n, output }: Outcome, voters: number): boolean {
  const { run, votes = [] }: { run?: number; votes?: { person: unknown }[] } = Object(output);
  const people = new Set(votes.map(({ person }) => JSON.stringify(person)));
  return run === n && votes.length === voters && people.size === voters;
}

/** Each row of a file must be there once. All who sent the file must get the same response. */
function imported({ imports, stored }: CampaignResult): string[] {
  return imports.flatMap(({ rows, outcomes }) => {
    const odd = rows.filter((row) => stored.rows.get(row) !== 1);
    const faults =
      odd.length > 0 ? [`${odd.length} rows of the file with ${rows[0]} are not there once.`] : [];
    const expected = `${rows.length} rows`;
    return outcomes.every((one) => one === expected)
      ? faults
      : [...faults, `The file with ${rows[0]}: ${outcomes}.`];
  });
}

/** The two responses for the person who did not get the key. */
const refusedTwice = '422 IDEMPOTENCY_KEY_REUSED,422 IDEMPOTENCY_KEY_REUSED';

/** An Idempotency-Key must have one execution and one person. No limit may refuse an accepted run. */
function keyed({ outcomes }: CampaignResult): string[] {
  return outcomes.flatMap(({ n, executionIds, limited, other }) => [
    ...(executionIds.size === 1 ? [] : [`The key of run ${n} has the executions ${[...executionIds]}.`]),
    ...(other === null || other.join() === refusedTwice
      ? []
      : [`The other person with the key of run ${n} was told [${other}].`]),
    ...(limited.after === 0 ? [] : [`Run ${n} was accepted, and then refused by a limit.`]),
  ]);
}

/** No block may end before it begins, or have more attempts than allowed. */
function logged({ outcomes, kinds }: CampaignResult): string[] {
  return outcomes.flatMap(({ executionId, kind, blocks }) =>
    blocks.flatMap(({ path, type, startedAt, endedAt, duration, attempts }) => {
      // A retry gives all attempts again.
      const rounds = isRetried(kinds[kind]) ? 2 : 1;
      const allowed = type === 'http' ? attemptsMax * rounds : 1;
      const isBackwards = (duration ?? 0) < 0 || (endedAt !== null && endedAt < startedAt);
      return [
        ...(isBackwards ? [`${path} of ${executionId} ends before it begins.`] : []),
        ...(attempts > allowed ? [`${path} of ${executionId} has ${attempts} attempts of ${allowed}.`] : []),
      ];
    }),
  );
}

/** Each call must arrive under one key, and never again after a later block has begun. */
function received({ outcomes, kinds }: CampaignResult, receiver: Receiver): string[] {
  const all = grouped([...receiver.receipts.values()], ({ run }) => run);
  const faults = outcomes.flatMap(({ n, kind }) => {
    const receipts = all.get(n) ?? [];
    const { steps = [], arrivesOnce } = kinds[kind] ?? {};
    const expected = steps.flat().toSorted();
    const made = receipts.map(({ step }) => step).toSorted();
    if (made.join() !== expected.join())
      return [`${kind} ${n} made the calls [${made}] instead of [${expected}].`];
    if (arrivesOnce && receipts.some(({ deliveries }) => deliveries > 1))
      return [`${kind} ${n} made a call twice, though its process had time to end.`];
    return repeatedLate(steps, receipts).map(
      (step) => `${kind} ${n} repeated ${step} after a later block had begun.`,
    );
  });
  return [...faults, ...receiver.changed.map((key) => `Another body came under the key ${key}.`)];
}

function grouped<K, T>(list: T[], keyOf: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of list) {
    const group = groups.get(keyOf(one));
    if (group) group.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return groups;
}

/** No more runs of a kind may be under way at once than its limit, from the first call of each to its last, as the receiver saw them. */
function exceeded({ outcomes, kinds }: CampaignResult, receiver: Receiver): string[] {
  const all = grouped([...receiver.receipts.values()], ({ run }) => run);
  const byKind = grouped(outcomes, ({ kind }) => kind);
  return [...byKind].flatMap(([kind, runs]) => {
    const { limit = Infinity } = kinds[kind] ?? {};
    const spans = runs.map(({ n }) => {
      const receipts = all.get(n) ?? [];
      const from = Math.min(...receipts.map(({ firstAtMs }) => firstAtMs));
      return { n, from, to: Math.max(...receipts.map(({ lastAtMs }) => lastAtMs)) };
    });
    return spans.flatMap(({ n, from }) => {
      const atOnce = spans.filter((other) => other.from <= from && from <= other.to).length;
      return atOnce > limit ? [`${atOnce} runs of ${kind} were under way when ${n} began.`] : [];
    });
  });
}

/** Each row that a run wrote must be there once. */
function wrote({ outcomes, kinds, stored }: CampaignResult): string[] {
  return outcomes.flatMap(({ n, kind }) => {
    const [rows, expected] = [stored.rows.get(n) ?? 0, kinds[kind]?.rows ?? 0];
    return rows === expected ? [] : [`${kind} ${n} left ${rows} rows instead of ${expected}.`];
  });
}

/** Each document that a run added must be there once, and be processed. */
function noted({ outcomes, kinds, stored }: CampaignResult): string[] {
  return outcomes.flatMap(({ n, kind }) => {
    const documents = stored.documents.get(documentNamed(n)) ?? [];
    const expected = Array.from({ length: kinds[kind]?.documents ?? 0 }, () => 'completed');
    return documents.join() === expected.join()
      ? []
      : [`${kind} ${n} left the documents [${documents}] instead of [${expected}].`];
  });
}

function repeatedLate(steps: Kind['steps'], receipts: Receipt[]): string[] {
  const of = (names: string | string[] | undefined) =>
    receipts.filter(({ step }) => [names ?? []].flat().includes(step));
  return steps.flatMap((names, i) => {
    const next = Math.min(...of(steps[i + 1]).map(({ firstAtMs }) => firstAtMs));
    return of(names).flatMap(({ step, lastAtMs }) => (lastAtMs > next ? [step] : []));
  });
}

/**
 * Temporal gets a run after its caller was answered. The check waits this long, and longer for many runs: this many a
 * second.
 */
const [toldWithinMs, toldASecond] = [20_000, 25];

/** Temporal must agree with the rows: the same end for ended runs, and RUNNING for paused ones. */
async function openInTemporal({ outcomes }: CampaignResult, address: string): Promise<string[]> {
  const connection = await Connection.connect({ address });
  const { workflow } = new Client({ connection });
  const deadline = performance.now() + toldWithinMs + (outcomes.length * 1000) / toldASecond;
  const faults: string[] = [];
  for (const { executionId, status } of outcomes.flatMap(executionsIn)) {
    const look = async () =>
      workflow
        .getHandle(executionId)
        .describe()
        .then(
          ({ status: { name } }) => name,
          () => 'unknown',
        );
    const expected = status === 'paused' ? 'RUNNING' : status.toUpperCase();
    let actual = await look();
    while (actual !== expected && ['RUNNING', 'unknown'].includes(actual) && performance.now() < deadline) {
      await pause(50);
      actual = await look();
    }
    if (actual !== expected) faults.push(`${executionId} is ${status}, and ${actual} in Temporal.`);
  }
  await connection.close();
  return faults;
}
