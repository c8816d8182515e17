import { isObject, type Json, type JsonObject, objectOf } from '#libs/platform/json/json';
import type { SimBlock } from './sim-graph.ts';
import { listOf, parsedOf, textOf } from './values.ts';

/** A list that a field holds as it is or as JSON text. */
export const rowsOf = (value: Json | undefined): JsonObject[] => listOf(parsedOf(value)).filter(isObject);

/** The names and values of a table with two columns. */
export function pairsOf(value: Json | undefined): [string, Json][] {
  const parsed = parsedOf(value);
  if (isObject(parsed)) return Object.entries(parsed);
  return rowsOf(value)
    .map((row): [string, Json] => {
      const cells = objectOf(row['cells'] ?? row);
      return [textOf(cells['Key'] ?? cells['key']), cells['Value'] ?? cells['value'] ?? ''];
    })
    .filter(([key]) => key !== '');
}

/** A block as it is kept in a placeholder: each value under the name of its field, by which secrets are known. */
export function originalOf({ type, name, fields, data }: SimBlock): JsonObject {
  const kept = Object.entries(fields).map(([key, value]): [string, Json] => {
    const parsed = parsedOf(value) ?? value;
    const isTable = rowsOf(parsed).some(({ cells }) => cells !== undefined);
    return [key, isTable ? Object.fromEntries(pairsOf(parsed)) : parsed];
  });
  return { type, name, data, fields: Object.fromEntries(kept) };
}

/** The form of names in references: without regard to case, spaces and dots. */
export const keyOf = (name: string) => name.toLowerCase().replace(/[\s.]/g, '');

/** A model's answer that is to have a form; undefined when it is text. */
export function formatOf(value: Json | undefined): JsonObject | undefined {
  const parsed = objectOf(parsedOf(value));
  const schema = objectOf(parsed['schema'] ?? parsed);
  return Object.keys(schema).length > 0 ? schema : undefined;
}
