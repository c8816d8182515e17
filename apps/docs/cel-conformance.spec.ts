import { isCelError, run } from '@bufbuild/cel';
import { strings } from '@bufbuild/cel/ext';
import { tests } from '@bufbuild/cel-spec/testdata/conformance.js';
import type { SerializedIncrementalTestSuite } from '@bufbuild/cel-spec/testdata/tests.js';
import { fc } from '#libs/platform/text/support/random';
import { readFileSync } from 'node:fs';
import { evaluate, ExpressionError } from '#libs/language/definition/expressions/expressions';
import { isObject, type Json, objectOf } from '#libs/platform/json/json';

const page = readFileSync('apps/docs/pages/expressions.md', 'utf8');

/** One test of the standard, and what comes out here. */
interface Case {
  expr: string;
  /** The result here, or the reason of the failure. */
  here: { value: Json } | { reason: string };
  agrees: boolean;
}

/** The standard's tests of messages, of enumerations and of other packages' functions: no value of JSON is one. */
const foreign = /^(dynamic|enums|proto2|proto2_ext|proto3|wrappers|type_deductions|block_ext|namespace)$/;
/** A value that JSON lacks. */
const none = Symbol('none');

function casesOf(suite: SerializedIncrementalTestSuite): Case[] {
  const own = (suite.tests ?? []).flatMap(({ original }) => caseOf(original) ?? []);
  return [...(suite.suites ?? []).flatMap(casesOf), ...own];
}

function caseOf(test: Record<string, unknown> & { expr: string }): Case | undefined {
  const { expr, value, evalError, anyEvalErrors, container, bindings = {} } = test;
  const scope = Object.entries(Object(bindings)).map(
    ([name, one]) => [name, jsonOf(Object(one).value)] as const,
  );
  // Messages are no JSON, and a name with dots would be one of a package.
  const isForeign = /TestAll|TestRequired|google\.protobuf\.(?!Timestamp|Duration)|a\.b\./.test(expr);
  if (container !== undefined || isForeign || scope.some(([, one]) => one === none)) return undefined;
  const here = outcomeOf(expr, Object.fromEntries(scope) as Record<string, Json>);
  if (evalError !== undefined || anyEvalErrors !== undefined) return { expr, here, agrees: 'reason' in here };
  const wanted = value === undefined ? true : jsonOf(value);
  // What is no value in JSON cannot be the result of a parameter.
  if (wanted === none) return 'reason' in here ? undefined : { expr, here, agrees: false };
  return { expr, here, agrees: 'value' in here && sortedJson(here.value) === sortedJson(wanted) };
}

function outcomeOf(expr: string, scope: Record<string, Json>): Case['here'] {
  try {
    return { value: evaluate(expr, scope) };
  } catch (error) {
    if (error instanceof ExpressionError) return { reason: error.reason };
    throw error;
  }
}

/** A value of the standard's tests as a parameter would have it. */
function jsonOf(value: unknown): Json | typeof none {
  const [kind = '', inner] = Object.entries(Object(value) as Record<string, Json>)[0] ?? [];
  switch (kind) {
    case 'nullValue':
      return null;
    case 'boolValue':
    case 'stringValue':
      return inner ?? none;
    case 'int64Value':
    case 'uint64Value':
      return Number.isSafeInteger(Number(inner)) ? Number(inner) : none;
    case 'doubleValue':
      return typeof inner === 'number' ? inner + 0 : none;
    case 'listValue':
      return allOf(listOf(objectOf(inner).values).map(jsonOf));
    case 'mapValue': {
      const entries = listOf(objectOf(inner).entries).map((one) => objectOf(one));
      const values = allOf(entries.map((one) => jsonOf(one.value)));
      if (!Array.isArray(values)) return none;
      return Object.fromEntries(entries.map(({ key }, i) => [String(jsonOf(key)), values[i] ?? null]));
    }
    default:
      return none;
  }
}

const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

function allOf(values: (Json | typeof none)[]): Json | typeof none {
  const held = values.filter((one) => one !== none);
  return held.length === values.length ? held : none;
}

const sortedJson = (value: Json) =>
  JSON.stringify(value, (_, one: Json) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1))) : one,
  );

/** The deviations: the first cell of their row on the page, and the tests that they explain by expression or reason. */
const deviations: [row: string, covers: RegExp][] = [
  ['`matches()`', /matches\(\) is not available/],
  ['parts of a moment with a time zone, and `getDayOfYear()`', /depends on the machine's time zone/],
  [
    'functions of extensions: `math.…`, `base64.…`, `charAt()`, `replace()`, `format()`, `strings.quote()`, `transformList()`, `transformMap()`, `existsOne()`, `optMap()`, `optFlatMap()`, `optional.ofNonZeroValue()`',
    /there is no function (greatest|least|ceil|floor|trunc|abs|sign|isNaN|isInf|isFinite|bit\w+|encode|decode|charAt|replace|format|quote|transformList|transformMap|existsOne|optMap|optFlatMap|ofNonZeroValue)\(|\bmath\.|\bstrings\./,
  ],
  ['`list.exists(i, v, …)` with two variables', /it is written list<dyn>\.(exists|all)\(ast, ast\)/],
  ['`[?a.?b]` and `{?"k": a.?b}`', /a (value|name) is expected at character \d+, and `\?` stands there/],
  [
    '`optional == optional`, and an index on an optional value',
    /optional<.*> [!=]= optional|Cannot index type|type\(optional/,
  ],
  ['`has()` of anything but a path', /has\(\) invalid argument/],
  ['`[].exists(e, e == 2)`, an empty list that is written out', /overlaps with/],
  ['`a.`b-c``', /Unexpected character: `/],
  [
    'a list of one type compared with a list of another; `uint` with `int`',
    /no such overload: (list<\w+> == list|uint != int|google\.protobuf\.\w+ == )|u\b.* (==|in) |in \[5u|\[1u|No such key: 0/,
  ],
  [
    'a number without a digit before its point',
    /a value is expected at character \d+, and `\.` stands there/,
  ],
  [
    'bytes in order, and escapes and prefixes in bytes',
    /bytes [<>]=? bytes|Unexpected character: ['"]|\\303/,
  ],
  [
    '`int(timestamp)`, `timestamp(timestamp)`, `duration(duration)`, milliseconds of a duration',
    /it is written (int|duration|timestamp)\(|getMillisecond/,
  ],
  [
    'a result that is a whole number beyond 2^53, infinite, bytes, a type, or a text with a null byte',
    /beyond 2\^53|not a number in JSON|it is not text, number|null byte/,
  ],
  ['`true && 1`, and `c ? 1 : "a"`', /requires bool operands|Ternary branches/],
  ['a variable that a macro gives another type', /is not of type/],
  ['a whole number compared with a double of 2^63', /9223372036854775808\.0/],
  ['`string(timestamp)` and `string(duration)`', /^string\((timestamp|duration)\(/],
  ['microseconds and nanoseconds of a moment', /\.999999999/],
  ['the difference of moments beyond 292 years', /^timestamp\('.*' ?\) - timestamp/],
  ['a path to what is not there, as a whole expression', /^(x|x\.name|a\.pancakes|dyn)$/],
  ['`double % double`', /^47\.5 % 5\.5$/],
  ['a key of a map literal that is null or a double', /^\{(3\.3|null)/],
  ['`.?a.b` behind a member that is null', /\.(invalid|absent)\.hasValue/],
  [
    'words that other languages reserve, as functions',
    /there is no function (as|break|const|continue|else|for|function|if|import|let|loop|package|namespace|return|var|void|while|f_unknown)\(/,
  ],
];

const cases = tests.suites?.flatMap((suite) => (foreign.test(suite.name) ? [] : casesOf(suite))) ?? [];
const textOfCase = ({ expr, here }: Case) => [expr, ...('reason' in here ? [here.reason] : [])];
const deviating = cases.filter(({ agrees }) => !agrees);

test('the tests of the CEL standard come out as they should, but for the deviations that the page names', () => {
  expect(cases.length).toBeGreaterThan(1200);
  const unexplained = deviating.filter(
    (one) => !deviations.some(([, covers]) => textOfCase(one).some((text) => covers.test(text))),
  );
  expect(unexplained.map((one) => `${one.expr} ${JSON.stringify(one.here)}`)).toEqual([]);
});

test.each(deviations)('the page names a deviation that is there: %s', (row, covers) => {
  expect(page.split('\n').filter((line) => line.startsWith(`| ${row} | `))).toHaveLength(1);
  expect(deviating.some((one) => textOfCase(one).some((text) => covers.test(text)))).toBe(true);
});

// The other implementation counts halves of the characters beyond U+FFFF, so it is asked about others.
const characters = fc.array(fc.constantFrom('a', 'b', ',', 'ß', 'é', 'É', '\u0301'), { maxLength: 8 });
const wideCharacters = fc.array(fc.constantFrom('a', 'b', '👍', '𝒳', '\u0301'), { maxLength: 8 });
const calls = [
  's.size()',
  's.substring(from)',
  's.substring(from, to)',
  's.indexOf(part)',
  's.indexOf(part, from)',
  's.lastIndexOf(part)',
  's.split(part)',
  's.upperAscii()',
  's.lowerAscii()',
  's.trim()',
  's < part',
  's >= part',
  's.startsWith(part) || s.endsWith(part) || s.contains(part)',
];

test.each(calls)('%s gives what another implementation of CEL gives', (call) => {
  fc.assert(
    fc.property(characters, characters, fc.nat(8), fc.nat(8), (s, part, from, to) => {
      const written = call.replace(/\bfrom\b/, `${from}`).replace(/\bto\b/, `${to}`);
      const scope = { s: s.join(''), part: part.join('') };
      const other = plainOf(run(written, scope, { funcs: strings }));
      fc.pre(other !== undefined);
      expect(outcomeOf(written, scope)).toEqual({ value: other });
    }),
  );
});

test('positions in a text count characters, also beyond U+FFFF', () => {
  fc.assert(
    fc.property(wideCharacters, fc.nat(8), fc.nat(8), (list, a, b) => {
      const [from, to] = [Math.min(a, b, list.length), Math.min(Math.max(a, b), list.length)];
      const s = list.join('');
      expect(evaluate(`s.substring(${from}, ${to})`, { s })).toBe(list.slice(from, to).join(''));
      expect(evaluate('s.split("")', { s })).toEqual(list);
      expect(evaluate(`s.indexOf("👍", ${from})`, { s })).toBe(list.indexOf('👍', from));
      expect(evaluate('s.lastIndexOf("👍")', { s })).toBe(list.lastIndexOf('👍'));
    }),
  );
});

/** The result as JSON; undefined for an error. */
function plainOf(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return value;
  return isCelError(value) ? undefined : [...(value as Iterable<unknown>)];
}
