import { LRUCache } from 'lru-cache';
import { Injectable, Logger } from '@nestjs/common';
import type { ActivityEffect } from '#libs/language/engine/effects';
import type { Json } from '#libs/platform/json/json';
import { Recorder } from '#libs/runs/executions/record/recorder';
import type { RunKey } from '#temporal/activities';
import { countedAttempt, presentTask } from './effect-task.ts';

/** When effects of a run follow each other fast, the block log shows one of them in this time while it runs. */
const showEveryMs = 200;
/** Every effect that lasts this long is shown. */
const lastingMs = 50;
const runsRemembered = 10_000;

/** An effect's line in the block log. */
export interface BlockLogLine {
  /** Shows the effect, unless that is done. */
  show(): void;
  end(output: Json): void;
  /** Resolves when the line is written, or when there is none. */
  written(): Promise<void>;
}

/** Shows effects in the block log while they run. */
@Injectable()
export class BlockLogLines {
  private readonly log = new Logger(BlockLogLines.name);
  /** By Temporal run: the time of the last shown effect. */
  private readonly shownAtMs = new LRUCache<string, number>({ max: runsRemembered });

  constructor(private readonly recorder: Recorder) {}

  /**
   * Shows the effect in the block log while it runs and when it ends. The record writes the visit anyway, and each line
   * costs a transaction. So a short effect gets no line.
   */
  beginLine(run: RunKey, effect: ActivityEffect): BlockLogLine {
    const task = presentTask();
    const attempt = countedAttempt(task);
    let written: Promise<void> | undefined;
    const show = () => {
      written ??= this.write(run, () => this.recorder.beginVisit(run, toVisit(effect), attempt));
    };
    let timer: NodeJS.Timeout | undefined;
    const { temporalRunId } = task;
    if (temporalRunId && Date.now() - (this.shownAtMs.get(temporalRunId) ?? 0) > showEveryMs) {
      this.shownAtMs.set(temporalRunId, Date.now());
      show();
    } else timer = setTimeout(show, lastingMs);
    const end = (output: Json) => this.recorder.endVisit(run, effect.visit.path, output);
    return {
      show,
      end: (output) => void written?.then(() => this.write(run, () => end(output))),
      written: async () => {
        clearTimeout(timer);
        await written;
      },
    };
  }

  /** Keeps the console lines of a block. */
  async keepLogs(run: RunKey, effect: ActivityEffect, lines: string[]): Promise<void> {
    await this.write(run, () => this.recorder.keepLogs(run, toVisit(effect), lines));
  }

  /** Writes for readers of the block log. A database that is away must not fail the block. */
  private async write(run: RunKey, statement: () => Promise<void>): Promise<void> {
    // After a reset, an attempt of the old Temporal run does not know what the block log should hold.
    if (run.temporal && run.temporal.runId !== presentTask().temporalRunId) return;
    try {
      await statement();
    } catch (error) {
      this.log.warn(`A block of ${run.executionId} is not in the log: ${String(error)}`);
    }
  }
}

/** The visit of an effect with the name and the type of its block. */
export function toVisit({ visit, name, type }: ActivityEffect) {
  return { ...visit, name, type };
}
