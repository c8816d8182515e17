import { countCharacters } from '#libs/platform/text/characters';
import { Invalid } from '#libs/platform/errors/errors';
import { newId } from '#libs/platform/ids/ids';

export const tagTypes = ['text', 'number', 'date', 'boolean'] as const;
export type TagType = (typeof tagTypes)[number];

/** A tag that documents of a base may have. Documents store its value by its id, so a tag can be renamed. */
export interface TagDefinition {
  id: string;
  name: string;
  type: TagType;
}

/** A wanted definition. With the id of an existing tag it renames this tag. */
export type TagInput = Omit<TagDefinition, 'id'> & { id?: string };

export const tagsMax = 17;
export type TagValue = string | number | boolean;

/** The definitions after the change, and the ids of removed tags. Throws `Invalid` for an unknown id, a changed type or a repeated name. */
export function changedTags(
  now: readonly TagDefinition[],
  wished: readonly TagInput[],
): { tags: TagDefinition[]; gone: string[] } {
  const tags = wished.map(({ id, name, type }, i): TagDefinition => {
    const known = now.find((one) => (id === undefined ? sameName(one.name, name) : one.id === id));
    if (id !== undefined && !known) throw Invalid.field(`tags.${i}.id`, 'is no tag of this base', 'unknown');
    if (known && known.type !== type)
      throw Invalid.field(`tags.${i}.type`, `is ${known.type} and cannot be changed`, 'type');
    return { id: known?.id ?? newId('tag'), name, type };
  });
  for (const [i, { name }] of tags.entries())
    if (tags.some((other, j) => j < i && sameName(other.name, name)))
      throw Invalid.field(`tags.${i}.name`, 'is the name of another tag', 'duplicate');
  return { tags, gone: now.map(({ id }) => id).filter((id) => !tags.some((one) => one.id === id)) };
}

/** Maps values by tag name to values by tag id, as they are stored. Null removes a value. Throws `Invalid` for unknown tags and wrong values. */
export function storedTags(
  definitions: readonly TagDefinition[],
  given: Record<string, unknown>,
): Record<string, TagValue | null> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const tag = findDefinition(definitions, name, `tags.${name}`);
      return [tag.id, value === null ? null : tagValue(tag.type, value, `tags.${name}`)];
    }),
  );
}

/** Maps stored values by tag id to values by tag name. */
export function tagsToShow(
  definitions: readonly TagDefinition[],
  stored: Record<string, TagValue>,
): Record<string, TagValue> {
  return Object.fromEntries(
    definitions.flatMap(({ id, name }) => (stored[id] === undefined ? [] : [[name, stored[id]]])),
  );
}

export function findDefinition(
  definitions: readonly TagDefinition[],
  name: string,
  path: string,
): TagDefinition {
  const tag = definitions.find((one) => sameName(one.name, name));
  if (!tag) throw Invalid.field(path, 'is no tag of this base', 'unknown');
  return tag;
}

/** The value in its stored form. A number or a boolean may be given as text. Throws `Invalid` for a value of another type. */
export function tagValue(type: TagType, value: unknown, path: string): TagValue {
  if (type === 'text' && typeof value === 'string' && countCharacters(value) <= 1000) return value;
  if (type === 'boolean' && typeof value === 'boolean') return value;
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  if (type === 'number') {
    const number =
      typeof value === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : value;
    if (typeof number === 'number' && Number.isFinite(number)) return number;
  }
  if (type === 'date' && typeof value === 'string' && isDay(value)) return value;
  throw Invalid.field(path, wanted[type], 'type');
}

const wanted: Record<TagType, string> = {
  text: 'must be text of at most 1,000 characters',
  number: 'must be a number',
  date: 'must be a date like 2026-01-31',
  boolean: 'must be true or false',
};

function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

function sameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
