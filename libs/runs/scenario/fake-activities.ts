import { ApplicationFailure } from '@temporalio/common';
import { compile } from '#libs/language/definition/compile';
import { costMax, Meter } from '#libs/language/definition/expressions/cost';
import { type EffectType, effectTypes } from '#libs/language/definition/blocks/registry';
import { durationMs } from '#libs/language/definition/durations';
import { ExpressionError, renderParams } from '#libs/language/definition/expressions/expressions';
import { missingSecret } from '#libs/language/definition/checks/named-things';
import type { Plan } from '#libs/language/definition/plan';
import { type Json, type JsonObject, objectOf } from '#libs/platform/json/json';
import type { ActivityEffect, ChildEffect, EvaluateEffect } from '#libs/language/engine/effects';
import { evaluateBlock, evaluationFailure, packRendered } from '#libs/language/engine/evaluate';
import type {
  EffectActivities,
  ActivityResult,
  LocalActivities,
  RunKey,
  RunRecord,
} from '#temporal/activities';
import type { ExecutionInput } from '#temporal/messages';
import type { InMemoryStore, Opened } from './in-memory-store.ts';
import type { ScenarioAnswer, Scenario } from './scenario.ts';

/** A running scenario, as its activities need it. */
export interface FakeRun {
  scenario: Scenario;
  plan: Plan;
  input: ExecutionInput;
  book: InMemoryStore;
  now(): Promise<number>;
  /** Called while time is held, once for each pause. */
  onPause(pause: Opened): Promise<void>;
}

/** The longest `retryAfter` that the product honours. */
const retryAfterMsMax = 3_600_000;

/** The plan of a child, which ends at once: the parent gets the child's output from `adopt`. */
const childPlan = compile({
  blocks: [{ id: 'answer', type: 'response', params: { data: null } }],
  edges: [{ from: 'start', to: 'answer' }],
});

/**
 * The activities of the product with an in-memory store instead of rows. Effects and children get the answers of the
 * scenario. The product's own functions evaluate expressions.
 */
export class FakeActivities {
  private readonly parts = new Map<string, FakeRun>();
  private readonly adopted = new Map<string, Json>();

  take(part: FakeRun): void {
    this.parts.set(part.input.executionId, part);
  }

  /** The local activities as Temporal takes them: plain functions by name. */
  get locals(): LocalActivities {
    return {
      cancelAsked: () => this.cancelAsked(),
      loadPlan: (run) => this.loadPlan(run),
      evaluate: (run, effect) => this.evaluate(run, effect),
      record: (change, ...visits) => this.record({ ...change, visits: [...change.visits, ...visits.flat()] }),
      // In a scenario each block is an activity of its own.
      checkpoints: async () => ({}),
      openChild: (run, effect) => this.openChild(run, effect),
      adopt: (run, childId) => this.adopt(run, childId),
      // People in a scenario answer only by the update, and an answer exactly at the deadline is refused as
      // ambiguous.
      acceptSignalled: async () => null,
      expirePause: async () => [],
      enqueueNotifications: (run, path, occasion) => this.tellPeople(run, path, occasion),
    };
  }

  get effects(): EffectActivities {
    const perform = (run: RunKey, effect: ActivityEffect) => this.perform(run, effect);
    return Object.fromEntries(effectTypes.map((type) => [type, perform])) as Record<
      EffectType,
      typeof perform
    >;
  }

  /** A scenario never cancels. */
  async cancelAsked(): Promise<boolean> {
    return false;
  }

  async loadPlan({ executionId }: RunKey): Promise<Plan> {
    return this.part(executionId).plan;
  }

  async evaluate({ executionId }: RunKey, { type, params, scope }: EvaluateEffect): Promise<Json> {
    const { values } = this.part(executionId).book;
    try {
      const result = evaluateBlock(type, params, objectOf(values.resolve(scope)));
      return packRendered(type, result, (value) => values.put(value));
    } catch (error) {
      const failure = evaluationFailure(error);
      if (!failure) throw error;
      throw ApplicationFailure.nonRetryable(failure.message, failure.code);
    }
  }

  async record(change: RunRecord): Promise<Record<string, string>> {
    const part = this.parts.get(change.executionId);
    // The execution is a child, which has no store.
    if (!part) return {};
    for (const pause of part.book.record(change)) await part.onPause(pause);
    return part.book.contextIds;
  }

  async tellPeople({ executionId }: RunKey, path: string, occasion: string): Promise<void> {
    const { book, now } = this.part(executionId);
    book.note(await now(), `people are told of ${path} again: ${occasion}`);
  }

  async openChild({ executionId }: RunKey, effect: ChildEffect): Promise<ExecutionInput> {
    const { book, input } = this.part(executionId);
    const { visit, workflowId, name } = effect;
    const childId = `${executionId} ${visit.path}`;
    if (!this.adopted.has(childId)) {
      book.called({ ...visit, params: objectOf(book.values.resolve(effect.inputs)) });
      const answer = book.takeAnswer('children', visit) ?? missing(book, 'children', visit.blockId);
      if (answer.fail) throw ApplicationFailure.nonRetryable(answer.fail.message, answer.fail.code);
      this.adopted.set(childId, book.values.put(answer.output ?? null));
    }
    return { ...input, executionId: childId, workflowId, workflowName: name, plan: childPlan, inputs: {} };
  }

  async adopt(_run: RunKey, childId: string): Promise<Json> {
    return this.adopted.get(childId) ?? null;
  }

  /** Renders the parameters of the call, so that a fault in its templates is found. Returns the answer. */
  private async perform({ executionId }: RunKey, effect: ActivityEffect): Promise<ActivityResult> {
    const { book, scenario } = this.part(executionId);
    const { visit } = effect;
    const scope = objectOf(book.values.resolve(effect.scope));
    book.called({ ...visit, params: rendered(effect.params, { ...scope, secrets: scenario.secrets ?? {} }) });
    const answer = book.takeAnswer('effects', visit) ?? missing(book, 'effects', visit.blockId);
    if (answer.fail) throw failing(answer.fail);
    return { output: book.values.put(answer.output ?? null) };
  }

  private part(executionId: string): FakeRun {
    const part = this.parts.get(executionId);
    if (!part) throw ApplicationFailure.nonRetryable(`${executionId} is not being played`, 'ENGINE_FAULT');
    return part;
  }
}

/** The code of a function is never a template: braces in it are JavaScript's. */
function rendered({ code, ...templates }: JsonObject, names: JsonObject): JsonObject {
  try {
    const unknown = missingSecret(templates, objectOf(names.secrets ?? null));
    if (unknown) throw failing({ ...unknown, retryable: false });
    const params = renderParams(templates, names, new Meter(costMax));
    return code === undefined ? params : { ...params, code };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw failing({ code: error.code, message: error.message, retryable: false });
  }
}

/**
 * Reports a problem, so that the scenario fails whatever the run's outcome is. The block fails too, so that the run
 * ends soon.
 */
function missing(book: InMemoryStore, kind: 'effects' | 'children', blockId: string): ScenarioAnswer {
  const message = `"${blockId}" was called and the scenario has no answer for it: give one under ${kind}.${blockId}.`;
  book.problem(message);
  return { fail: { code: 'SCENARIO_ANSWER_MISSING', message, retryable: false } };
}

/** Makes the failure non-retryable for Temporal: the workflow makes the block's own retries. */
function failing({
  code,
  message,
  retryAfter,
  ...about
}: NonNullable<ScenarioAnswer['fail']>): ApplicationFailure {
  const afterMs = durationMs(retryAfter);
  const details = [
    { ...about, ...(afterMs === undefined ? {} : { retryAfterMs: Math.min(afterMs, retryAfterMsMax) }) },
  ];
  return ApplicationFailure.create({ type: code, message, nonRetryable: true, details });
}
