import { isObject, type Json, type JsonObject, objectOf } from '#libs/platform/json/json';
import type { N8nContext } from './context.ts';
import { NotMapped } from '../report.ts';
import { toList, toText } from '../values.ts';

/** A pattern, which may stand between slashes. */
const pattern = `const patternOf = (value) => { const text = String(value || ''); const parts = /^\\/(.*?)\\/([gimusy]*)$/.exec(text); return parts ? new RegExp(parts[1], parts[2]) : new RegExp(text); };
`;

/** The comparisons of a condition since version 2, by type and name, over two values that have that type. */
const newer = `const parseMoment = (value) => {
  const text = String(value).trim();
  const iso = /^\\d{4}(-\\d\\d(-\\d\\d)?)?([T ]\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?)?\\s*(Z|[+-]\\d\\d:?\\d\\d)?$/.exec(text);
  if (!iso) {
    const american = /^(\\d{1,2})\\/(\\d{1,2})\\/(\\d{4})$/.exec(text);
    const other = american ? Date.UTC(Number(american[3]), american[1] - 1, american[2]) : /[a-z]{3}/i.test(text) ? Date.parse(/[A-Z]{3}$|[+-]\\d{4}/.test(text) ? text : text + ' UTC') : NaN;
    if (Number.isNaN(other)) throw new Error('"' + text + '" is no date.');
    return other;
  }
  const zoned = text.replace(' ', 'T').replace(' ', '');
  const parsed = Date.parse(iso[3] === undefined || iso[6] !== undefined ? zoned.replace(/([+-]\\d\\d)(\\d\\d)$/, '$1:$2') : zoned + 'Z');
  if (Number.isNaN(parsed)) throw new Error('"' + text + '" is no date.');
  return parsed;
};
const asType = (value, type, loose, version) => {
  const kind = Array.isArray(value) ? 'array' : typeof value;
  const wrong = () => { throw new Error('The condition wants a ' + type + ' and got ' + JSON.stringify(value) + '.'); };
  if (value === null || value === undefined || type === 'any' || (type === 'number' && Number.isNaN(value))) return value;
  if (type === 'number' && version >= 3 && (kind === 'array' ? value.length === 0 : kind === 'string' && value.trim() === '')) return null;
  if (type === 'dateTime') return parseMoment(value);
  if (kind === type) return value;
  if (!loose) return wrong();
  if (type === 'boolean' && version === 1) return Boolean(value);
  if (type === 'string') return kind === 'object' || kind === 'array' ? JSON.stringify(value) : String(value);
  if (type === 'number') return Number.isNaN(Number(value)) ? wrong() : Number(value);
  if (type === 'boolean') {
    if (kind === 'string' && /^(true|false)$/i.test(value)) return /true/i.test(value);
    return (kind !== 'string' || value.trim() !== '') && (Number(value) === 1 || Number(value) === 0) ? Number(value) === 1 : Boolean(value);
  }
  for (const text of type === 'array' ? [String(value), String(value).replace(/'/g, '"')] : [String(value)])
    try { const parsed = JSON.parse(text); if ((Array.isArray(parsed) ? 'array' : typeof parsed) === type) return parsed; } catch {}
  return wrong();
};
const compare = (left, right, { type, operation, rightType, loose, version, ignoreCase, alone }) => {
  let a = asType(left, type, loose, version);
  const exists = a !== null && a !== undefined && !Number.isNaN(a);
  if (operation === 'exists' || operation === 'notExists') return exists === (operation === 'exists');
  if (type === 'number' || type === 'dateTime' || type === 'boolean') {
    if (operation === 'empty') return !exists;
    if (operation === 'notEmpty') return exists;
  }
  let b = alone ? undefined : asType(right, rightType, loose, version);
  if (type === 'boolean') return { true: () => Boolean(a), false: () => !a, equals: () => a === b, notEquals: () => a !== b }[operation]();
  if (type === 'object') return { empty: () => !a || Object.keys(a).length === 0, notEmpty: () => Boolean(a) && Object.keys(a).length > 0 }[operation]();
  if (type === 'array') {
    a ??= [];
    const has = () => (ignoreCase && typeof b === 'string' ? a.some((one) => typeof one === 'string' && one.toLowerCase() === b.toLowerCase()) : a.includes(b));
    return { contains: has, notContains: () => !has(), lengthEquals: () => a.length === b, lengthNotEquals: () => a.length !== b, lengthGt: () => a.length > b, lengthLt: () => a.length < b, lengthGte: () => a.length >= b, lengthLte: () => a.length <= b, empty: () => a.length === 0, notEmpty: () => a.length > 0 }[operation]();
  }
  if (type === 'dateTime') {
    if (!exists || b === null || b === undefined) return false;
    return { equals: () => a === b, notEquals: () => a !== b, after: () => a > b, before: () => a < b, afterOrEquals: () => a >= b, beforeOrEquals: () => a <= b }[operation]();
  }
  if (type === 'number') return { equals: () => a === b, notEquals: () => a !== b, gt: () => a > b, lt: () => a < b, gte: () => a >= b, lte: () => a <= b }[operation]();
  a = a ?? '';
  b = b ?? '';
  if (ignoreCase) { a = a.toLowerCase(); if (operation !== 'regex' && operation !== 'notRegex') b = b.toLowerCase(); }
  return { empty: () => a.length === 0, notEmpty: () => a.length > 0, equals: () => a === b, notEquals: () => a !== b, contains: () => a.includes(b), notContains: () => !a.includes(b), startsWith: () => a.startsWith(b), notStartsWith: () => !a.startsWith(b), endsWith: () => a.endsWith(b), notEndsWith: () => !a.endsWith(b), regex: () => patternOf(b).test(a), notRegex: () => !patternOf(b).test(a) }[operation]();
};
`;

/** The comparisons of version 1, which convert as JavaScript does. */
const older = `const momentOf = (value) => { if (typeof value === 'number') return value; const parsed = typeof value === 'string' ? Date.parse(value) : NaN; if (Number.isNaN(parsed)) throw new Error('"' + value + '" is no date.'); return parsed; };
const isEmptyOld = (a) => a === undefined || a === null || a === '' || Number.isNaN(a) || (typeof a === 'object' && Object.entries(a).length === 0);
const compareOld = (a, b, type, operation) => {
  const [x, y] = type === 'dateTime' && !/mpty$/.test(operation) ? [momentOf(a), momentOf(b)] : [a, b];
  const text = (value) => (value || '').toString();
  return { after: () => (x || 0) > (y || 0), before: () => (x || 0) < (y || 0), contains: () => text(x).includes(text(y)), notContains: () => !text(x).includes(text(y)), endsWith: () => x.endsWith(y), notEndsWith: () => !x.endsWith(y), equal: () => x === y, notEqual: () => x !== y, larger: () => (x || 0) > (y || 0), largerEqual: () => (x || 0) >= (y || 0), smaller: () => (x || 0) < (y || 0), smallerEqual: () => (x || 0) <= (y || 0), startsWith: () => x.startsWith(y), notStartsWith: () => !x.startsWith(y), isEmpty: () => isEmptyOld(x), isNotEmpty: () => !isEmptyOld(x), regex: () => patternOf(y).test(text(x)), notRegex: () => !patternOf(y).test(text(x)) }[operation]();
};
`;

const byType: Record<string, string> = {
  string:
    'exists notExists empty notEmpty equals notEquals contains notContains startsWith notStartsWith endsWith notEndsWith regex notRegex',
  number: 'exists notExists empty notEmpty equals notEquals gt lt gte lte',
  dateTime: 'exists notExists empty notEmpty equals notEquals after before afterOrEquals beforeOrEquals',
  boolean: 'exists notExists empty notEmpty true false equals notEquals',
  array:
    'exists notExists empty notEmpty contains notContains lengthEquals lengthNotEquals lengthGt lengthLt lengthGte lengthLte',
  object: 'exists notExists empty notEmpty',
};
const alone = new Set(['exists', 'notExists', 'empty', 'notEmpty', 'true', 'false']);
const ofVersion1 = new Set(
  'after before contains notContains endsWith notEndsWith equal notEqual larger largerEqual smaller smallerEqual startsWith notStartsWith isEmpty isNotEmpty regex notRegex'.split(
    ' ',
  ),
);
/** The operation where the file names none. */
const defaults: Record<string, string> = { number: 'smaller', dateTime: 'after' };

/** The test of an If, a Filter or a rule of a Switch, in JavaScript. Throws NotMapped for an operation without a counterpart. */
export function buildTest(conditions: JsonObject, combine: Json | undefined, context: N8nContext): string {
  const list = conditions['conditions'];
  const tests = Array.isArray(list) ? newerTests(list, conditions, context) : olderTests(conditions, context);
  if (tests.length === 0) throw new NotMapped('It has no condition.');
  const how = toText(conditions['combinator'] ?? combine, 'and');
  // Calculates no test behind the one that decides: a wrong type there does no harm in n8n.
  return `[${tests.map((one) => `() => ${one}`).join(', ')}].${/^(or|any)$/i.test(how) ? 'some' : 'every'}((test) => test())`;
}

function newerTests(list: Json[], conditions: JsonObject, context: N8nContext): string[] {
  const options = objectOf(conditions['options']);
  const { parameters } = context.node;
  const ignoreCase =
    options['caseSensitive'] === false || objectOf(parameters['options'])['ignoreCase'] === true;
  const validation = toText(options['typeValidation'], 'strict');
  const isLoose =
    validation === 'loose' ||
    parameters['looseTypeValidation'] === true ||
    objectOf(parameters['options'])['looseTypeValidation'] === true;
  const version = Number(options['version'] ?? 1);
  return list.filter(isObject).map(({ leftValue = null, rightValue = null, operator }) => {
    const { type, operation, rightType } = objectOf(operator);
    const [kind, name] = [toText(type, 'string'), toText(operation, 'equals')];
    if (!(byType[kind] ?? '').split(' ').includes(name))
      throw new NotMapped(
        `The comparison "${name}" of ${kind} has no counterpart; write it in a function block.`,
      );
    if (kind === 'dateTime') context.change('A date without a time zone is read in UTC.');
    context.expressions.script.need('compare', pattern + newer);
    const settings = {
      type: kind,
      operation: name,
      rightType: toText(rightType, kind === 'array' ? (name.startsWith('length') ? 'number' : 'any') : kind),
      loose: isLoose,
      version,
      ignoreCase,
      alone: alone.has(name),
    };
    const [left, right] = [leftValue, rightValue].map((one) => context.expressions.javascript(one));
    return `compare(${left}, ${right}, ${JSON.stringify(settings)})`;
  });
}

function olderTests(conditions: JsonObject, context: N8nContext): string[] {
  return ['boolean', 'dateTime', 'number', 'string'].flatMap((kind) =>
    toList(conditions[kind])
      .filter(isObject)
      .map(({ value1, value2, operation }) =>
        olderTest(toText(operation, defaults[kind] ?? 'equal'), kind, [value1, value2], context),
      ),
  );
}

/** What n8n compares where the file names no value. */
const standard: Record<string, Json> = { number: 0, boolean: false };

/** One comparison of version 1. */
export function olderTest(
  operation: string,
  type: string,
  values: (Json | undefined)[],
  context: N8nContext,
): string {
  if (!ofVersion1.has(operation))
    throw new NotMapped(`The comparison "${operation}" has no counterpart; write it in a function block.`);
  if (type === 'dateTime') context.change('A date without a time zone is read in UTC.');
  context.expressions.script.need('compareOld', pattern + older);
  const [a, b] = values.map((one = standard[type] ?? '') => context.expressions.javascript(typed(one, type)));
  return `compareOld(${a}, ${b}, ${JSON.stringify(type)}, ${JSON.stringify(operation)})`;
}

/** A constant number or boolean may stand as text. */
function typed(value: Json, type: string): Json {
  if (typeof value !== 'string' || value.startsWith('=') || value.trim() === '') return value;
  if (type === 'number') return Number.isNaN(Number(value)) ? value : Number(value);
  return type === 'boolean' && /^(true|false)$/.test(value) ? value === 'true' : value;
}
