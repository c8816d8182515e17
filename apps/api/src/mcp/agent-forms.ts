import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import type { FormField } from '#libs/language/definition/forms';
import type { PausePoint } from '#libs/runs/pauses/pause.entity';

type FormSchema = ElicitRequestFormParams['requestedSchema'];
type FieldSchema = FormSchema['properties'][string];

/**
 * The form of a pause for a client that asks its user itself. Null unless the author lets an agent answer, the pause
 * needs no votes, and every field fits into such a form.
 */
export function agentForm({ display, asking, form }: PausePoint): FormSchema | null {
  if (display.agentMayAnswer !== true || asking?.approvals) return null;
  const fields = form.map((field) => [field.name, toFieldSchema(field)] as const);
  if (fields.length === 0 || fields.some(([, schema]) => schema === null)) return null;
  const schemas = fields.filter((field): field is [string, FieldSchema] => field[1] !== null);
  return {
    type: 'object',
    properties: Object.fromEntries(schemas),
    required: form.filter((field) => field.required).map(({ name }) => name),
  };
}

/** Null for a field that is not flat: a file, or any JSON. */
function toFieldSchema(field: FormField): FieldSchema | null {
  const { label: title, description, min, max, default: defaultValue } = field;
  const about = { title, ...(description === undefined ? {} : { description }) };
  const options = (field.options ?? []).map(({ value, label }) => ({ const: value, title: label }));
  switch (field.type) {
    case 'string':
    case 'text':
      return {
        ...about,
        type: 'string',
        ...(min === undefined ? {} : { minLength: min }),
        ...(max === undefined ? {} : { maxLength: max }),
        ...(typeof defaultValue === 'string' ? { default: defaultValue } : {}),
      };
    case 'date':
      return { ...about, type: 'string', description: description ?? 'An ISO 8601 date or date-time.' };
    case 'number':
      return {
        ...about,
        type: 'number',
        ...(min === undefined ? {} : { minimum: min }),
        ...(max === undefined ? {} : { maximum: max }),
        ...(typeof defaultValue === 'number' ? { default: defaultValue } : {}),
      };
    case 'boolean':
      return {
        ...about,
        type: 'boolean',
        ...(typeof defaultValue === 'boolean' ? { default: defaultValue } : {}),
      };
    case 'select':
      return {
        ...about,
        type: 'string',
        oneOf: options,
        ...(typeof defaultValue === 'string' ? { default: defaultValue } : {}),
      };
    case 'multiselect':
      return { ...about, type: 'array', items: { anyOf: options } };
    default:
      return null;
  }
}
