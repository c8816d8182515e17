import { isCancellation, proxyActivities } from '@temporalio/workflow';
import { effectKindOf } from '#libs/language/definition/blocks/registry';
import type { ActivityEffect, Effect } from '#libs/language/engine/effects';
import type { BatchActivity, Batched, RunKey } from '#temporal/activities';
import type { ExecutionInput } from '#temporal/messages';
import { local, optionsOf } from './effects.ts';

/** An effect is short when a worker had it for so long at most: others in its batch do not wait for it noticeably. */
const shortMs = 100;
/** A block is taken for short after so many short effects in a row. */
const shortMin = 8;
/** More effects in a batch gain little, and leave other workers without any. */
const batchMax = 8;
/** Larger effects are not batched: a batch is one argument to Temporal. */
const charsMax = 32_768;

/** After so many workers were lost each effect goes on alone, so that one that brings them down does not fail the others. */
const attemptsMax = 5;

/** Says which effects one activity carries out together: those of a block whose effects were short before, side by side. */
export class Batches {
  /** The number of effects in a row that were short, by block. */
  private readonly shorts = new Map<string, number>();

  constructor(private readonly input: Pick<ExecutionInput, 'effectChains'>) {}

  /** Notes how an effect went. `ms` is absent when it has failed, or took more than one attempt. */
  note({ visit: { blockId } }: Effect, ms: number | undefined): void {
    const short = ms !== undefined && ms <= shortMs;
    this.shorts.set(blockId, short ? (this.shorts.get(blockId) ?? 0) + 1 : 0);
  }

  /** The effects in lists that are launched together, in the order of the first of each. */
  of(effects: Effect[]): Effect[][] {
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
      this.input.effectChains === true &&
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
 * Carries out effects of one block in one activity. When that fails, what it has committed is read from the rows, and null stands for
 * each of the others. Rejects only when it is cancelled.
 */
export async function carryOutBatch(
  run: RunKey,
  effects: ActivityEffect[],
  queue: string,
): Promise<(Batched | null)[]> {
  const [first] = effects;
  if (!first) return [];
  const { path } = first.visit;
  const options = optionsOf(first, queue, `${path}+${effects.length - 1}`);
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
