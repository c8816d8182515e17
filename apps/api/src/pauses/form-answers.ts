import type { FormField } from '#libs/language/definition/forms';
import type { Json, JsonObject } from '#libs/platform/json/json';
import { parseDecimal } from '#libs/platform/json/number-text';
import { Invalid, type Detail } from '#libs/platform/errors/errors';
import type { Form } from '../http/form-body.ts';
import { parseJsonBody } from '../http/json-body.ts';

/** The answers of a form, and the faults of the parts that could not be read. */
export interface ReadAnswers {
  answers: JsonObject;
  details: Detail[];
}

/**
 * Reads the answers of a posted form. An empty field is null. A browser sends nothing for a list without a ticked box, so that is an empty one.
 * A value that does not parse as its type stays text, which `checkAnswers` then refuses. Only JSON is refused here, because text would be a valid answer to a JSON field.
 */
export function parseAnswers(fields: FormField[], form: Form): ReadAnswers {
  const answers: JsonObject = {};
  const details: Detail[] = [];
  for (const field of fields) {
    const values = form.get(field.name) ?? [];
    try {
      const answer = parseAnswer(field, values);
      if (answer !== undefined) answers[field.name] = answer;
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      details.push({ path: `input.${field.name}`, code: 'json', message: 'It must be well-formed JSON.' });
    }
  }
  return { answers, details };
}

function parseAnswer({ type, default: start }: FormField, values: readonly string[]): Json | undefined {
  if (type === 'multiselect') return [...values];
  const [text] = values;
  // The page cannot show a file that is the default, so nobody has emptied it.
  if (text === undefined || (text === '' && type === 'file' && typeof start !== 'string')) return undefined;
  if (text.trim() === '' && type !== 'string' && type !== 'text') return null;
  switch (type) {
    case 'number':
      return parseDecimal(text.trim()) ?? text;
    case 'boolean':
      return text === 'true' || (text === 'false' ? false : text);
    case 'json':
      return parseJsonBody(Buffer.from(text)) as Json;
    case 'file':
      return text.trim();
    default:
      return text;
  }
}

/** The first state of a form, with the defaults. */
export function buildDefaults(fields: FormField[]): Form {
  return new Map(fields.map((field) => [field.name, toTexts(field)]));
}

function toTexts({ type, default: value }: FormField): string[] {
  if (value === undefined || value === null) return [];
  if (type === 'multiselect' && Array.isArray(value)) return value.map(String);
  // A file description is no text. When the field is left empty, it keeps this default.
  if (type === 'file' && typeof value !== 'string') return [];
  return [typeof value === 'string' && type !== 'json' ? value : JSON.stringify(value, null, 2)];
}
