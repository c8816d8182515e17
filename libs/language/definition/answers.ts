import type { Detail } from '#libs/platform/errors/errors';

import type { FormField } from './forms.ts';
import { countCharacters } from '#libs/platform/text/characters';
import { holdsRef, type Json, type JsonObject } from '#libs/platform/json/json';

import { momentMs } from './durations.ts';
import { screen } from './checks/screen.ts';
import { at } from './shapes/shape.ts';

/**
 * Names that no form field may have: the output of a pause and the body of a resume have members of these names
 * beside the answers, or the name would reach a prototype.
 */
export const reservedFieldNames =
  'response url submission error resumeInput submittedAt input async votes __proto__ constructor prototype toString valueOf hasOwnProperty'.split(
    ' ',
  );

export interface CheckedAnswers {
  /** Every field of the form: its answer, its default when it was left out, or null. */
  answers: JsonObject;
  details: Detail[];
}

/**
 * Checks a person's answers against the form: required, type, options, bounds, and no other members than the fields
 * of the form. Every fault is reported, with the path `input.<name>`; the answers are complete only when there is
 * none.
 */
export function checkAnswers(form: FormField[], input: JsonObject): CheckedAnswers {
  const { details, sound } = screen(input, 'input');
  if (!sound) return { answers: {}, details };
  const names = new Set(form.map(({ name }) => name));
  for (const name of Object.keys(input))
    if (!names.has(name))
      details.push({ path: at('input', name), code: 'unknown_key', message: 'The form has no such field.' });
  const answers = form.map((field): [string, Json] => {
    const given = Object.hasOwn(input, field.name) ? input[field.name] : undefined;
    const answer =
      given === undefined ? (field.default ?? null) : isEmpty(given, field) ? emptied(field) : given;
    if (answer !== null) details.push(...checkAnswer(answer, field, at('input', field.name)));
    else if (field.required)
      details.push({ path: at('input', field.name), code: 'required', message: 'It is required.' });
    return [field.name, answer];
  });
  return { answers: Object.fromEntries(answers), details };
}

/** The faults of one answer. There is no `pattern`: a user's regular expression can stop the process. */
export function checkAnswer(answer: Json, field: FormField, path: string): Detail[] {
  const fault = (code: string, message: string): Detail[] => [{ path, code, message }];
  // The run would take such an answer for a stored value, and read a payload of the person's choice.
  if (holdsRef(answer)) return fault('forbidden_key', 'It cannot hold an object with the member $payload.');
  switch (field.type) {
    case 'string':
    case 'text':
      if (typeof answer !== 'string') return fault('type', 'It must be text.');
      return bounds(countCharacters(answer), field, path, ' characters');
    case 'number':
      if (typeof answer !== 'number') return fault('type', 'It must be a number.');
      return bounds(answer, field, path, '');
    case 'boolean':
      return typeof answer === 'boolean' ? [] : fault('type', 'It must be true or false.');
    case 'date':
      return momentMs(answer) === undefined ? fault('type', 'It must be an ISO 8601 date or date-time.') : [];
    case 'select':
      return isOption(answer, field) ? [] : fault('option', `It must be one of ${optionsOf(field)}.`);
    case 'multiselect':
      if (!Array.isArray(answer)) return fault('type', 'It must be a list.');
      if (!answer.every((member) => isOption(member, field)) || new Set(answer).size < answer.length)
        return fault('option', `Its members must be different ones of ${optionsOf(field)}.`);
      return bounds(answer.length, field, path, ' members');
    case 'file':
      return isFile(answer) ? [] : fault('type', 'It must be the URL or the description of a file.');
    case 'json':
      return [];
  }
}

function bounds(size: number, { min, max }: FormField, path: string, unit: string): Detail[] {
  if (min !== undefined && size < min)
    return [{ path, code: 'min', message: `It must be at least ${min}${unit}.` }];
  if (max !== undefined && size > max)
    return [{ path, code: 'max', message: `It must be at most ${max}${unit}.` }];
  return [];
}

/** True for the empty text that a form sends for a field that was not filled in. */
function isEmpty(answer: Json, { type }: FormField): boolean {
  if (answer === null) return true;
  if (Array.isArray(answer)) return type === 'multiselect' && answer.length === 0;
  return answer === '' && type !== 'json' && type !== 'number' && type !== 'boolean';
}

/** The answer of a person who has emptied a field. A text or a list with a default keeps its type. */
function emptied({ type, required, default: start }: FormField): Json {
  if (required || start === undefined || start === null) return null;
  return type === 'multiselect' ? [] : type === 'string' || type === 'text' ? '' : null;
}

function isOption(answer: Json, { options = [] }: FormField): boolean {
  return options.some(({ value }) => value === answer);
}

function optionsOf({ options = [] }: FormField): string {
  return options.map(({ value }) => JSON.stringify(value)).join(', ');
}

function isFile(answer: Json): boolean {
  if (typeof answer === 'string') return answer.length > 0;
  return typeof answer === 'object' && answer !== null && !Array.isArray(answer);
}
