import type { FieldSpec } from '../forms/fields.ts';

interface Input {
  type?: string;
  required?: boolean;
  default?: unknown;
  description?: string;
  min?: number;
  max?: number;
  enum?: unknown[];
}

/** The fields of a form from the inputs that a definition declares. */
export function inputFields(definition: unknown): FieldSpec[] {
  const { start } = Object(definition) as { start?: { inputs?: Record<string, Input> } };
  return Object.entries(start?.inputs ?? {}).map(([name, input]) => ({
    name,
    label: name,
    type: isTextList(input.enum) ? 'select' : (input.type ?? 'string'),
    required: input.required ?? false,
    description: input.description,
    default: input.default,
    min: input.min,
    max: input.max,
    options: isTextList(input.enum) ? input.enum.map((value) => ({ label: value, value })) : undefined,
  }));
}

function isTextList(values: unknown): values is string[] {
  return Array.isArray(values) && values.every((value) => typeof value === 'string');
}
