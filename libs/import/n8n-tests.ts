import { isObject, type Json, type JsonObject, objectOf } from '#libs/platform/json/json';
import type { Node } from './javascript.ts';
import { literalNode, type N8nExpressions } from './n8n-expressions.ts';
import { NotMapped } from './report.ts';
import { listOf, numberOf, textOf } from './values.ts';

type Operator = (left: Node, right: Node) => Node;

const binary =
  (operator: string): Operator =>
  (left, right) => ({ kind: 'binary', operator, left, right });
const method =
  (name: string): Operator =>
  (left, right) => ({
    kind: 'call',
    of: { kind: 'member', of: left, key: literalNode(name) },
    args: [right],
  });
const alone =
  (name: string): Operator =>
  (left) => ({
    kind: 'call',
    of: { kind: 'member', of: left, key: literalNode(name) },
    args: [],
  });
const not =
  (operator: Operator): Operator =>
  (left, right) => ({ kind: 'unary', operator: '!', of: operator(left, right) });
const equals = binary('===');
const exists: Operator = (left) => binary('!==')(left, literalNode(null));
const moment = (node: Node): Node => ({
  kind: 'call',
  of: { kind: 'name', name: 'timestamp' },
  args: [node],
});
const times =
  (operator: string): Operator =>
  (left, right) =>
    binary(operator)(moment(left), moment(right));
const length =
  (operator: string): Operator =>
  (left, right) =>
    binary(operator)({ kind: 'member', of: left, key: literalNode('length') }, right);

/** The comparisons of all versions of the node, by their names in them. */
const operators: Record<string, Operator> = {
  equals,
  equal: equals,
  notEquals: not(equals),
  notEqual: not(equals),
  contains: method('includes'),
  notContains: not(method('includes')),
  startsWith: method('startsWith'),
  notStartsWith: not(method('startsWith')),
  endsWith: method('endsWith'),
  notEndsWith: not(method('endsWith')),
  exists,
  notExists: not(exists),
  empty: alone('isEmpty'),
  isEmpty: alone('isEmpty'),
  notEmpty: alone('isNotEmpty'),
  isNotEmpty: alone('isNotEmpty'),
  gt: binary('>'),
  larger: binary('>'),
  gte: binary('>='),
  largerEqual: binary('>='),
  lt: binary('<'),
  smaller: binary('<'),
  lte: binary('<='),
  smallerEqual: binary('<='),
  true: (left) => equals(left, literalNode(true)),
  false: (left) => equals(left, literalNode(false)),
  after: times('>'),
  before: times('<'),
  afterOrEquals: times('>='),
  beforeOrEquals: times('<='),
  lengthEquals: length('==='),
  lengthNotEquals: length('!=='),
  lengthGt: length('>'),
  lengthLt: length('<'),
  lengthGte: length('>='),
  lengthLte: length('<='),
};

/** The operation where the file names none. */
const defaults: Record<string, string> = { number: 'smaller', dateTime: 'after' };

/** The test of an If, a Filter or a rule of a Switch, in CEL. Throws NotMapped for an operation without a counterpart. */
export function testOf(
  conditions: JsonObject,
  combine: Json | undefined,
  expressions: N8nExpressions,
): string {
  const list = conditions['conditions'];
  const tests = Array.isArray(list) ? newer(list, conditions, expressions) : older(conditions, expressions);
  if (tests.length === 0) throw new NotMapped('It has no condition.');
  const how = textOf(conditions['combinator'] ?? combine, 'and');
  const either = how === 'or' || how === 'any';
  return tests.length === 1
    ? (tests[0] ?? '')
    : tests.map((one) => `(${one})`).join(either ? ' || ' : ' && ');
}

function newer(list: Json[], { options }: JsonObject, expressions: N8nExpressions): string[] {
  const ignoresCase = objectOf(options)['caseSensitive'] === false;
  return list.filter(isObject).map(({ leftValue = null, rightValue = null, operator }) => {
    const { type, operation } = objectOf(operator);
    const kind = textOf(type);
    return testFor(textOf(operation), kind, [leftValue, rightValue], {
      expressions,
      ignoresCase: ignoresCase && kind === 'string',
    });
  });
}

function older(conditions: JsonObject, expressions: N8nExpressions): string[] {
  return Object.entries(conditions).flatMap(([kind, list]) =>
    listOf(list)
      .filter(isObject)
      .map(({ value1 = null, value2 = null, operation }) =>
        testFor(textOf(operation, defaults[kind] ?? 'equal'), kind, [value1, value2], {
          expressions,
          ignoresCase: false,
        }),
      ),
  );
}

/** One comparison. */
export function testFor(
  operation: string,
  type: string,
  [left, right]: [Json, Json],
  { expressions, ignoresCase }: { expressions: N8nExpressions; ignoresCase: boolean },
): string {
  const operator = Object.hasOwn(operators, operation) ? operators[operation] : undefined;
  if (!operator)
    throw new NotMapped(`The comparison "${operation}" has no counterpart; write it in a function block.`);
  const [a, b] = [left, right].map((value) => {
    const node = expressions.expression(typed(value, type));
    return ignoresCase ? lower(node) : node;
  });
  const source = `${textOf(left)} ${operation} ${textOf(right)}`;
  return expressions.test(operator(a ?? literalNode(null), b ?? literalNode(null)), source);
}

/** Numbers and booleans may stand as text. */
function typed(value: Json, type: string): Json {
  if (typeof value !== 'string' || value.startsWith('=')) return value;
  if (type === 'number' || type === 'array') return numberOf(value) ?? value;
  return type === 'boolean' && /^(true|false)$/.test(value) ? value === 'true' : value;
}

const lower = (node: Node): Node => ({
  kind: 'call',
  of: { kind: 'member', of: node, key: literalNode('toLowerCase') },
  args: [],
});
