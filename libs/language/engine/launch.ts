import { yearMs } from '#libs/language/definition/durations';
import { buildForm } from '#libs/language/definition/forms';
import type { PlanBlock } from '#libs/language/definition/plan';
import { isObject, isRef, type Json, type JsonObject } from '#libs/platform/json/json';

import type { Asking } from './asking.ts';
import type {
  ActivityEffect,
  ChildEffect,
  Effect,
  EvaluateEffect,
  Failure,
  PauseEffect,
  Scope,
  Visit,
  VisitEntry,
} from './effects.ts';

/**
 * Makes an effect block an activity. Its parameters stay templates, so that secrets are never rendered in workflow
 * code.
 */
export function buildActivity(
  block: PlanBlock,
  visit: Visit,
  type: ActivityEffect['type'],
  scope: Scope,
): ActivityEffect {
  const { name, params, timeoutMs, retry, answerIsRead } = block;
  if (timeoutMs === undefined || retry === undefined) throw new Error('the plan lacks time-out and retry');
  const effect = { kind: 'activity' as const, visit, type, name, params, scope, timeoutMs, retry };
  return answerIsRead ? { ...effect, answerIsRead } : effect;
}

/** Makes the effect of a pure block that is rendered outside of the workflow. */
export function buildEvaluateEffect({ type, params }: PlanBlock, visit: Visit, scope: Scope): EvaluateEffect {
  return { kind: 'evaluate', visit, type, params, scope };
}

/** Makes the child effect of a rendered workflow block. */
export function buildChild(
  { name }: PlanBlock,
  visit: Visit,
  { workflowId, inputs }: JsonObject,
): ChildEffect {
  return {
    kind: 'child',
    visit,
    name,
    workflowId: textOf(workflowId),
    inputs: isObject(inputs) ? inputs : {},
  };
}

/** Makes the pause of a rendered human block; its deadline counts from now. */
export function buildPause(
  block: PlanBlock,
  { visit, scopes }: Pick<PauseEffect, 'visit' | 'scopes'>,
  rendered: JsonObject,
  nowMs: number,
): PauseEffect {
  const { title, message, fields, form = [], metadata, asking, agentMayAnswer, expiresAfterMs } = rendered;
  if (isRef(fields) || isRef(form))
    throw new Error('the fields and the form of a pause cannot be stored values');
  return {
    kind: 'pause',
    visit,
    scopes,
    name: block.name,
    title: textOf(title),
    message: textOf(message),
    fields: Array.isArray(fields) ? fields.map(shownField) : [],
    form: buildForm(form),
    ...(isObject(metadata) ? { metadata } : {}),
    // `askingOf` made this value, so it has that type.
    ...(isObject(asking) ? { asking: asking as unknown as Asking } : {}),
    ...(agentMayAnswer === true ? { agentMayAnswer } : {}),
    openedAtMs: nowMs,
    expiresAtMs: typeof expiresAfterMs === 'number' ? nowMs + expiresAfterMs : null,
  };
}

/** The path of the question about a failed call. `path` is that of its visit, and `round` counts its questions from 1. */
export const buildQuestionPath = (path: string, round: number): string => `${path}!${round}`;

/** Returns the path of the visit that a pause is about: its own, or that of the failed call. */
export const toAskedPath = (path: string): string => path.replace(/!\d+$/, '');

/** Makes the pause that asks an operator what becomes of a failed call. It waits without an end. */
export function buildFailurePause(
  { name }: PlanBlock,
  about: Pick<PauseEffect, 'visit' | 'scopes'>,
  { failure, entry, nowMs }: { failure: Failure; entry: VisitEntry; nowMs: number },
): PauseEffect {
  return {
    kind: 'pause',
    ...about,
    name,
    title: `${name} has failed`,
    message: failure.message,
    fields: [
      { label: 'Code', value: failure.code },
      { label: 'Attempts', value: entry.attempts },
    ],
    form: [
      {
        name: 'action',
        type: 'select',
        label: 'What now',
        required: true,
        options: [
          { label: 'Try it again', value: 'retry' },
          { label: 'Go on with the output below', value: 'skip' },
          { label: 'Let it fail', value: 'fail' },
        ],
      },
      {
        name: 'output',
        type: 'json',
        label: 'Output',
        description: 'What the block shall have returned; only to go on with it.',
        required: false,
      },
      {
        name: 'input',
        type: 'json',
        label: 'Other parameters',
        description:
          'Values in place of parameters of the block, only to try it again; null takes one away. It needs the permission to write the workflow.',
        required: false,
      },
    ],
    openedAtMs: nowMs,
    expiresAtMs: null,
  };
}

/** The answers of a pause that expired: the default of each field, or null. */
export function buildDefaultAnswers(effect: Effect): JsonObject {
  if (effect.kind !== 'pause') return {};
  return Object.fromEntries(effect.form.map((field) => [field.name, field.default ?? null]));
}

/** The end of a wait, from its rendered parameters; undefined when it is more than a year away. */
export function computeEnd({ durationMs, untilMs }: JsonObject, nowMs: number): number | undefined {
  const end = typeof durationMs === 'number' ? nowMs + durationMs : untilMs;
  return typeof end === 'number' && end <= nowMs + yearMs ? end : undefined;
}

/** The output of a wait. */
export function waited(untilMs: number): JsonObject {
  return { waitedUntil: new Date(untilMs).toISOString() };
}

function shownField(field: Json): PauseEffect['fields'][number] {
  const { label, value = null, format } = isObject(field) ? field : {};
  return { label: textOf(label), value, ...(typeof format === 'string' ? { format } : {}) };
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
