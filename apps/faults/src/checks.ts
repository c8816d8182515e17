import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { Told } from './campaign.ts';
import type { Kind } from './kinds.ts';
import type { Receipt, Receiver } from './receiver.ts';

/** Everything that is not as it was promised, one sentence each. Empty when all of it is. */
export async function broken(told: Told, receiver: Receiver, temporalAddress: string): Promise<string[]> {
  return [
    ...ended(told),
    ...received(told, receiver),
    ...wrote(told),
    ...noted(told),
    ...moved(told),
    ...booked(told),
    ...(await openInTemporal(told, temporalAddress)),
  ];
}

/** 95 % of what was under way moves on within 15 s of the last process being up. Few runs say nothing of 95 %. */
function moved({ movesS }: Told): string[] {
  const late = movesS.filter((seconds) => seconds > 15).length;
  return movesS.length >= 100 && late / movesS.length > 0.05
    ? [`${late} of ${movesS.length} runs moved on later than 15 s after a recovery.`]
    : [];
}

/** Each run is in the logs once, as it ended, and the ledger says what all of them have cost. */
function booked({ outcomes, books: { logs, usage } }: Told): string[] {
  const called = logs.filter(({ trigger }) => trigger === 'api');
  const faults = outcomes.flatMap(({ executionId, status }) => {
    const found = called.filter((log) => log.executionId === executionId);
    return found.length === 1 && found[0]?.status === status
      ? []
      : [`${executionId} is ${status} and ${found.length} times in the logs.`];
  });
  if (called.length !== outcomes.length)
    faults.push(`There are ${called.length} logs of ${outcomes.length} runs.`);
  if (logs.some(({ cost }) => (cost?.total ?? 0) < 0.01)) faults.push('A run is not booked.');
  const sum = logs.reduce((total, { cost }) => total + (cost?.total ?? 0), 0);
  if (Math.abs(sum - usage) > 1e-6) faults.push(`The logs cost ${sum}, and the ledger says ${usage}.`);
  return faults;
}

/** What was accepted has completed, with the output of its own run. */
function ended({ outcomes }: Told): string[] {
  return outcomes.flatMap(({ n, kind, executionId, status, output, error }) =>
    status === 'completed' && output === n
      ? []
      : [`${executionId} (${kind} ${n}) is ${status} with ${JSON.stringify(output ?? error)}.`],
  );
}

/** Each call arrived under one key, and none arrived again after a later block had begun. */
function received({ outcomes, kinds }: Told, receiver: Receiver): string[] {
  const all = [...receiver.receipts.values()];
  const faults = outcomes.flatMap(({ n, kind }) => {
    const receipts = all.filter(({ run }) => run === n);
    const { steps = [] } = kinds[kind] ?? {};
    const wanted = steps.flat().toSorted();
    const found = receipts.map(({ step }) => step).toSorted();
    if (found.join() !== wanted.join())
      return [`${kind} ${n} made the calls [${found}] instead of [${wanted}].`];
    return repeatedLate(steps, receipts).map(
      (step) => `${kind} ${n} repeated ${step} after a later block had begun.`,
    );
  });
  return [...faults, ...receiver.changed.map((key) => `Another body came under the key ${key}.`)];
}

/** Each row that a run wrote is there once. */
function wrote({ outcomes, kinds }: Told): string[] {
  return outcomes.flatMap(({ n, kind, rows }) => {
    const wanted = kinds[kind]?.rows ?? 0;
    return rows === wanted ? [] : [`${kind} ${n} left ${rows} rows instead of ${wanted}.`];
  });
}

/** Each document that a run added is there once, and has been processed. */
function noted({ outcomes, kinds }: Told): string[] {
  return outcomes.flatMap(({ n, kind, documents }) => {
    const wanted = Array.from({ length: kinds[kind]?.documents ?? 0 }, () => 'completed');
    return documents.join() === wanted.join()
      ? []
      : [`${kind} ${n} left the documents [${documents}] instead of [${wanted}].`];
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

/** Rows and Temporal agree: what has completed for callers has completed there. */
async function openInTemporal({ outcomes }: Told, address: string): Promise<string[]> {
  const connection = await Connection.connect({ address });
  const { workflow } = new Client({ connection });
  const faults: string[] = [];
  for (const { executionId, status } of outcomes) {
    const deadline = performance.now() + 20_000;
    // Temporal is told of a run after its caller was answered.
    const look = async () =>
      workflow
        .getHandle(executionId)
        .describe()
        .then(
          ({ status: { name } }) => name,
          () => 'unknown',
        );
    let found = await look();
    while (['RUNNING', 'unknown'].includes(found) && performance.now() < deadline) {
      await pause(50);
      found = await look();
    }
    if (found !== status.toUpperCase()) faults.push(`${executionId} is ${status}, and ${found} in Temporal.`);
  }
  await connection.close();
  return faults;
}
