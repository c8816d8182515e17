import { isCancellation, proxyActivities } from '@temporalio/workflow';
import { effectKindOf } from '#libs/language/definition/blocks/registry';
import type { ActivityEffect, Effect } from '#libs/language/engine/effects';
import type { BatchActivity, Batched, RunKey } from '#temporal/activities';
import { local, buildOptions } from './effect-activities.ts';

/** An effect is short when a worker needed at most this long. Then the others in its batch do not wait noticeably. */
const shortMs = 100;
/** A block gets batches after this many short effects in a row. */
const shortMin = 8;
/** More effects in a batch would gain little and leave other workers idle. */
const batchMax = 8;
/** Larger effects are not batched, because a batch is one argument to Temporal. */
const charsMax = 32_768;

/** After this many lost workers each effect goes on alone, so that one that kills workers does not fail the others. */
const attemptsMax = 5;

/**
 * Fast path of an activity for each effect (`runEffect`): decides which effects one activity carries out together. They
 * are parallel effects of a block whose last effects were short.
 */
export class BatchPlanner {
  /** By block: the number of short effects in a row. */
  private readonly shorts = new Map<string, number>();

  /** Notes the time of an effect. `ms` is absent when it failed or took more than one attempt. */
  note({ visit: { blockId } }: Effect, ms: number | undefined): void {
    const short = ms !== undefined && ms <= shortMs;
    this.shorts.set(blockId, short ? (this.shorts.get(blockId) ?? 0) + 1 : 0);
  }

  /** Groups the effects that are launched together, in the order of the first of each group. */
  groupIntoBatches(effects: Effect[]): Effect[][] {
    const lists: Effect[][] = [];
    const filling = new Map<string, { list: Effect[]; chars: number }>();
    for (const effect of effects) {
      const { blockId } = effect.visit;
      const chars = this.isShort(effect) ? JSON.stringify(effect).length : Infinity;
      const last = filling.get(blockId);
      if (last && last.list.length < batchMax && last.chars + chars <= charsMax) {
        last.list.push(effect);
        last.chars += chars;
      } else {
        const list = [effect];
        lists.push(list);
        filling.set(blockId, { list, chars });
      }
    }
    return lists;
  }

  private isShort(effect: Effect): boolean {
    return (
      effect.kind === 'activity' &&
      effectKindOf(effect.type).queue === 'io' &&
      (this.shorts.get(effect.visit.blockId) ?? 0) >= shortMin
    );
  }
}

/** True for effects that one activity carries out. */
export function isBatch(effects: Effect[]): effects is ActivityEffect[] {
  return effects.length > 1;
}

/**
 * Carries out effects of one block in one activity. When the activity fails, reads the committed outputs from the rows
 * and returns null for every other effect. Rejects only when it is cancelled.
 */
export async function runEffectBatch(
  run: RunKey,
  effects: ActivityEffect[],
  queue: string,
): Promise<(Batched | null)[]> {
  const [first] = effects;
  if (!first) return [];
  const { path } = first.visit;
  const options = buildOptions(first, queue, `${path}+${effects.length - 1}`);
  try {
    return await proxyActivities<BatchActivity>({
      ...options,
      retry: { ...options.retry, maximumAttempts: attemptsMax },
      summary: `${first.name} × ${effects.length}`,
    }).batch(run, effects);
  } catch (error) {
    if (isCancellation(error)) throw error;
    const done = await local.checkpoints(run, path);
    return effects.map(({ visit }) => {
      const output = Object.hasOwn(done, visit.path) ? done[visit.path] : undefined;
      return output === undefined ? null : { output };
    });
  }
}
