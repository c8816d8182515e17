import { sources } from '#libs/language/definition/expressions/expressions';
import { checkInput, undeclaredInputs } from '#libs/language/definition/inputs';
import type { StartInput } from '#libs/language/definition/definition';
import { at } from '#libs/language/definition/shapes/shape';
import { isOfType } from '#libs/language/definition/types';
import type { Detail } from '#libs/platform/errors/errors';
import type { Json } from '#libs/platform/json/json';
import type { Trigger } from './trigger.entity.ts';

/** How the inputs of a trigger fit those of its workflow. */
export interface InputFit {
  /** What no event can make right. */
  faults: Detail[];
  /** What is likely a mistake, a sentence each. */
  warnings: string[];
}

export type DeclaredInputs = Readonly<Record<string, StartInput>>;

/** Compares what a trigger gives with what a workflow declares. Nothing is said of a value that the event decides. */
export function compareInputs(
  { inputs, schedule, form }: Partial<Pick<Trigger, 'inputs' | 'schedule' | 'form'>>,
  declared: DeclaredInputs,
): InputFit {
  const given = inputs ?? listGiven({ schedule, form });
  if (given === null) return { faults: [], warnings: [] };
  const place = inputs || !form ? 'inputs' : 'form.fields';
  const faults = Object.entries(declared).flatMap(([name, input]) => {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value !== undefined && (value !== null || input.type === 'json'))
      return inputs ? checkGiven(value, input, at('inputs', name)) : [];
    if (!input.required || input.default !== undefined) return [];
    const path = inputs ? at('inputs', name) : place;
    return [
      { path, code: 'required', message: `The workflow requires the input "${name}", and nothing gives it.` },
    ];
  });
  return { faults, warnings: inputs ? undeclaredInputs(declared, inputs) : [] };
}

/** Returns the names that a trigger without a template gives, with any value; null when the event decides them. */
function listGiven({
  schedule,
  form,
}: Partial<Pick<Trigger, 'schedule' | 'form'>>): Record<string, Json> | null {
  if (schedule) return { scheduledAt: '' };
  if (!form?.fields) return null;
  return Object.fromEntries(form.fields.map(({ name }) => [name, '']));
}

/** Returns the faults of a value that is certain, or of what is certain of a template: its type. */
function checkGiven(value: Json, input: StartInput, path: string): Detail[] {
  if (sources(value).length === 0) return checkInput(value, input, path);
  if (typeof value === 'string') {
    const isText = !/^\{\{.*\}\}$/s.test(value) || sources(value).length > 1;
    return isText && ['number', 'boolean', 'object', 'array'].includes(input.type)
      ? [{ path, code: 'type', message: `It is always a text, and the workflow takes a ${input.type}.` }]
      : [];
  }
  const { type } = input;
  return isOfType(value, type) ? [] : checkInput(value, { type }, path);
}
