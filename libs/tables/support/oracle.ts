import {
  ExactNumber,
  type ExactObject,
  type ExactValue,
  isExactObject,
} from '#libs/platform/json/exact-json';

/** A simple implementation of filters and sorts in JavaScript. Tests compare the results of the SQL statements with it. */

export const types: Record<string, string> = {
  s: 'string',
  t: 'string',
  n: 'number',
  b: 'boolean',
  d: 'date',
  j: 'json',
};

export function matches(row: ExactObject, filter: ExactObject): boolean {
  return Object.entries(filter).every(([name, condition]) => {
    if (name === '$and') return list(condition).every((one) => matches(row, one));
    if (name === '$or') return list(condition).some((one) => matches(row, one));
    if (name === '$not') return !matches(row, condition as ExactObject);
    return holds(row[name] ?? null, name, condition);
  });
}

function list(value: ExactValue | undefined): ExactObject[] {
  return value as ExactObject[];
}

function holds(cell: ExactValue, name: string, condition: ExactValue): boolean {
  const operators =
    isExactObject(condition) &&
    Object.keys(condition).every((key) => key.startsWith('$')) &&
    Object.keys(condition).length > 0;
  if (!operators) return equal(cell, condition);
  return Object.entries(condition).every(([operator, operand]) => operate(cell, name, operator, operand));
}

function operate(cell: ExactValue, name: string, operator: string, operand: ExactValue): boolean {
  const text = typeof cell === 'string' ? cell : null;
  const has = (test: (value: string, wanted: string) => boolean) =>
    text !== null && test(lower(text), lower(String(operand)));
  switch (operator) {
    case '$eq':
      return equal(cell, operand);
    case '$ne':
      return !equal(cell, operand);
    case '$in':
      return (operand as ExactValue[]).some((one) => equal(cell, one));
    case '$nin':
      return !(operand as ExactValue[]).some((one) => equal(cell, one));
    case '$gt':
      return cell !== null && compare(cell, operand) > 0;
    case '$gte':
      return cell !== null && compare(cell, operand) >= 0;
    case '$lt':
      return cell !== null && compare(cell, operand) < 0;
    case '$lte':
      return cell !== null && compare(cell, operand) <= 0;
    case '$contains':
      return has((value, wanted) => value.includes(wanted));
    case '$ncontains':
      return !has((value, wanted) => value.includes(wanted));
    case '$startsWith':
      return has((value, wanted) => value.startsWith(wanted));
    case '$endsWith':
      return has((value, wanted) => value.endsWith(wanted));
    case '$like':
      return text !== null && like(text, String(operand));
    case '$nlike':
      return !(text !== null && like(text, String(operand)));
    case '$ilike':
      return has(like);
    case '$nilike':
      return !has(like);
    case '$empty':
      return (cell === null || cell === '') === operand;
    case '$isNull':
      return (cell === null) === operand;
    case '$isNotNull':
    case '$exists':
      return (cell !== null) === operand;
    case '$not':
      return !holds(cell, name, operand);
    default:
      throw new Error(`no such operator: ${operator}`);
  }
}

/** True when the text matches the pattern, in which `*` stands for any text. It uses no regular expression, so no character is special. */
function like(text: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (!text.startsWith(first)) return false;
  let place = first.length;
  if (rest.length === 0) return text === first;
  const last = rest.pop() ?? '';
  for (const part of rest) {
    const found = text.indexOf(part, place);
    if (found < 0) return false;
    place = found + part.length;
  }
  return text.length - last.length >= place && text.endsWith(last);
}

/** Maps each character to a single lower-case character, as Postgres does. */
function lower(text: string): string {
  return [...text].map((char) => [...char.toLowerCase()][0] ?? '').join('');
}

export function equal(a: ExactValue, b: ExactValue): boolean {
  if (isNumber(a) && isNumber(b)) return compare(a, b) === 0;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((one, i) => equal(one, b[i] ?? null));
  if (isExactObject(a) && isExactObject(b)) {
    const names = Object.keys(a);
    return (
      names.length === Object.keys(b).length &&
      names.every((name) => Object.hasOwn(b, name) && equal(a[name] ?? null, b[name] ?? null))
    );
  }
  return a === b;
}

function isNumber(value: ExactValue): value is number | ExactNumber {
  return typeof value === 'number' || value instanceof ExactNumber;
}

export function compare(a: ExactValue, b: ExactValue): number {
  if (isNumber(a) && isNumber(b)) {
    const difference = scaled(a) - scaled(b);
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  }
  if (typeof a === 'boolean') return Number(a) - Number(b);
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

const places = 60;

/** The number times 10^60, exactly. */
function scaled(value: number | ExactNumber): bigint {
  const text = value instanceof ExactNumber ? value.text : String(value);
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(text) ?? [];
  const shift = places - fraction.length + Number(exponent);
  return BigInt(`${sign}${whole}${fraction}`) * 10n ** BigInt(shift);
}

export function sorted<R extends { data: ExactObject; position: number }>(
  rows: R[],
  sort: Record<string, string>,
): R[] {
  return rows.toSorted((a, b) => {
    for (const [name, direction] of Object.entries(sort)) {
      const [x, y] = [a.data[name] ?? null, b.data[name] ?? null];
      if (x === null && y === null) continue;
      if (x === null) return 1;
      if (y === null) return -1;
      const order = compare(x, y);
      if (order !== 0) return direction === 'asc' ? order : -order;
    }
    return a.position - b.position;
  });
}
