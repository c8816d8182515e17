import { Invalid } from '#libs/platform/errors/errors';
import { findDefinition, type TagDefinition, type TagType, tagValue } from '../bases/tags.ts';

/** A condition on a tag of a document. All filters of a search must hold. */
export interface TagFilter {
  tagName: string;
  operator?: string;
  value: unknown;
  /** The upper end of `between`. */
  valueTo?: unknown;
}

export const tagFiltersMax = 20;

const ordered = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'between'];
const operators: Record<TagType, string[]> = {
  text: ['eq', 'neq', 'contains', 'not_contains', 'starts_with', 'ends_with'],
  number: ordered,
  date: ordered,
  boolean: ['eq', 'neq'],
};

export const tagOperators = [...new Set(Object.values(operators).flat())];

/**
 * The filters as an SQL condition on documents `d`. `add` takes each value as a parameter. A document without the tag has no equal value,
 * so `neq` and `not_contains` match it. No stored value can make a cast fail. Throws `Invalid` for unknown tags, operators and values.
 */
export function buildCondition(
  definitions: readonly TagDefinition[],
  filters: readonly TagFilter[],
  add: (value: unknown) => string,
): string {
  const conditions = filters.map((filter, i) => {
    const path = `tagFilters.${i}`;
    const { id, type } = findDefinition(definitions, filter.tagName, `${path}.tagName`);
    const operator = filter.operator ?? 'eq';
    if (!operators[type].includes(operator))
      throw Invalid.field(`${path}.operator`, `must be one of ${operators[type].join(', ')}`, 'enum');
    const values = [tagValue(type, filter.value, `${path}.value`)];
    if (operator === 'between') values.push(tagValue(type, filter.valueTo, `${path}.valueTo`));
    const key = add(id);
    return type === 'text'
      ? textCondition(operator, `d.tags ->> ${key}::text`, `${add(values[0])}::text`)
      : jsonCondition(
          operator,
          key,
          values.map((value) => add(JSON.stringify(value))),
        );
  });
  return conditions.length > 0 ? conditions.join(' and ') : 'true';
}

function textCondition(operator: string, tag: string, given: string): string {
  const [cell, value] = [fold(tag), fold(given)];
  switch (operator) {
    case 'eq':
      return `coalesce(${cell} = ${value}, false)`;
    case 'neq':
      return `coalesce(${cell} <> ${value}, true)`;
    case 'contains':
      return `coalesce(strpos(${cell}, ${value}) > 0, false)`;
    case 'not_contains':
      return `coalesce(strpos(${cell}, ${value}) = 0, true)`;
    case 'starts_with':
      return `coalesce(starts_with(${cell}, ${value}), false)`;
    default:
      return `coalesce(right(${cell}, length(${value})) = ${value}, false)`;
  }
}

/** SQL: the text in lower case. A final sigma is a sigma, because the upper case of both is one letter. */
const fold = (text: string) => `translate(lower(${text}), 'ς', 'σ')`;

const signs: Record<string, string> = { gt: '>', gte: '>=', lt: '<', lte: '<=' };

/** SQL for a number, a date or a boolean. Values compare as JSON. Dates compare as text, which is the order of time. */
function jsonCondition(operator: string, key: string, [value = '', to = '']: string[]): string {
  const cell = `(d.tags -> ${key}::text)`;
  // Compares dates as text with the collation "C", because JSON compares texts with the collation of the database.
  const by = (sign: string, with_: string) =>
    `coalesce(case jsonb_typeof(${cell}) when 'string' then (${cell} #>> '{}') collate "C" ${sign} (${with_}::jsonb #>> '{}') else ${cell} ${sign} ${with_}::jsonb end, false)`;
  if (operator === 'eq') return `coalesce(${cell} = ${value}::jsonb, false)`;
  if (operator === 'neq') return `coalesce(${cell} <> ${value}::jsonb, true)`;
  if (operator === 'between') return `(${by('>=', value)} and ${by('<=', to)})`;
  return by(signs[operator] ?? '=', value);
}
