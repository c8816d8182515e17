import type { Receiver } from '../receiver.ts';
import { countOpen, queryRows, settle } from './rows.ts';
import { setStage } from '../stage.ts';
import { findWrongKeys } from '../storm.ts';
import type { Target } from '../target.ts';
import { Breaker } from '../troubles.ts';

/** Callers at once, and the rate of the release. */
const [callers, perSecond] = [10, 50];
const killEveryMs = 15_000;

interface Options {
  runs: number;
  receiver: Receiver;
  say(line: string): void;
}

/** Executes runs of a held workflow, and releases them at a rate, while processes are killed. */
export async function runHeld(target: Target, { runs, receiver, say }: Options) {
  const { workflows, kinds, wide, workspaceId } = await setStage(target, receiver.url, 0);
  const id = workflows.get('oneCall') ?? '';
  const holds = `/api/v1/workspaces/${workspaceId}/holds`;
  const held = await wide.call('POST', holds, { body: { workflowId: id, reason: 'The trial fills it.' } });
  const accepted = new Set<string>();
  let next = 0;
  const work = async () => {
    while (next < runs) {
      const n = next++;
      const sent = { body: { inputs: { n }, async: true }, idempotencyKey: `held-${n}` };
      accepted.add((await wide.call('POST', `/api/workflows/${id}/execute`, sent)).body.executionId);
      if (accepted.size % 1000 === 0) say(`${accepted.size} of ${runs} runs are held`);
    }
  };
  const breaker = new Breaker(target);
  await breaker.killWhile(killEveryMs, () => Promise.all(Array.from({ length: callers }, work)));
  const early = receiver.receipts.size;
  await wide.call('POST', `${holds}/${held.body.data.id}/release`, { body: { perSecond } });
  await breaker.killWhile(killEveryMs, () => settle(target, countOpen, [[id]]));
  const rows = await queryRows<StartedRow>(target, listStarted, [id]);
  const ended = rows.filter(({ status }) => status === 'completed');
  const startsS = rows.flatMap(({ startedAtS }) => startedAtS ?? []).toSorted((a, b) => a - b);
  const spanS = (startsS.at(-1) ?? 0) - (startsS[0] ?? 0);
  return {
    faults: [
      ...(early === 0 ? [] : [`${early} runs began while they were held.`]),
      ...rows
        .filter((row) => !accepted.has(row.id) || row.status !== 'completed')
        .map((row) => `${row.id} is ${row.status}, and was ${accepted.has(row.id) ? '' : 'not '}accepted.`),
      ...(rows.length === runs ? [] : [`${runs} runs have ${rows.length} executions.`]),
      ...findWrongKeys(
        ended.map((row) => ({ executionId: row.id })),
        (kinds['oneCall']?.steps ?? []).flat(),
        receiver,
      ),
    ],
    figures: {
      runs,
      completed: ended.length,
      repeatedDeliveries: [...receiver.receipts.values()].filter(({ deliveries }) => deliveries > 1).length,
      kills: breaker.counts.kills,
      releasedPerS: Math.round((10 * startsS.length) / Math.max(spanS, 1)) / 10,
    },
  };
}

interface StartedRow {
  id: string;
  status: string;
  startedAtS: number | null;
}

/** $1 workflow */
const listStarted = /* sql */ `
select id, status, extract(epoch from started_at)::float8 as "startedAtS" from executions where workflow_id = $1`;
