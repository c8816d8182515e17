import { setImmediate as breathe } from 'node:timers/promises';
import { checkAnswers } from '#libs/language/definition/answers';
import { missingSecret } from '#libs/language/definition/checks/named-things';
import { durationMs } from '#libs/language/definition/durations';
import { costMax, Meter } from '#libs/language/definition/expressions/cost';
import { ExpressionError, renderParams } from '#libs/language/definition/expressions/expressions';
import { checkRunInputs } from '#libs/language/definition/inputs';
import type { Plan } from '#libs/language/definition/plan';
import { findOccasions } from '#libs/language/engine/asking';
import {
  type ActivityEffect,
  type ChildEffect,
  type Effect,
  type EvaluateEffect,
  mayRetry,
  type PauseEffect,
} from '#libs/language/engine/effects';
import { evaluateBlock, evaluationFailure, packRendered } from '#libs/language/engine/evaluate';
import { LoggedRun } from '#libs/language/engine/logged-run';
import { canGoOn, type RunEvent } from '#libs/language/engine/run-events';
import { buildFacts } from '#libs/language/engine/state';
import { type JsonObject, objectOf } from '#libs/platform/json/json';
import { People } from './people.ts';
import { PlayedRun } from './played-run.ts';
import type { Played, Scenario, ScenarioAnswer, ScenarioPerson } from './scenario.ts';
import { Timers } from './timers.ts';

export interface ScenarioRun {
  plan: Plan;
  scenario: Scenario;
  /** The real time after which a run that has not ended is stopped. */
  patienceMs: number;
  /** An abort ends the run at once. */
  signal?: AbortSignal;
}

/** The active time that the product gives a job. */
const activeMsMax = 5_400_000;
/** The workflow time after which a run that only waits is stopped: ten years. */
const untilDefaultMs = 10 * 365 * 86_400_000;
/** The longest `retryAfter` that the product honours. */
const retryAfterMsMax = 3_600_000;
/** An answer this near to the expiry of its pause may come before or after it in the product. */
const tieMs = 10_000;
/** A run is played for so long, in real time, before others of this process take their turn. */
const turnMs = 20;

const about = {
  executionId: 'exec_scenario',
  workspaceId: 'scenario',
  workflowId: 'scenario',
  version: 1,
  mode: 'async',
  trigger: 'scenario',
};

/** Plays a scenario until its run ends, or waits for an answer that the scenario does not contain. */
export const playScenario = (given: ScenarioRun): Promise<Played> => new Player(given).play();

/** A run in memory, on the engine of the product. Its clock stands still while the run works, and jumps to what is due next. */
class Player {
  private readonly timers = new Timers();
  private readonly played: PlayedRun;
  private readonly people: People;
  private readonly logged: LoggedRun;
  private nowMs = Date.now();
  private activeMs = 0;
  /** The calls that wait for their next attempt. */
  private readonly retrying = new Set<string>();
  private isStopped = false;

  constructor(private readonly given: ScenarioRun) {
    const { plan, scenario } = given;
    const { nowMs } = this;
    this.played = new PlayedRun(scenario);
    this.people = new People(scenario.people ?? []);
    const inputs = this.played.values.putInputs(checkRunInputs(plan, scenario.inputs ?? {}).inputs);
    this.logged = LoggedRun.open(plan, { inputs, run: buildFacts(about, nowMs), nowMs });
  }

  async play(): Promise<Played> {
    const { given, timers, logged } = this;
    const untilMs = this.nowMs + (durationMs(given.scenario.until) ?? untilDefaultMs);
    const beginMs = performance.now();
    let turnEndsMs = beginMs + turnMs;
    this.move({ kind: 'started' });
    while (!logged.run.done && !this.isStopped && (timers.nextMs ?? Infinity) <= untilMs) {
      if (performance.now() > turnEndsMs) {
        await breathe();
        turnEndsMs = performance.now() + turnMs;
      }
      if (given.signal?.aborted) this.stop('It was interrupted.');
      else if (performance.now() - beginMs > given.patienceMs)
        this.stop(`The run had not ended after ${given.patienceMs / 1000} s of real time and was stopped.`);
      else if (this.passTime(timers.nextMs ?? 0)) timers.take()?.act();
    }
    return this.played.toPlayed(logged);
  }

  /** Ends the play, because the scenario cannot be played as it is written. */
  private stop(why: string): void {
    this.played.problem(why);
    this.isStopped = true;
  }

  /** Lets the clock come to a moment. Returns false when the run has used up its active time before. */
  private passTime(atMs: number): boolean {
    const isWorking = [...this.retrying].some((path) => this.logged.run.isOpen(path));
    const passesMs = Math.max(0, atMs - this.nowMs);
    const leftMs = isWorking ? activeMsMax - this.activeMs : Infinity;
    this.nowMs += Math.min(passesMs, leftMs);
    if (isWorking) this.activeMs += passesMs;
    if (passesMs < leftMs) return true;
    this.move({ kind: 'overtime' });
    return false;
  }

  /** Applies an event and all that follows from it by computing, and begins the effects that the run then waits for. */
  private move(event: RunEvent): void {
    const { logged, played } = this;
    const { plan, run } = logged;
    const queue = [event];
    const begun: Effect[] = [];
    for (let next = queue.shift(); next; next = queue.shift()) {
      const step = logged.advance([next], this.nowMs);
      this.nowMs = Math.max(this.nowMs, step.atMs);
      for (const effect of step.begun)
        if (effect.kind === 'evaluate') queue.push(this.evaluate(effect));
        else begun.push(effect);
      for (const effect of step.begun) if (effect.kind === 'pause') played.open(effect);
      played.record(step);
    }
    if (canGoOn(plan, run)) this.timers.add(this.nowMs, () => this.move({ kind: 'continued' }));
    for (const effect of begun) if (run.isOpen(effect.visit.path)) this.begin(effect);
  }

  private begin(effect: Effect): void {
    const { path } = effect.visit;
    switch (effect.kind) {
      case 'activity':
        return this.due(this.nowMs, path, () => this.call(effect, 1));
      case 'child':
        return this.due(this.nowMs, path, () => this.runChild(effect));
      case 'wait':
        return this.due(effect.untilMs, path, () => this.move({ kind: 'succeeded', path, output: null }));
      case 'pause':
        return this.ask(effect);
      case 'evaluate':
        throw new Error('a block over stored values is rendered at once');
    }
  }

  /** Does the act at its moment, if the effect at the path is still open then. */
  private due(atMs: number, path: string, act: () => void): void {
    this.timers.add(atMs, () => {
      if (this.logged.run.isOpen(path)) act();
    });
  }

  /** Makes an attempt of a call. Its parameters are rendered, so that a fault in its templates is found. */
  private call(effect: ActivityEffect, attempt: number): void {
    const { visit, params, scope, retry } = effect;
    const { path } = visit;
    const { scenario } = this.given;
    this.retrying.delete(path);
    const names = { ...objectOf(this.played.values.resolve(scope)), secrets: scenario.secrets ?? {} };
    const rendered = renderCall(params, names);
    if ('params' in rendered) this.played.called({ ...visit, params: rendered.params });
    const { output = null, fail } =
      'params' in rendered ? this.played.takeAnswer('effects', visit) : rendered;
    if (!fail)
      return this.move({
        kind: 'succeeded',
        path,
        output: this.played.values.put(output),
        attempts: attempt,
      });
    const { retryable = true, retryAfter, ...failure } = fail;
    // No worker had room, so nothing was carried out. This does not count as an attempt.
    if (failure.code === 'WORKSPACE_BUSY')
      return this.due(this.nowMs, path, () => this.call(effect, attempt));
    if (!mayRetry(effect, { attempt, failure, about: { retryable } }))
      return this.move({ kind: 'failed', path, failure, attempts: attempt });
    const afterMs = Math.min(durationMs(retryAfter) ?? 0, retryAfterMsMax);
    const delayMs = Math.max(retry.initialDelayMs * retry.backoff ** (attempt - 1), afterMs);
    this.retrying.add(path);
    this.due(this.nowMs + delayMs, path, () => this.call(effect, attempt + 1));
  }

  private runChild({ visit, inputs }: ChildEffect): void {
    const { path } = visit;
    const { values } = this.played;
    this.played.called({ ...visit, params: objectOf(values.resolve(inputs)) });
    const { output = null, fail } = this.played.takeAnswer('children', visit);
    if (!fail) return this.move({ kind: 'succeeded', path, output: values.put(output), attempts: 1 });
    const { code, message } = fail;
    this.move({ kind: 'failed', path, failure: { code, message }, attempts: 1 });
  }

  /** Renders a block over stored values. */
  private evaluate({ type, params, scope, visit: { path } }: EvaluateEffect): RunEvent {
    const { values } = this.played;
    try {
      const result = evaluateBlock(type, params, objectOf(values.resolve(scope)));
      return { kind: 'evaluated', path, value: packRendered(type, result, (value) => values.put(value)) };
    } catch (error) {
      const failure = evaluationFailure(error);
      if (!failure) throw error;
      return { kind: 'failed', path, failure };
    }
  }

  /** Puts the question to the people of the scenario, and sets its reminders, its escalation and its deadline. */
  private ask(pause: PauseEffect): void {
    const { path } = pause.visit;
    const { expiresAtMs, asking } = pause;
    for (const person of this.people.findAnswering(pause)) {
      const comesAtMs = this.nowMs + (durationMs(person.after) ?? 0);
      if (expiresAtMs !== null && Math.abs(comesAtMs - expiresAtMs) < tieMs)
        this.played.problem(
          `The answer for "${path}" comes at the moment of its expiry; let it come earlier or later.`,
        );
      this.timers.add(comesAtMs, () => this.answer(pause, person));
    }
    for (const [atMs, occasion] of findOccasions(pause))
      this.due(atMs, path, () => {
        if (occasion === 'escalated' && asking?.approvals && asking.escalation)
          asking.approvals.assignees.push(...asking.escalation.to);
        this.played.note(this.nowMs, `people are told of ${path} again: ${occasion}`);
      });
    if (expiresAtMs !== null) this.due(expiresAtMs, path, () => this.move({ kind: 'expired', path }));
  }

  /** Takes the answer of a person. A refusal is noted and is no problem, because a scenario may test it. */
  private answer(pause: PauseEffect, person: ScenarioPerson): void {
    const { path } = pause.visit;
    const { answers: given, as = 'a person' } = person;
    const { answers, details } = checkAnswers(pause.form, given);
    if (details.length > 0) {
      const faults = details.map(({ path: field, message }) => `${field}: ${message}`).join(' ');
      return this.stop(`The answers for "${path}" do not fit its form. ${faults}`);
    }
    const { decided, refusal } = this.logged.run.isOpen(path)
      ? this.people.takeAnswer(pause, person, { answers, atMs: this.nowMs })
      : { refusal: `the pause is ${this.played.stateOf(path)} already` };
    if (refusal !== undefined)
      return this.played.note(this.nowMs, `the answer to ${path} was refused: ${refusal}`);
    this.played.note(this.nowMs, `${as} answers ${path}: ${JSON.stringify(given)}`);
    if (decided) this.move({ kind: 'answered', path, answers: decided });
  }
}

/** The parameters of a call with their values, or why they cannot be rendered. The code of a function is never a template. */
function renderCall(
  { code, ...templates }: JsonObject,
  names: JsonObject,
): { params: JsonObject; output?: undefined; fail?: undefined } | ScenarioAnswer {
  const fail = (failure: { code: string; message: string }) => ({ fail: { ...failure, retryable: false } });
  try {
    const unknown = missingSecret(templates, objectOf(names.secrets ?? null));
    if (unknown) return fail(unknown);
    const params = renderParams(templates, names, new Meter(costMax));
    return { params: code === undefined ? params : { ...params, code } };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return fail({ code: error.code, message: error.message });
  }
}
