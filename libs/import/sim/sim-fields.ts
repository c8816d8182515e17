import { isObject, type Json, type JsonObject, objectOf } from '#libs/platform/json/json';
import type { SimBlock } from './sim-graph.ts';
import { toList, parseJsonText, toText } from '../values.ts';

/** A list that a field holds as it is or as JSON text. */
export const toRows = (value: Json | undefined): JsonObject[] =>
  toList(parseJsonText(value)).filter(isObject);

/** The names and values of a table with two columns. */
export function toPairs(value: Json | undefined): [string, Json][] {
  const parsed = parseJsonText(value);
  if (isObject(parsed)) return Object.entries(parsed);
  return toRows(value)
    .map((row): [string, Json] => {
      const cells = objectOf(row['cells'] ?? row);
      return [toText(cells['Key'] ?? cells['key']), cells['Value'] ?? cells['value'] ?? ''];
    })
    .filter(([key]) => key !== '');
}

/** A block as it is kept in a placeholder: each value under the name of its field, by which secrets are known. */
export function getOriginal({ type, name, fields, data }: SimBlock): JsonObject {
  const kept = Object.entries(fields).map(([key, value]): [string, Json] => {
    const parsed = parseJsonText(value) ?? value;
    const isTable = toRows(parsed).some(({ cells }) => cells !== undefined);
    return [key, isTable ? Object.fromEntries(toPairs(parsed)) : parsed];
  });
  return { type, name, data, fields: Object.fromEntries(kept) };
}

/** The form of names in references: without regard to case, spaces and dots. */
export const getKey = (name: string) => name.toLowerCase().replace(/[\s.]/g, '');

/** A model's answer that is to have a form; undefined when it is text. */
export function getFormat(value: Json | undefined): JsonObject | undefined {
  const parsed = objectOf(parseJsonText(value));
  const schema = objectOf(parsed['schema'] ?? parsed);
  return Object.keys(schema).length > 0 ? schema : undefined;
}
