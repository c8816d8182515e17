import type { Schemas } from '../api/client.ts';

type TagKind = Schemas['TagView']['type'];
type TagOperator = NonNullable<Schemas['TagFilterBody']['operator']>;

export const tagOperators: Record<TagKind, TagOperator[]> = {
  text: ['eq', 'neq', 'contains', 'not_contains', 'starts_with', 'ends_with'],
  number: ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'between'],
  date: ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'between'],
  boolean: ['eq', 'neq'],
};

/** The filter as it stands in the address: name, operator, value and the end of a range. */
export type TagWish = [name: string, operator: string, value: string, valueTo: string];

export function readTagWish(text: string): TagWish {
  try {
    const list: unknown = JSON.parse(text || '[]');
    const parts = Array.isArray(list) ? list.map(String) : [];
    return [parts[0] ?? '', parts[1] ?? 'eq', parts[2] ?? '', parts[3] ?? ''];
  } catch {
    return ['', 'eq', '', ''];
  }
}

/** The filter of the API; undefined while a part of it is missing. */
export function readTagFilter(
  text: string,
  tags: Schemas['TagView'][],
): Schemas['TagFilterBody'] | undefined {
  const [tagName, operator, value, valueTo] = readTagWish(text);
  const tag = tags.find(({ name }) => name === tagName);
  if (!tag || value === '') return undefined;
  const known = tagOperators[tag.type].find((one) => one === operator) ?? 'eq';
  if (known === 'between' && valueTo === '') return undefined;
  return {
    tagName,
    operator: known,
    value: parseValue(value, tag.type),
    ...(known === 'between' ? { valueTo: parseValue(valueTo, tag.type) } : {}),
  };
}

function parseValue(text: string, type: TagKind): string | number | boolean {
  if (type === 'number') return Number(text);
  return type === 'boolean' ? text === 'true' : text;
}
