import type { Detail } from '#libs/platform/errors/errors';

import { cutText } from '#libs/platform/text/whole-text';
import type { StartInput } from './definition.ts';
import { isObject, type Json, type JsonObject } from '#libs/platform/json/json';

import { canonicalJson } from '#libs/platform/json/canonical';
import { countCharacters } from '#libs/platform/text/characters';
import { screen } from './checks/screen.ts';
import type { Plan } from './plan.ts';
import { at } from './shapes/shape.ts';
import { isOfType } from './types.ts';

export interface CheckedInputs {
  /** The inputs with defaults filled in; undeclared ones are kept. */
  inputs: JsonObject;
  details: Detail[];
}

/**
 * Checks what a caller sends against the declared inputs. Null counts as not given, but for `json`. Every fault is
 * reported, with the path `inputs.<name>`.
 */
export function checkInputs(declared: Record<string, StartInput>, inputs: JsonObject): CheckedInputs {
  const { details, sound } = screen(inputs, 'inputs');
  if (!sound) return { inputs, details };
  const complete: [string, Json][] = Object.entries(inputs);
  for (const [name, input] of Object.entries(declared)) {
    const value = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
    const given = value !== undefined && (value !== null || input.type === 'json');
    if (!given && input.default !== undefined) complete.push([name, input.default]);
    else if (!given && input.required)
      details.push({ path: at('inputs', name), code: 'required', message: 'It is required.' });
    else if (given) details.push(...checkInput(value, input, at('inputs', name)));
  }
  return { inputs: Object.fromEntries(complete), details };
}

/** The inputs of a run whose workflow batches: those of each start, in the order of arrival. */
export const batchInput = 'batch';

/** Returns the inputs of a run for those of one start, with which others may be batched. */
export function toRunInputs({ flow }: Pick<Plan, 'flow'>, inputs: JsonObject): JsonObject {
  return flow?.batch ? { [batchInput]: [inputs] } : inputs;
}

/** Checks the inputs of a run, which may be a batch. */
export function checkRunInputs(plan: Pick<Plan, 'flow' | 'inputs'>, inputs: JsonObject): CheckedInputs {
  const starts = inputs[batchInput];
  if (!plan.flow?.batch || !Array.isArray(starts)) {
    const { inputs: checked, details } = checkInputs(plan.inputs, inputs);
    return { inputs: toRunInputs(plan, checked), details };
  }
  const each = starts.map((start) => checkInputs(plan.inputs, isObject(start) ? start : {}));
  const place = at('inputs', batchInput);
  return {
    inputs: { [batchInput]: each.map((one) => one.inputs) },
    details: each.flatMap(({ details }, n) =>
      details.map((detail) => ({ ...detail, path: detail.path.replace(/^inputs/, at(place, n)) })),
    ),
  };
}

/** At most so many warnings about inputs; a body may hold very many names. */
const warningsMax = 20;

/** A warning for each input that a workflow with declared inputs does not declare: it is kept, and nothing checks it. */
export function undeclaredInputs(declared: Record<string, StartInput>, inputs: JsonObject): string[] {
  const known = Object.keys(declared);
  if (known.length === 0) return [];
  const others = Object.keys(inputs).filter((name) => !Object.hasOwn(declared, name));
  const warnings = others
    .slice(0, warningsMax)
    .map(
      (name) =>
        `The input "${cutText(name, 100)}" is not declared, so nothing checks it; declared are ${known.slice(0, warningsMax).join(', ')}.`,
    );
  return others.length > warningsMax
    ? [...warnings, `There are ${others.length - warningsMax} more.`]
    : warnings;
}

/** The faults of one value of a declared input. */
export function checkInput(value: Json, input: StartInput, path: string): Detail[] {
  const { type, min, max, minLength, maxLength } = input;
  const fault = (code: string, message: string): Detail => ({ path, code, message });
  if (!isOfType(value, type)) return [fault('type', `It must be ${withArticle(type)}.`)];
  const details: Detail[] = [];
  if (typeof value === 'number') {
    if (min !== undefined && value < min) details.push(fault('min', `It must be at least ${min}.`));
    if (max !== undefined && value > max) details.push(fault('max', `It must be at most ${max}.`));
  }
  if (typeof value === 'string' || Array.isArray(value)) {
    const unit = Array.isArray(value) ? 'members' : 'characters';
    const size = Array.isArray(value) ? value.length : countCharacters(value);
    if (minLength !== undefined && size < minLength)
      details.push(fault('min_length', `It must have at least ${minLength} ${unit}.`));
    if (maxLength !== undefined && size > maxLength)
      details.push(fault('max_length', `It must have at most ${maxLength} ${unit}.`));
  }
  if (input.enum && !input.enum.some((option) => canonicalJson(option) === canonicalJson(value)))
    details.push(fault('enum', `It must be one of ${input.enum.map((o) => JSON.stringify(o)).join(', ')}.`));
  return details;
}

function withArticle(type: string): string {
  if (type === 'date') return 'an ISO 8601 date or date-time';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
