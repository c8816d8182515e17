import type { Plan, ScriptedAnswer } from '#libs/language/definition/plan';
import type { ActivityEffect, ChildEffect, Effect } from './effects.ts';
import { mayRetry } from './effects.ts';
import type { Run } from './run.ts';
import type { RunEvent } from './run-events.ts';

/** An effect that the script of a test answers. */
type Scripted = ActivityEffect | ChildEffect;

/** True for an effect that nobody carries out, because the plan has a script. */
export const isScripted = ({ script }: Plan, { kind }: Effect): boolean =>
  script !== undefined && (kind === 'activity' || kind === 'child');

/** The name under which a script answers a visit: its path, or else its block. */
export function findScriptKey({ script }: Plan, { kind, visit }: Effect): string {
  const given = (kind === 'child' ? script?.children : script?.effects) ?? {};
  return Object.hasOwn(given, visit.path) ? visit.path : visit.blockId;
}

/** True when an effect is open that only the script ends. */
export const hasScripted = (plan: Plan, run: Run): boolean =>
  plan.script !== undefined && !run.done && run.openEffects.some((effect) => isScripted(plan, effect));

/** The end that the script gives to the first open effect; undefined when none is open. All attempts are made at once. */
export function answerByScript(plan: Plan, run: Run): RunEvent | undefined {
  const { script } = plan;
  const effect = run.openEffects.find((one): one is Scripted => isScripted(plan, one));
  if (!script || !effect) return undefined;
  const { path, blockId } = effect.visit;
  const key = findScriptKey(plan, effect);
  const kind = effect.kind === 'child' ? 'children' : 'effects';
  const answers = Object.hasOwn(script[kind], key) ? (script[kind][key] ?? []) : [];
  const used = run.countScripted(key);
  for (let attempt = 1; ; attempt++) {
    const { output = null, fail } =
      answers[Math.min(used + attempt, answers.length) - 1] ?? buildMissingAnswer(kind, blockId);
    if (!fail) return { kind: 'succeeded', path, output, attempts: attempt };
    const { retryable = true, ...failure } = fail;
    const isOver = effect.kind === 'child' || !mayRetry(effect, { attempt, failure, about: { retryable } });
    if (isOver) return { kind: 'failed', path, failure, attempts: attempt };
  }
}

/** Returns the answer to a call for which a scenario has none: the block fails. */
export const buildMissingAnswer = (
  kind: 'effects' | 'children',
  blockId: string,
): ScriptedAnswer & Required<Pick<ScriptedAnswer, 'fail'>> => ({
  fail: {
    code: 'SCENARIO_ANSWER_MISSING',
    message: `"${blockId}" was called and the scenario has no answer for it: give one under ${kind}.${blockId}.`,
    retryable: false,
  },
});
