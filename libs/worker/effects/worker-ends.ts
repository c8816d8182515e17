import { LRUCache } from 'lru-cache';
import { Injectable, Logger } from '@nestjs/common';
import type { ActivityEffect } from '#libs/language/engine/effects';
import { Recorder } from '#libs/runs/executions/record/recorder';
import type { RunKey } from '#temporal/activities';
import { toVisit } from './block-log-lines.ts';
import { blockFailure } from './effect-handler.ts';

/** A step that was at its end so often when its worker failed is not carried out again. */
const endsMax = 3;
/** A worker fails when it hands over what a step gave, so the steps that ended last are suspects. */
const beforeMs = 2000;
const suspectsMax = 500;

/** A step without its parameters, which may be large. */
interface Step {
  run: RunKey;
  visit: ReturnType<typeof toVisit>;
  endedAtMs: number;
}

/** Takes out a step that brings down its worker, because each restart would end by the same step. */
@Injectable()
export class WorkerEnds {
  private readonly log = new Logger(WorkerEnds.name);
  private readonly ended = new LRUCache<string, Step>({ max: suspectsMax });

  constructor(private readonly recorder: Recorder) {}

  /** Throws `WORKER_CRASHED` for a step at whose end workers have failed too often. `attempt` is Temporal's count, from 1. */
  async requireHarmless(run: RunKey, { visit: { path } }: ActivityEffect, attempt: number): Promise<void> {
    // A first attempt has brought down nothing.
    if (attempt === 1 || (await this.recorder.workerEnds(run, path)) < endsMax) return;
    const message = `${endsMax} workers failed when this block ended, so it is not carried out again; see the workers' logs.`;
    throw blockFailure('WORKER_CRASHED', message, { retryable: false });
  }

  /** Notes that an attempt at the step has ended, in whatever way. */
  noteStep(run: RunKey, effect: ActivityEffect): void {
    const visit = toVisit(effect);
    this.ended.set(`${run.executionId} ${visit.path}`, { run, visit, endedAtMs: Date.now() });
  }

  /** Counts the failure of a worker at `atMs` for the steps that ended right before. Never rejects. */
  async noteEnd(atMs: number): Promise<void> {
    const suspects = [...this.ended.values()].filter(
      ({ endedAtMs }) => Math.abs(atMs - endedAtMs) < beforeMs,
    );
    const counts = suspects.map(({ run, visit }) => this.recorder.noteWorkerEnd(run, visit));
    for (const count of await Promise.allSettled(counts))
      if (count.status === 'rejected')
        this.log.warn(`A failed worker was not counted: ${String(count.reason)}`);
  }
}
