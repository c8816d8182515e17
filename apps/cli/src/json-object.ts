import { UsageError } from './exit.ts';

export type PlainObject = Record<string, unknown>;

export const isObject = (value: unknown): value is PlainObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value where it is an object, else an empty one. */
export const objectOf = (value: unknown): PlainObject => (isObject(value) ? value : {});

/** The object that a text holds as JSON. Throws UsageError with the name of the text where it holds none. */
export function parseObject(text: string, name: string): PlainObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${name} is no JSON: ${String(error)}`);
  }
  if (!isObject(value)) throw new UsageError(`${name} must hold a JSON object.`);
  return value;
}
