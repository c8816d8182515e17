import type { Json } from '#libs/platform/json/json';

import { Meter } from './cost.ts';
import {
  evaluate,
  ExpressionError,
  parse,
  references,
  render,
  renderParams,
  sources,
} from './expressions.ts';
import { cpuMs } from '#libs/platform/text/support/cpu';

const scope = {
  start: { amount: 2, name: 'Ada', list: [1, 2, 3], flag: true, nothing: null, deep: { a: { b: 'x' } } },
  fetch: { data: { constructor: 'Ferrari', ok: true, items: [{ n: 1 }, { n: 2 }] } },
  skipped: null,
};

function failing(source: string): ExpressionError {
  try {
    evaluate(source, scope);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
  throw new Error(`${source} does not fail`);
}

const evaluated: [string, unknown][] = [
  ['start.amount * 2', 4],
  ['2 * start.amount', 4],
  ['start.amount + 0.5', 2.5],
  ['start.amount - 1', 1],
  ['start.amount / 4', 0.5],
  ['start.amount % 2', 0],
  ['7 / 2', 3],
  ['size(start.list)', 3],
  ['size(start.list) * 1.5', 4.5],
  ['9007199254740993 == 9007199254740992.0', false],
  ['int("+12") + int("007")', 19],
  ['double("1.5e3") + double(".5")', 1500.5],
  ['"👍ok".size()', 3],
  ['"👍ok".substring(0, "👍ok".size())', '👍ok'],
  ['"👍ok".substring(0, 1)', '👍'],
  ['"👍ok".substring(1)', 'ok'],
  ['"👍ok".substring(start.amount)', 'k'],
  ['"👍ok".indexOf("o")', 1],
  ['"👍o👍o".indexOf("o", 2)', 3],
  ['"👍o👍o".lastIndexOf("👍")', 2],
  ['"👍o👍o".lastIndexOf("👍", 1)', 0],
  ['"👍ok".indexOf("")', 0],
  ['"👍ok".lastIndexOf("")', 3],
  ['"👍ok".split("")', ['👍', 'o', 'k']],
  ['"👍ok".split("", 2)', ['👍', 'ok']],
  ['"a,b,c".split(",", 2)', ['a', 'b,c']],
  [String.raw`"\uFFFD" < "👍" && "👍" > "z" && "a" <= "a"`, true],
  ['"Straße".upperAscii() + "ÀB".lowerAscii()', 'STRAßEÀb'],
  ['timestamp("2026-01-31")', '2026-01-31T00:00:00.000Z'],
  ['timestamp("2026-01-31T10:20:30")', '2026-01-31T10:20:30.000Z'],
  ['string(timestamp("2026-01-31T10:20:30Z"))', '2026-01-31T10:20:30.000Z'],
  ['string(duration("90s"))', 'PT90S'],
  ['round(1.1 + 2.2, 2)', 3.3],
  ['round(1.005, 2)', 1.01],
  ['[round(2.5), round(-2.5), round(7), round(0.00000012, 7)]', [3, -3, 7, 1e-7]],
  ['round(start.amount / 3, start.amount)', 0.67],
  ['formatNumber(1234567.005, 2)', '1,234,567.01'],
  ['formatNumber(-1234.5, 2, ".", ",") + " €"', '-1.234,50 €'],
  ['formatNumber(-0.001, 2) + formatNumber(12, 0)', '0.0012'],
  ['formatDate(timestamp("2026-01-05T09:08:07.006Z"), "dd.MM.yyyy HH:mm:ss.SSS")', '05.01.2026 09:08:07.006'],
  [
    'formatDate("2026-01-05", "EEEE, d MMMM yyyy, EEE d MMM yy \'o\'\'clock\' H")',
    "Monday, 5 January 2026, Mon 5 Jan 26 o'clock 0",
  ],
  ['path("a b/ü?#")', 'a%20b/%C3%BC%3F%23'],
  ['urlEncode("a&b=c+d%2F e/ü?#👍")', 'a%26b%3Dc%2Bd%252F%20e%2F%C3%BC%3F%23%F0%9F%91%8D'],
  ['[urlEncode(""), urlEncode(null), urlEncode(start.nothing), urlEncode(true)]', ['', '', '', 'true']],
  ['urlEncode(start.amount) + urlEncode(7) + urlEncode(1.5)', '271.5'],
  ['urlEncode(start.deep)', '%7B%22a%22%3A%7B%22b%22%3A%22x%22%7D%7D'],
  ['bytes("{\\"a\\": 9007199254740993}").json()', { a: '9007199254740993' }],
  ['start.amount == 2', true],
  ['size(start.list) == 3.0', true],
  ['2 in start.list', true],
  ['start.list.map(x, x * 2)', [2, 4, 6]],
  ['start.list.filter(x, x > 1)', [2, 3]],
  ['[1, 2] + start.list', [1, 2, 1, 2, 3]],
  ['{"a": 1, "b": [start.name]}', { a: 1, b: ['Ada'] }],
  ['start.name + "!"', 'Ada!'],
  ['start.name.substring(start.amount)', 'a'],
  ['start.name.substring(0, start.amount)', 'Ad'],
  ['string(start.amount)', '2'],
  ['string(start.nothing)', ''],
  ['json(start.deep)', '{"a":{"b":"x"}}'],
  ['json([1, 2.5])', '[1,2.5]'],
  ['timestamp("2026-01-01T00:00:00Z") + duration("90m")', '2026-01-01T01:30:00.000Z'],
  ['duration("90s")', 'PT90S'],
  ['uint(3)', 3],
  ['start.flag ? 1 : 2', 1],
  ['start.flag ? dyn(1) : null', 1],
  ['skipped == null', true],
  ['has(skipped.data)', false],
  ['has(start.deep.a) && !has(start.gone)', true],
  ['start.?gone.orValue(7)', 7],
  ['start.?gone', null],
  ['start.?amount', 2],
  ['cel.bind(x, start.amount, x + x)', 4],
  ['fetch.data.items.map(i, i.n)', [1, 2]],
  ['0.0 * -1.0', 0],
];

const failures: [string, string, RegExp | undefined][] = [
  ['start.gone + 1', 'value', /No such key: gone/],
  ['skipped.data == 1', 'value', /No such key: data/],
  ['start.amount / 0', 'value', /Infinity/],
  ['0.0 / 0.0', 'value', /NaN/],
  ['9007199254740993 + 0', 'value', /beyond 2\^53/],
  ['1 / 0', 'value', /division by zero/],
  ['b"bytes"', 'value', /not text, number/],
  ['type(1)', 'value', /not text, number/],
  ['"a\\x00b"', 'value', /null byte/],
  ['start.name.substring(5)', 'value', /outside of a text of 3 characters/],
  ['"a".indexOf("a", 2)', 'value', /out of range/],
  ['9007199254740993 + start.amount', 'value', /beyond 2\^53/],
  ['1e400 > 5', 'syntax', /Invalid number/],
  ['int("")', 'value', /"" is no whole number/],
  ['int("0x10")', 'value', /no whole number/],
  ['int(" 1")', 'value', /no whole number/],
  ['int("9223372036854775808")', 'value', /out of the range/],
  ['int(1e300)', 'value', /out of the range/],
  ['uint("")', 'value', /no whole number/],
  ['uint("-1")', 'value', /cannot convert/],
  ['double("")', 'value', /no number that a double holds/],
  ['double("0x10")', 'value', /no number/],
  ['double("1e400")', 'value', /no number/],
  ['double("1e-400")', 'value', /no number/],
  ['double(" 12 ")', 'value', /no number/],
  ['double("1_000")', 'value', /no number/],
  ['double("9007199254740993")', 'value', /no number/],
  ['double(9007199254740993)', 'value', /beyond 2\^53/],
  ['timestamp("2026-02-30T00:00:00Z")', 'value', /that exists/],
  ['timestamp("2025-02-29")', 'value', /that exists/],
  ['timestamp("2026-04-31T12:00:00Z")', 'value', /that exists/],
  ['timestamp("2026-01-31T24:00:00Z")', 'value', /that exists/],
  ['timestamp("0000-01-31")', 'value', /that exists/],
  ['timestamp("Jan 1 2026 00:00:00 Z")', 'value', /that exists/],
  ['timestamp("9999-12-31T23:00:00Z") + duration("2h")', 'value', /outside of the years/],
  ['duration("s")', 'value', /no duration/],
  ['duration("")', 'value', /no duration/],
  ['duration("1h ")', 'value', /no duration/],
  ['formatDate("2026-02-30", "dd")', 'value', /that exists/],
  ['formatDate("2026-01-31", "DD")', 'value', /knows no "DD"/],
  ['formatNumber(1e20, 2)', 'value', /below 10\^15/],
  ['round(1.5, -1)', 'value', /0 to 15 digits/],
  ['path("a/../b")', 'value', /none is empty or dots/],
  ['path("a//b")', 'value', /none is empty or dots/],
  ['start.name.substring(0.5)', 'value', /outside of a text/],
  ['"a" + 1', 'type', /no such overload/],
  ['start.name.toLowerCase()', 'type', /there is no function toLowerCase\(\); lowerAscii\(\) does that/],
  ['encodeURIComponent(start.name)', 'type', /; urlEncode\(value\) does that/],
  ['encodeURI(start.name)', 'type', /; path\(value\) does that/],
  ['start.name.LENGTH()', 'type', /there is no function LENGTH\(\); size\(\) does that/],
  ['start.name.replace("a", "b")', 'type', /split\("a"\)\.join\("b"\) does that/],
  ['upperAsci(start.name)', 'type', /there is no function upperAsci\(\); the nearest is upperAscii\(\)/],
  ['start.name.startWith("A")', 'type', /the nearest is startsWith\(\)/],
  ['start.name.frobnicate()', 'type', /frobnicate\(\); the page Expressions lists all there are/],
  ['contains(start.name, "A")', 'type', /it is written string\.contains\(string\)$/],
  ['start.name.split(1)', 'value', /written string\.split\(string\) or string\.split\(string, int\)$/],
  ['start.flag ? 1 : null', 'type', /dyn\(…\) around one/],
  ['start.amount >', 'syntax', /a value is expected at its end, and nothing follows/],
  ['', 'syntax', /a value is expected at its end/],
  ['start.', 'syntax', /a name is expected at its end, and nothing follows/],
  ['(start.a, 1)', 'syntax', /`\)` is expected at character 9, and `,` stands there/],
  ['"☃" + loop..x', 'syntax', /a name is expected at character 12, and `\.` stands there/],
  ['start.a = 1', 'syntax', /Unexpected character: =, at character 9/],
  ['while.index', 'syntax', /Reserved identifier/],
  ['start.name.matches("(a+)+$")', 'syntax', /regular expression/],
  ['timestamp("2026-01-01T00:00:00Z").getHours("Europe/Berlin")', 'syntax', /time zone/],
  ['timestamp("2026-01-01T00:00:00Z").getDayOfYear()', 'syntax', /time zone/],
  ['constructor', 'value', undefined],
  [`${'('.repeat(60)}1${')'.repeat(60)}`, 'syntax', /maxDepth/],
  [`1${'+1'.repeat(700)}`, 'syntax', /maxAstNodes/],
  [`"${'x'.repeat(5000)}"`, 'syntax', /longer than 4096/],
  ['!'.repeat(4000), 'syntax', /./],
];

const rendered: [string, unknown][] = [
  ['{{ start.amount }}', 2],
  ['{{start.list}}', [1, 2, 3]],
  ['{{ start.gone }}', null],
  ['Hello {{ start.name }}!', 'Hello Ada!'],
  [' {{ start.amount }}', ' 2'],
  ['{{ start.name }}{{ start.amount }}', 'Ada2'],
  ['[{{ start.gone }}|{{ start.nothing }}|{{ skipped.x }}]', '[||]'],
  ['of {{ start.deep }} and {{ start.list }}', 'of {"a":{"b":"x"}} and [1,2,3]'],
  ['{{ "}}" + "{{" }}', '}}{{'],
  ["{{ '''it's }} here''' }}", "it's }} here"],
  ['{{ "\\"}}" }}', '"}}'],
  ['{{ {"a": {"b": 1}} }}', { a: { b: 1 } }],
  ['{{ {"a": {"b": 1}}}}', { a: { b: 1 } }],
  ['{{ start.amount // }} a comment\n + 1 }}', 3],
  ['no expression }} { {', 'no expression }} { {'],
  ['', ''],
];

const reads: [string, string[][]][] = [
  [
    '{{ start.amount > 1 && fetch.data["a-b"].c }}',
    [
      ['start', 'amount'],
      ['fetch', 'data', 'a-b', 'c'],
    ],
  ],
  ['{{ start.list[0].name }}', [['start', 'list']]],
  [
    '{{ start.list[start.i].name }}',
    [
      ['start', 'list'],
      ['start', 'i'],
    ],
  ],
  ['{{ start }}', [['start']]],
  [
    '{{ start.list.map(x, x.name + vars.a) }}',
    [
      ['start', 'list'],
      ['vars', 'a'],
    ],
  ],
  [
    '{{ a.b.exists(start, start.c) && start.d }}',
    [
      ['a', 'b'],
      ['start', 'd'],
    ],
  ],
  [
    '{{ cel.bind(x, a.b, x.c + y.d) }}',
    [
      ['a', 'b'],
      ['y', 'd'],
    ],
  ],
  [
    '{{ has(a.b.c) ? a.?b : a.?c }}',
    [
      ['a', 'b', 'c'],
      ['a', 'b'],
      ['a', 'c'],
    ],
  ],
  ['{{ type(a) == int }}', [['a']]],
  [
    '{{ {"k": a.b, c.d: 1} }}',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    '{{ -a.b + (!c.d ? 1 : 2) }}',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['{{ timestamp(a.b).getHours() }}', [['a', 'b']]],
  [
    '{{ a.b }} and {{ a.b }} and {{ a.c }}',
    [
      ['a', 'b'],
      ['a', 'c'],
    ],
  ],
  ['text', []],
];

describe('evaluate', () => {
  test.each(evaluated)('%s is %j', (source, value) => {
    expect(evaluate(source, scope)).toEqual(value);
  });

  test.each([
    ['start.gone', null],
    ['skipped.data.items[0].n', null],
    ['start.list[1]', 2],
    ['start.list[9]', null],
    ['start["deep"].a', { b: 'x' }],
    ['start.constructor', null],
    ['start.toString', null],
    ['start.list.length', null],
    ['start.name.length', null],
  ])('the plain path %s reads what is there, or null', (source, value) => {
    expect(evaluate(source, scope)).toEqual(value);
  });

  test.each(failures)('%.60s fails', (source, kind, reason) => {
    if (reason === undefined) {
      expect(evaluate(source, scope)).toBeNull();
      return;
    }
    const error = failing(source);
    expect([error.code, error.kind]).toEqual(['EXPRESSION_FAILED', kind]);
    expect(error.reason).toMatch(reason);
    expect(error.message).toContain(source.slice(0, 100));
  });

  test('an object with a member named constructor stays data', () => {
    expect(evaluate('fetch.data.ok && fetch.data.constructor == "Ferrari"', scope)).toBe(true);
    expect(evaluate('[fetch.data]', scope)).toEqual([scope.fetch.data]);
  });

  test('a member named __proto__ stays data', () => {
    const values = { start: JSON.parse('{"__proto__": {"polluted": true}, "a": 1}') };
    expect(evaluate('start.a + 1', values)).toBe(2);
    expect(evaluate('start.polluted', values)).toBeNull();
    expect(JSON.stringify(evaluate('[start]', values))).toBe('[{"__proto__":{"polluted":true},"a":1}]');
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});

describe('the meter', () => {
  const bombs: [string, string][] = [
    ['nested comprehensions', `l${'.map(a, l'.repeat(6)}${')'.repeat(6)}`],
    [
      'a doubling list',
      `${Array.from({ length: 18 }, (_, i) => `cel.bind(v${i + 1}, v${i} + v${i}, `).join('')}size(v18)${')'.repeat(18)}`,
    ],
    [
      'a doubling text',
      `${Array.from({ length: 18 }, (_, i) => `cel.bind(v${i + 1}, v${i} + v${i}, `).join('')}v18${')'.repeat(18)}`,
    ],
    [
      'a shared tree that is compared',
      `${Array.from({ length: 18 }, (_, i) => `cel.bind(v${i + 1}, [v${i}, v${i}], `).join('')}v18 == [v17, v17]${')'.repeat(18)}`,
    ],
    [
      'a shared tree that is the result',
      `${Array.from({ length: 18 }, (_, i) => `cel.bind(v${i + 1}, [v${i}, v${i}], `).join('')}v18${')'.repeat(18)}`,
    ],
    [
      'a shared tree made text',
      `${Array.from({ length: 18 }, (_, i) => `cel.bind(v${i + 1}, [v${i}, v${i}], `).join('')}json(v18)${')'.repeat(18)}`,
    ],
    [
      'an error that a logic operator would swallow',
      `l.exists(a, l.exists(b, l.exists(c, l.exists(d, l.exists(e, e > 5000))))) || true`,
    ],
  ];
  const values = { l: Array.from({ length: 300 }, (_, i) => i), v0: [1] };

  test.each(bombs)('the meter stops %s', (name, source) => {
    const started = cpuMs();
    const given =
      name.includes('text') && !name.includes('tree') ? { ...values, v0: 'x'.repeat(1000) } : values;
    expect(() => evaluate(source, given)).toThrow(/too much work/);
    expect(cpuMs() - started).toBeLessThan(5_000);
  });

  test('the meter lets ordinary work pass, and more of it under a higher bound', () => {
    expect(evaluate('l.filter(a, a % 2 == 0).map(a, a * 2).size()', values)).toBe(150);
    const pairs = 'size(l.map(a, l.map(b, a * b)))';
    expect(() => evaluate(pairs, values)).toThrow(/too much work/);
    expect(evaluate(pairs, values, new Meter(5_000_000))).toBe(300);
  });

  test('the meter begins at zero for each evaluation of a cached expression', () => {
    for (let i = 0; i < 50; i++) expect(evaluate('l.map(a, a + 1).size()', values)).toBe(300);
  });
});

describe('render', () => {
  test.each(rendered)('%s', (template, value) => {
    expect(render(template, scope)).toEqual(value);
  });

  test('render renders inside lists and objects and keeps all other values', () => {
    expect(
      render({ a: ['{{ start.amount }}', 1, null, true], b: { c: 'x{{ start.name }}' } }, scope),
    ).toEqual({
      a: [2, 1, null, true],
      b: { c: 'xAda' },
    });
  });

  test.each(['{{ start.a', '{{ }}', '{{ "}} }}', '{{ a } }}', '{{ {"a": 1 }}'])(
    '%s is refused',
    (template) => {
      expect(() => render(template, scope)).toThrow(ExpressionError);
    },
  );
});

const addressed: [string, unknown, string | RegExp][] = [
  ['https://a.test/o/{{ start.x }}', '../admin', 'https://a.test/o/..%2Fadmin'],
  ['https://a.test/o/{{ start.x }}', '7?all=1#x', 'https://a.test/o/7%3Fall%3D1%23x'],
  ['https://a.test/o/{{ start.x }}', String.raw`a/b\c`, 'https://a.test/o/a%2Fb%5Cc'],
  ['https://a.test/o/{{ start.x }}', '%2e%2e/admin', 'https://a.test/o/%252e%252e%2Fadmin'],
  ['https://a.test/o/{{ start.x }}', 7, 'https://a.test/o/7'],
  ['https://a.test/o/{{ start.x }}', '..', /dots/],
  ['https://a.test/o/{{ start.x }}/z', '.', /dots/],
  ['https://a.test/o/.{{ start.x }}', '.', /dots/],
  ['https://a.test/{{ start.x }}{{ start.x }}', '.', /dots/],
  ['https://a.test/o/{{ start.x }}', null, /empty/],
  ['https://a.test/o/{{ start.x }}?a=1', '', /empty/],
  ['https://a.test/o/x{{ start.x }}', '', 'https://a.test/o/x'],
  ['https://a.test/o?q={{ start.x }}&y', 'a&b=c#d', 'https://a.test/o?q=a%26b%3Dc%23d&y'],
  ['https://a.test/{{ path(start.x) }}/z', 'a/b?', 'https://a.test/a/b%3F/z'],
  ['https://a.test/{{ path(start.x) }}', 'a/../b', /none is empty or dots/],
  [
    'https://a.test/{{ urlEncode(start.x) }}?q={{ urlEncode(start.x) }}',
    'a/b&',
    'https://a.test/a%2Fb%26?q=a%2Fb%26',
  ],
  ['https://a.test/o/{{ urlEncode(start.x) }}', '..', /dots/],
  ['https://a.test/o/{{ urlEncode(start.x) }}', '', /empty/],
  ['https://{{ urlEncode(start.x) }}/o', 'evil.test/', /name of the server/],
  ['{{ "https://a.test/?q=" + urlEncode(start.x) }}', 'a&b', 'https://a.test/?q=a%26b'],
  ['{{ start.x }}', 'https://b.test/../c?d#e', 'https://b.test/../c?d#e'],
  ['{{ start.x }}/o/{{ start.x }}', 'https://b.test/v1', 'https://b.test/v1/o/https%3A%2F%2Fb.test%2Fv1'],
  ['{{ start.x }}/o', 'https://b.test/?', /one expression/],
  ['https://{{ start.x }}/o', 'b.test:8080', 'https://b.test:8080/o'],
  ['https://{{ start.x }}.b.test/o', 'eu-1', 'https://eu-1.b.test/o'],
  ['https://{{ start.x }}.b.test/o', 'evil.test/', /name of the server/],
  ['https://{{ start.x }}@b.test/o', 'a@evil.test', /name of the server/],
  ['https://{{ start.x }}/o', '', /empty/],
  ['https://a.test{{ start.x }}', '.evil.test', /would name another/],
  ['https://a.test{{ start.x }}/o', ':81', /would name another/],
];

test.each(addressed)('the address %s with %j is %s', (url, x, result) => {
  const params = () => renderParams({ url, body: { url } }, { start: { x: x as Json } });
  if (typeof result !== 'string') expect(params).toThrow(result);
  else expect(params().url).toBe(result);
});

describe('references', () => {
  test.each(reads)('%s', (template, paths) => {
    expect(references(template)).toEqual(paths);
  });

  test('references are found at any depth of a parameter', () => {
    expect(references({ a: ['{{ x.y }}'], b: { c: '{{ z }}' }, d: 1 })).toEqual([['x', 'y'], ['z']]);
    expect(sources({ a: ['{{ x.y }}'], b: 'p {{ z }} q {{ x.y }}' })).toEqual(['x.y', 'z', 'x.y']);
  });
});

test('a compiled expression is cached, and the cache is bounded', () => {
  const first = parse('1 + 41');
  expect(parse('1 + 41')).toBe(first);
  for (let i = 0; i < 2100; i++) parse(`1 + ${i}`);
  expect(parse('1 + 41.0')).not.toBe(first);
});
