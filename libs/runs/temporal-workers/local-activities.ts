import type { FactoryProvider, Provider, Type } from '@nestjs/common';
import { ApplicationFailure } from '@temporalio/common';
import { isUnavailable, sqlState } from '#libs/platform/database/violations';
import { Children } from '#libs/runs/executions/accept/children';
import { EffectHeld, EffectHolds } from '#libs/runs/executions/control/effect-holds';
import { EffectCheckpoints } from '#libs/runs/executions/record/effect-checkpoints';
import { ReplacedRun } from '#libs/runs/executions/record/resets';
import { ChildMustWait } from '#libs/runs/executions/accept/descendants';
import { RunAdvance } from '#libs/runs/executions/advance/run-advance';
import { UnreadableRun } from '#libs/runs/executions/advance/run-log';
import { Recorder } from '#libs/runs/executions/record/recorder';
import { ApiError, Unavailable } from '#libs/platform/errors/errors';
import { accepted } from '#libs/platform/telemetry/metrics/metrics';
import { Answers } from '#libs/runs/pauses/answers';
import type { EvaluateEffect } from '#libs/language/engine/effects';
import type { LocalActivities } from '#temporal/activities';
import { ChildLine } from './child-line.ts';
import { Evaluations } from './evaluations.ts';

/** The local activities as Temporal takes them: plain functions by name. */
export class LocalActivityTable {
  constructor(readonly byName: object) {}
}

/** A provider for each local activity; the compiler names a missing one. Each activity is safe to run twice. */
const activities = {
  advance: from([RunAdvance, Evaluations, Answers], (runs, evaluations, answers) => async (run, change) => {
    const evaluate = (effect: EvaluateEffect) => evaluations.toEvent(run, effect);
    const advanced = await runs.advance(run, change, evaluate);
    if (!change.answers || !(await answers.takeAgain(run, change.answers))) return advanced;
    return runs.advance(run, { ...change, events: [] }, evaluate);
  }),
  openChild: from(
    [Children, ChildLine, EffectHolds],
    (children, line, holds) =>
      async (run, effect, tries = 0) => {
        const input = await children.open(run, effect, async (parent) => {
          await holds.requireFree(run, effect.visit.path);
          try {
            await line.requireRoom(parent);
          } catch (error) {
            if (error instanceof ChildMustWait) await line.enter(parent, tries);
            throw error;
          }
        });
        accepted.inc({ mode: input.mode, trigger: input.trigger });
        return input;
      },
  ),
  checkpoints: from([EffectCheckpoints], (committed) => (run, first) => committed.checkpoints(run, first)),
  adopt: from([Children], (children) => (run, childId) => children.adopt(run, childId)),
  acceptOperatorAnswer: from([Recorder, Answers], (recorder, answers) => async (run, answer) => {
    const isOurs = await recorder.ownsRows(run);
    return isOurs
      ? answers.acceptOperatorAnswer(run, answer)
      : { code: 'PAUSE_CLOSED', message: 'The run was reset.' };
  }),
  enqueueNotifications: from([Recorder], (recorder) => (run, path, occasion) => {
    return recorder.enqueueNotifications(run, path, occasion);
  }),
} satisfies { [Name in keyof LocalActivities]: FactoryProvider<LocalActivities[Name]> };

const names = Object.keys(activities);
const providers = Object.values(activities);

export const localProviders: Provider[] = [
  ...providers,
  {
    provide: LocalActivityTable,
    inject: providers.map(({ provide }) => provide),
    useFactory: (...instances: object[]) =>
      new LocalActivityTable(Object.fromEntries(names.map((name, i) => [name, instances[i]]))),
  },
];

/** A provider of one activity from the services that it calls. */
function from<Services extends unknown[], Args extends unknown[], T>(
  inject: [...{ [I in keyof Services]: Type<Services[I]> }],
  make: (...services: Services) => (...args: Args) => Promise<T>,
): FactoryProvider<(...args: Args) => Promise<T>> {
  return {
    provide: Symbol('local activity'),
    inject,
    useFactory: (...services: Services) => {
      const activity = make(...services);
      return (...args: Args) => withLastingFailures(() => activity(...args));
    },
  };
}

/**
 * Makes failures non-retryable that every attempt would meet: faults of ours, bugs, and data that Postgres cannot
 * hold. A later attempt may succeed when the database has no room or no connection at the moment.
 */
export async function withLastingFailures<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isUnavailable(error) || error instanceof Unavailable) throw error;
    if (error instanceof EffectHeld) throw ApplicationFailure.nonRetryable(error.message, 'CHILD_MUST_WAIT');
    if (error instanceof ChildMustWait) throw ApplicationFailure.nonRetryable(error.message, error.name);
    if (error instanceof ApiError) throw ApplicationFailure.nonRetryable(error.message, error.code);
    if (sqlState(error)?.startsWith('22')) throw ApplicationFailure.nonRetryable(String(error), 'UNSTORABLE');
    if (error instanceof ReplacedRun) throw ApplicationFailure.nonRetryable(error.message, 'REPLACED');
    if (error instanceof UnreadableRun) throw ApplicationFailure.nonRetryable(error.message, 'ENGINE_FAULT');
    if (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError)
      throw ApplicationFailure.nonRetryable(String(error), 'ENGINE_FAULT');
    throw error;
  }
}
