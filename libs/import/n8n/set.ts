import { isObject, type Json, type JsonObject, objectOf } from '#libs/platform/json/json';
import { literal } from '../cel-text.ts';
import type { ConvertedNode, N8nContext } from './context.ts';
import { eachItem, parsePath } from './items.ts';
import { NotMapped } from '../report.ts';
import { toList, toText } from '../values.ts';

const identifier = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/** Gives a value the type of its field, as the node does. */
const typedHelper = `const typed = (value, type, ignores, name) => {
  if (value === undefined || value === null) return null;
  const wrong = (wanted) => { if (ignores) return value; throw new Error('The field "' + name + '" wants ' + wanted + ' and got ' + JSON.stringify(value) + '.'); };
  const parsed = () => { if (typeof value !== 'string') return value; try { return JSON.parse(value); } catch { return undefined; } };
  if (type === 'string') return typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (type === 'number') return Number.isNaN(Number(value)) ? wrong('a number') : Number(value);
  if (type === 'boolean') {
    const word = String(value).toLowerCase();
    if (word === 'true' || word === 'false') return word === 'true';
    return value !== '' && (Number(value) === 1 || Number(value) === 0) ? Number(value) === 1 : wrong('true or false');
  }
  if (type === 'array') return Array.isArray(parsed()) ? parsed() : wrong('a list');
  if (type === 'object') { const found = parsed(); return typeof found === 'object' && !Array.isArray(found) ? found : wrong('an object'); }
  return value;
};
`;
/** Writes a member by a path such as `a.b[0].c`. */
const putHelper = `const put = (target, path, value) => {
  let at = target;
  path.forEach((step, i) => {
    if (i === path.length - 1) { at[step] = value; return; }
    if (typeof at[step] !== 'object' || at[step] === null) at[step] = typeof path[i + 1] === 'number' ? [] : {};
    at = at[step];
  });
};
`;

export function convertSet(context: N8nContext): ConvertedNode {
  const { parameters, version, raw } = context.node;
  const { expressions } = context;
  const options = objectOf(parameters['options']);
  const fields = parseFields(context);
  const constants = findConstants(fields);
  if (constants && !keepsOthers(context) && raw['executeOnce'] !== true) {
    for (const name of Object.keys(constants)) context.around.declare(name);
    context.change('Its fields are variables of the run.');
    return { block: { type: 'variables', params: { set: constants } } };
  }
  if (parameters['duplicateItem'] === true) context.change('Its copies of each item are left out.');
  const { script } = expressions;
  script.need('put', putHelper);
  script.need('typed', typedHelper);
  const lines = [`const out = ${keptMembers(context)};`];
  if (parameters['mode'] === 'raw')
    lines.push(
      `const made = ${expressions.javascript(parameters['jsonOutput'] ?? '{}')};`,
      `Object.assign(out, typed(made, 'object', false, 'JSON'));`,
    );
  for (const { name, value, type } of fields) {
    const path = options['dotNotation'] === false ? [name] : parsePath(name);
    if (path.includes('__proto__') || name === '') throw new NotMapped('A field has no name.');
    lines.push(
      `put(out, ${JSON.stringify(path)}, ${typedSource(expressions.javascript(value), type, { name, version, ignores: options['ignoreConversionErrors'] === true })});`,
    );
  }
  context.change('It is a function, which puts its fields together.');
  lines.push('return [{ json: out }];');
  return eachItem(context, lines.join('\n'));
}

interface SetField {
  name: string;
  value: Json;
  type: string;
}

function parseFields({ node: { parameters } }: N8nContext): SetField[] {
  if (parameters['mode'] === 'raw') return [];
  const assigned = toList(objectOf(parameters['assignments'])['assignments']).filter(isObject);
  const listed = toList(objectOf(parameters['fields'])['values'])
    .filter(isObject)
    .map((one): JsonObject => {
      const type = toText(one['type'], 'stringValue');
      return { name: one['name'] ?? '', value: one[type] ?? '', type: type.replace('Value', '') };
    });
  const older = Object.entries(objectOf(parameters['values'])).flatMap(([type, list]) =>
    toList(list)
      .filter(isObject)
      .map((one): JsonObject => ({ ...one, type: `older ${type}` })),
  );
  return [...assigned, ...listed, ...older].map(({ name, value = '', type }) => ({
    name: toText(name),
    value,
    type: toText(type, 'string'),
  }));
}

function typedSource(
  value: string,
  type: string,
  { name, version, ignores }: { name: string; version: number; ignores: boolean },
): string {
  if (type === 'older boolean') return `Boolean(${value})`;
  if (type === 'older number' && version >= 2)
    return `((value) => (typeof value === 'string' && value !== '' && !Number.isNaN(Number(value)) ? Number(value) : value))(${value})`;
  if (type === 'older string' && version >= 2)
    return `((value) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value))(${value})`;
  return type.startsWith('older')
    ? value
    : `typed(${value}, ${JSON.stringify(type)}, ${ignores}, ${JSON.stringify(name)})`;
}

/** The fields when all are texts that stand in the file; undefined otherwise. */
function findConstants(fields: SetField[]): JsonObject | undefined {
  const plain = fields.every(
    ({ name, value, type }) =>
      identifier.test(name) && type.endsWith('string') && typeof value === 'string' && !value.startsWith('='),
  );
  if (!plain || fields.length === 0) return undefined;
  return Object.fromEntries(fields.map(({ name, value }): [string, Json] => [name, literal(toText(value))]));
}

function keepsOthers({ node: { parameters, version } }: N8nContext): boolean {
  if (version < 3) return parameters['keepOnlySet'] !== true;
  return version < 3.3
    ? toText(parameters['include'], 'all') !== 'none'
    : parameters['includeOtherFields'] === true;
}

/** The members of the item that stay, in JavaScript. */
function keptMembers(context: N8nContext): string {
  if (!keepsOthers(context)) return '{}';
  const { parameters } = context.node;
  const named = (value: Json | undefined) =>
    JSON.stringify(
      toText(value)
        .split(',')
        .map((one) => one.trim()),
    );
  const include = toText(parameters['include'], 'all');
  if (include === 'selected')
    return `Object.fromEntries(Object.entries($json).filter(([name]) => ${named(parameters['includeFields'])}.includes(name)))`;
  if (include === 'except')
    return `Object.fromEntries(Object.entries($json).filter(([name]) => !${named(parameters['excludeFields'])}.includes(name)))`;
  // The members are changed below.
  return 'JSON.parse(JSON.stringify($json))';
}
