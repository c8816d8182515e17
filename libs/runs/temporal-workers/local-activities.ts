import type { FactoryProvider, Provider, Type } from '@nestjs/common';
import { ApplicationFailure } from '@temporalio/common';
import { isUnavailable, sqlState } from '#libs/platform/database/violations';
import { Children } from '#libs/runs/executions/accept/children';
import { EffectCheckpoints } from '#libs/runs/executions/record/effect-checkpoints';
import { ChildMustWait } from '#libs/runs/executions/accept/descendants';
import { Executions } from '#libs/runs/executions/executions';
import { Recorder } from '#libs/runs/executions/record/recorder';
import { ApiError, Unavailable } from '#libs/platform/errors/errors';
import { accepted } from '#libs/platform/telemetry/metrics/metrics';
import { Answers } from '#libs/runs/pauses/answers';
import { Deployments } from '#libs/runs/workflows/deployments';
import type { LocalActivities } from '#temporal/activities';
import { ChildLine } from './child-line.ts';
import { Evaluations } from './evaluations.ts';

/** The local activities as Temporal takes them: plain functions by name. */
export class LocalActivityTable {
  constructor(readonly byName: object) {}
}

/** A provider for each local activity; the compiler names a missing one. Each activity is safe to run twice. */
const activities = {
  loadPlan: from([Deployments], (deployments) => ({ workspaceId }, planHash) => {
    return deployments.plan(workspaceId, planHash);
  }),
  cancelAsked: from([Executions], (executions) => async ({ workspaceId, executionId }) => {
    const { cancelRequestedAt } = await executions.getExecution(workspaceId, executionId);
    return cancelRequestedAt !== null;
  }),
  evaluate: from([Evaluations], (evaluations) => (run, effect) => evaluations.evaluate(run, effect)),
  record: from([Recorder], (recorder) => (change, ...visits) => {
    return recorder.recordRun({ ...change, visits: [...change.visits, ...visits.flat()] });
  }),
  openChild: from([Children, ChildLine], (children, line) => async (run, effect, tries = 0) => {
    const input = await children.open(run, effect, async (parent) => {
      try {
        await line.requireRoom(parent);
      } catch (error) {
        if (error instanceof ChildMustWait) await line.enter(parent, tries);
        throw error;
      }
    });
    accepted.inc({ mode: input.mode, trigger: input.trigger });
    return input;
  }),
  checkpoints: from([EffectCheckpoints], (committed) => (run, first) => committed.checkpoints(run, first)),
  adopt: from([Children], (children) => (run, childId) => children.adopt(run, childId)),
  acceptSignalled: from([Recorder, Answers], (recorder, answers) => async (run, message) => {
    return (await recorder.ownsRows(run)) ? answers.acceptSignalled(run, message) : null;
  }),
  expirePause: from([Recorder, Answers], (recorder, answers) => async (run, path, atMs) => {
    return (await recorder.ownsRows(run)) ? answers.expirePause(run, path, new Date(atMs)) : [];
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
    if (error instanceof ChildMustWait) throw ApplicationFailure.nonRetryable(error.message, error.name);
    if (error instanceof ApiError) throw ApplicationFailure.nonRetryable(error.message, error.code);
    if (sqlState(error)?.startsWith('22')) throw ApplicationFailure.nonRetryable(String(error), 'UNSTORABLE');
    if (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError)
      throw ApplicationFailure.nonRetryable(String(error), 'ENGINE_FAULT');
    throw error;
  }
}
