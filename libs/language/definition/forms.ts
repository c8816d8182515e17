import { fieldTypes } from './definition.ts';
import { isObject, type Json, type JsonObject } from '#libs/platform/json/json';

export type FieldType = (typeof fieldTypes)[number];

/** One field of the form that a paused run shows. */
export interface FormField {
  name: string;
  type: FieldType;
  label: string;
  description?: string;
  placeholder?: string;
  required: boolean;
  options?: { label: string; value: string }[];
  default?: Json;
  min?: number;
  max?: number;
  pattern?: string;
}

/**
 * The form of a pause, from its rendered parameters: with labels, and with texts where templates gave other values.
 * Names, types and options stay as `validate` passed them.
 */
export function buildForm(form: Json): FormField[] {
  return Array.isArray(form) ? form.map((field) => fieldOf(isObject(field) ? field : {})) : [];
}

function fieldOf(written: JsonObject): FormField {
  const { description, placeholder, options, min, max } = written;
  return {
    name: textOf(written.name),
    type: fieldTypes.find((type) => type === written.type) ?? 'string',
    label: textOf(written.label) || textOf(written.name),
    required: written.required === true,
    ...(description === undefined ? {} : { description: textOf(description) }),
    ...(placeholder === undefined ? {} : { placeholder: textOf(placeholder) }),
    ...(Array.isArray(options) ? { options: options.map(optionOf) } : {}),
    ...(written.default === undefined ? {} : { default: written.default }),
    ...(typeof min === 'number' ? { min } : {}),
    ...(typeof max === 'number' ? { max } : {}),
  };
}

/** Reads an option, which may be written as its value alone. */
function optionOf(option: Json): { label: string; value: string } {
  if (!isObject(option)) return { label: textOf(option), value: textOf(option) };
  const value = textOf(option.value);
  return { label: textOf(option.label) || value, value };
}

function textOf(value: Json | undefined): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
