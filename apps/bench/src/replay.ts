import { join } from 'node:path';
import { type ReplayWorkerOptions, Worker } from '@temporalio/worker';
import { checkout } from '#apps/local/src/paths';
import { workflowsPath } from './bare-worker.ts';
import type { Bare } from './bare.ts';
import { quantile, round } from './figures.ts';

const rounds = 4;
const copiesOfEach = 25;
const warmUp = 5;

/** The time to bring a run of about 300 events back into memory, beside a bare run with as many calls. */
export async function replaySteps(
  bare: Bare,
  runs: { ours: string; bare: string },
  say: (line: string) => void,
): Promise<Record<string, number>> {
  const codePath = join(checkout(), 'dist/temporal/workflows.bundle.js');
  const ours: number[] = [];
  const theirs: number[] = [];
  // In turn, so that other work of the machine affects both.
  for (let turn = 0; turn < rounds; turn++) {
    theirs.push(...(await replays(bare, runs.bare, { workflowsPath })));
    ours.push(...(await replays(bare, runs.ours, { workflowBundle: { codePath } })));
  }
  const p95 = (times: number[]) => round(quantile(times, 0.95));
  const replayRatioToBare = round(quantile(ours, 0.5) / quantile(theirs, 0.5));
  say(`about 300 events are replayed in ${p95(ours)} ms (p95), of a bare run in ${p95(theirs)} ms`);
  return { replay300P95Ms: p95(ours), bareReplay300P95Ms: p95(theirs), replayRatioToBare };
}

/**
 * The milliseconds of each replay, one after the other. A worker would take several at once, and each would wait for
 * the others.
 */
async function replays(bare: Bare, workflowId: string, options: ReplayWorkerOptions): Promise<number[]> {
  const history = await bare.history(workflowId);
  let begin = 0;
  let next = () => {};
  const copies = async function* () {
    for (let i = 0; i < copiesOfEach; i++) {
      const done = new Promise<void>((resolve) => (next = resolve));
      begin = performance.now();
      yield { workflowId, history };
      await done;
    }
  };
  const times: number[] = [];
  for await (const { error } of Worker.runReplayHistories(options, copies())) {
    if (error) throw error;
    times.push(performance.now() - begin);
    next();
  }
  return times.slice(warmUp);
}
