import type { FieldSpec } from '../forms/fields.ts';

interface Input {
  type?: string;
  required?: boolean;
  default?: unknown;
  description?: string;
  min?: number;
  max?: number;
  minLength?: number;
  maxLength?: number;
  enum?: unknown[];
}

/** The fields of a form from the inputs that a definition declares. */
export function inputFields(definition: unknown): FieldSpec[] {
  const { start } = Object(definition) as { start?: { inputs?: Record<string, Input> } };
  return Object.entries(start?.inputs ?? {}).map(([name, { type = 'string', ...input }]) => ({
    name,
    label: name,
    type: isTextList(input.enum) ? 'select' : type,
    // An input with a default always has a value of its type, and only a text or JSON can be empty.
    required:
      input.default === undefined
        ? (input.required ?? false)
        : isTextList(input.enum) || (type !== 'string' && type !== 'json'),
    description: input.description,
    default: input.default,
    min: input.min,
    max: input.max,
    options: isTextList(input.enum) ? input.enum.map((value) => ({ label: value, value })) : undefined,
  }));
}

/** Returns a value for each input that a call must have, so that a copied call is accepted. */
export function exampleInputs(definition: unknown): Record<string, unknown> {
  const { start } = Object(definition) as { start?: { inputs?: Record<string, Input> } };
  const needed = Object.entries(start?.inputs ?? {}).filter(
    ([, input]) => input.required && input.default === undefined,
  );
  return Object.fromEntries(needed.map(([name, input]) => [name, buildExample(input)]));
}

function buildExample({
  type = 'string',
  enum: allowed,
  min,
  max = 0,
  minLength = 0,
  maxLength,
}: Input): unknown {
  if (allowed && allowed.length > 0) return allowed[0];
  if (type === 'number') return min ?? Math.min(0, max);
  if (type === 'string') return 'text'.padEnd(minLength, '.').slice(0, maxLength);
  const others: Record<string, unknown> = {
    boolean: false,
    array: [],
    object: {},
    json: {},
    date: '2026-01-31',
  };
  return others[type];
}

function isTextList(values: unknown): values is string[] {
  return Array.isArray(values) && values.every((value) => typeof value === 'string');
}
