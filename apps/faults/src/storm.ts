import type { Receiver } from './receiver.ts';
import { setStage } from './stage.ts';
import type { Target } from './target.ts';
import { Breaker } from './troubles.ts';

/** Callers at once. */
const callers = 20;
const killEveryMs = 2_000;

interface StormOptions {
  runs: number;
  receiver: Receiver;
  say(line: string): void;
}

export interface StormResult {
  kills: Record<string, number>;
  completed: number;
  /** Keys that came to the receiver more than once: a call was under way when its process was killed. */
  repeatedDeliveries: number;
  /** Broken promises, one sentence each. */
  lost: string[];
  repeated: string[];
}

interface StormRun {
  n: number;
  executionId: string;
  status: string;
  output: unknown;
}

/** Executes runs of three calls, and kills a process each two seconds, in turn. */
export async function runStorm(target: Target, { runs, receiver, say }: StormOptions): Promise<StormResult> {
  const { workflows, kinds, wide } = await setStage(target, receiver.url, 0);
  const path = `/api/workflows/${workflows.get('threeCalls')}/execute`;
  const ended: StormRun[] = [];
  const execute = async (n: number): Promise<void> => {
    const first = await wide.call('POST', path, { body: { inputs: { n } }, idempotencyKey: `run-${n}` });
    const { executionId, jobId = executionId } = first.body;
    let { body } = first;
    while (!['completed', 'failed', 'cancelled'].includes(body.status))
      ({ body } = await wide.call('GET', `/api/jobs/${jobId}?wait=5`));
    ended.push({ n, executionId, status: body.status, output: body.output });
    if (ended.length % 500 === 0) say(`${ended.length} of ${runs} runs have ended`);
  };
  const breaker = new Breaker(target);
  let next = 0;
  const work = async () => {
    while (next < runs) await execute(next++);
  };
  await breaker.killWhile(killEveryMs, () => Promise.all(Array.from({ length: callers }, work)));
  const steps = (kinds['threeCalls']?.steps ?? []).flat();
  const lost = ended
    .filter(({ n, status, output }) => status !== 'completed' || output !== n)
    .map(({ n, executionId, status }) => `Run ${n}, ${executionId}, is ${status}.`);
  const receipts = [...receiver.receipts.values()];
  return {
    kills: breaker.counts.kills,
    completed: ended.length - lost.length,
    repeatedDeliveries: receipts.filter(({ deliveries }) => deliveries > 1).length,
    lost,
    repeated: [
      ...findWrongKeys(ended, steps, receiver),
      ...receiver.changed.map((key) => `${key} came with another body.`),
    ],
  };
}

/** Each run must have made each of its calls under one key, that of its execution. */
export function findWrongKeys(
  ended: { executionId: string }[],
  steps: string[],
  { receipts }: Receiver,
): string[] {
  const expected = new Set(ended.flatMap(({ executionId }) => steps.map((step) => `${executionId}/${step}`)));
  const missing = [...expected].filter((key) => !receipts.has(key));
  const others = [...receipts.keys()].filter((key) => !expected.has(key));
  return [
    ...missing.map((key) => `No call came under ${key}.`),
    ...others.map((key) => `A call came under ${key}, which no run has.`),
  ];
}
