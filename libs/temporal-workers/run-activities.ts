import { Injectable } from '@nestjs/common';
import { ApplicationFailure } from '@temporalio/common';
import { objectOf, type Json, type JsonObject } from '#libs/definition/values';
import { evaluateBlock, failureOf, packRendered } from '#libs/engine/evaluate';
import type { ChildEffect, EvaluateEffect, Scope } from '#libs/engine/effects';
import { Children } from '#libs/executions/children';
import { Executions } from '#libs/executions/executions';
import { pack, type Packed } from '#libs/executions/pack';
import { sqlState } from '#libs/database/violations';
import { Fault } from '#libs/faults/faults';
import type { PauseActivities } from './pause-activities.ts';
import { Payloads } from '#libs/executions/payloads';
import { Recorder } from '#libs/executions/recorder';
import { storable } from '#libs/executions/storable';
import { Deployments } from '#libs/workflows/deployments';
import type { LocalActivities, RunKey, RunRecord } from '#temporal/activities';

/** A person's form is kept whole in the pause's row; more than this is not a form any more. */
const humanBytesMax = 256 * 1024;

/** What pauses need is in `PauseActivities`. */
type OfRuns = Omit<LocalActivities, keyof PauseActivities['table']>;

/** What runs beside the workflow, in the process that holds it. Each is safe to run twice. */
@Injectable()
export class RunActivities implements OfRuns {
  constructor(
    private readonly deployments: Deployments,
    private readonly executions: Executions,
    private readonly payloads: Payloads,
    private readonly recorder: Recorder,
    private readonly children: Children,
  ) {}

  /** As Temporal wants them: plain functions by name. */
  get table(): OfRuns {
    return {
      loadPlan: (run, planHash) => lasting(() => this.loadPlan(run, planHash)),
      cancelAsked: (run) => lasting(() => this.cancelAsked(run)),
      evaluate: (run, effect) => lasting(() => this.evaluate(run, effect)),
      record: (change, ...visits) => lasting(() => this.record(change, ...visits)),
      openChild: (run, effect) => lasting(() => this.openChild(run, effect)),
      adopt: (run, childId) => lasting(() => this.adopt(run, childId)),
    };
  }

  loadPlan({ workspaceId }: RunKey, planHash: string) {
    return this.deployments.plan(workspaceId, planHash);
  }

  record(change: RunRecord, ...visits: RunRecord['visits'][]) {
    return this.recorder.record({ ...change, visits: [...change.visits, ...visits.flat()] });
  }

  async cancelAsked({ workspaceId, executionId }: RunKey) {
    const { cancelRequestedAt } = await this.executions.get(workspaceId, executionId);
    return cancelRequestedAt !== null;
  }

  openChild(run: RunKey, effect: ChildEffect) {
    return this.children.open(run, effect);
  }

  adopt(run: RunKey, childId: string) {
    return this.children.adopt(run, childId);
  }

  /** Renders a pure block over stored values; its large members are stored again. */
  async evaluate(run: RunKey, effect: EvaluateEffect): Promise<Json> {
    const scope = await this.payloads.resolve(run, effect.scope);
    const rendered = render(effect, objectOf(scope));
    if (effect.type === 'human') requireShowable(rendered);
    const payloads: Packed['payloads'] = [];
    const packed = packRendered(effect.type, rendered, (value) => {
      const one = pack(storable(value));
      payloads.push(...one.payloads);
      return one.value;
    });
    await this.payloads.store(run, payloads);
    return packed;
  }
}

/** What no repetition can mend must not be repeated: a refusal of ours, and data that Postgres cannot hold. */
export async function lasting<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Fault) throw ApplicationFailure.nonRetryable(error.message, error.code);
    if (sqlState(error)?.startsWith('22')) throw ApplicationFailure.nonRetryable(String(error), 'UNSTORABLE');
    throw error;
  }
}

function render(effect: EvaluateEffect, scope: Scope): JsonObject {
  try {
    return evaluateBlock(effect.type, effect.params, scope);
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    throw ApplicationFailure.nonRetryable(failure.message, failure.code);
  }
}

function requireShowable(rendered: JsonObject): void {
  const bytes = Buffer.byteLength(JSON.stringify(rendered));
  if (bytes <= humanBytesMax) return;
  const message = `What a person is shown comes to ${bytes} bytes; at most ${humanBytesMax} are allowed.`;
  throw ApplicationFailure.nonRetryable(message, 'VALUE_TOO_LARGE');
}
