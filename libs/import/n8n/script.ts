// The runtimes of blocks are texts in one piece, beside the code that decides which of them a block needs.
import { parse, type Node as Parsed, type Program } from 'acorn';
import type { JsonObject } from '#libs/platform/json/json';
import { type CelPlace, template, writePath } from '../cel-text.ts';
import { NotUnderstood, parseExpression } from '../javascript.ts';

/** What a script reads: the same as the expressions of its node. */
export interface ScriptScope {
  json: CelPlace | string;
  outputOf(name: string): CelPlace | string | undefined;
  loop: string | undefined;
  secret(name: string): string;
  change(sentence: string): void;
}

/** Global names that the sandbox of a function block has, and n8n too. */
const globals = new Set(
  (
    'undefined NaN Infinity Math JSON Object Array String Number Boolean Date RegExp Map Set WeakMap WeakSet Symbol BigInt Error TypeError ' +
    'RangeError SyntaxError parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI Reflect Proxy ' +
    'Uint8Array Uint16Array Uint32Array Int8Array Int16Array Int32Array Float32Array Float64Array ArrayBuffer DataView console arguments this'
  ).split(' '),
);
/** Names that n8n gives to code, and the runtime below too. */
const given = new Set([
  '$json',
  '$input',
  '$',
  '$node',
  '$items',
  '$itemIndex',
  '$runIndex',
  '$position',
  '$ifEmpty',
  '$if',
  '$min',
  '$max',
  '$not',
]);
/** Methods of values that n8n adds to those of JavaScript, and the runtime below too. */
const extensions = new Set([
  'isEmpty',
  'isNotEmpty',
  'first',
  'last',
  'toInt',
  'toFloat',
  'toNumber',
  'toJsonString',
  'unique',
  'sum',
  'average',
  'isEven',
  'isOdd',
  'round',
  'floor',
  'ceil',
  'chunk',
  'compact',
  'toBoolean',
  'hasField',
  'keys',
  'values',
  'urlEncode',
  'urlDecode',
  'parseJson',
  'removeTags',
  'removeMarkdown',
  'toSentenceCase',
  'toSnakeCase',
  'isNumeric',
  'removeField',
  'toDateTime',
]);
/** Methods whose results depend on the place of the machine, or that need tables of languages. */
const local = /^(toLocale\w+|localeCompare|normalize|getTimezoneOffset|toDateString|toTimeString)$/;
const builtIn = new Set(
  [String, Array, Object, Number, Boolean, Date, RegExp, Map, Set, Function].flatMap((one) =>
    Object.getOwnPropertyNames(one.prototype),
  ),
);
const clockCharsMax = 200;
const accessors = new Set(['item', 'first', 'last', 'all', 'itemMatching', 'json']);

/**
 * The part of n8n that scripts need: several items are a list, one item is its value. An expression that throws has no value, as in n8n.
 */
const runtime = `const itemsOf = (value) => (Array.isArray(value) ? value : value === null ? [] : [value]).map((json) => ({ json }));
const giveItems = (items) => (items.length === 1 ? items[0].json : items.map(({ json }) => json));
const onlyOf = (value, name) => {
  if (!Array.isArray(value)) return value;
  if (value.length === 1) return value[0];
  throw new Error(value.length + ' items come from ' + name + ', and this block takes one: put a loop around it.');
};
const nodeOf = (value, name) => ({ get item() { return { json: onlyOf(value, name) }; }, get json() { return onlyOf(value, name); }, itemMatching: (at) => itemsOf(value)[at], first: () => itemsOf(value)[0], last: () => itemsOf(value).at(-1), all: () => itemsOf(value) });
const $ = (name) => nodeOf(input.nodes[name], name);
const $node = Object.fromEntries(Object.keys(input.nodes ?? {}).map((name) => [name, nodeOf(input.nodes[name], name)]));
const $items = (name) => itemsOf(name === undefined ? input.json : input.nodes[name]);
const $input = nodeOf(input.json, 'the block before it');
const toPlain = (value) => (value !== null && typeof value === 'object' && typeof value.toISO === 'function' ? value.toISO() : value);
const attempt = (work) => { try { return toPlain(work()); } catch (error) { if (/items come from|is used on a missing value|is not known here/.test(error.message)) throw error; return undefined; } };
`;

const extensionRuntime = String.raw`const $if = (test, yes, no) => (test ? yes : no);
const $not = (value) => !value;
const $min = Math.min;
const $max = Math.max;
const isEmptyValue = (value) => value === undefined || value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
const $ifEmpty = (value, other) => (isEmptyValue(value) ? other : value);
const known = (number) => { if (Number.isNaN(number)) throw new TypeError('no number'); return number; };
const numbersOf = (list) => { if (list.some((one) => typeof one !== 'number')) throw new TypeError('no numbers'); return list; };
const withoutSigns = (text) => text.replace(/(Lek|؋|\$|ƒ|₼|Br|BZ\$|\$b|KM|P|лв|R\$|៛|¥|₡|kn|₱|Kč|kr|RD\$|£|€|¢|Q|L|Ft|₹|Rp|﷼|₪|J\$|₩|₭|ден|RM|₨|₮|MT|C\$|₦|B\/\.|Gs|S\/\.|zł|lei|₽|Дин\.|S|R|CHF|NT\$|฿|TT\$|₺|₴|\$U|Bs|₫|Z\$)/gu, '');
const isEqual = (a, b) => a === b || (Number.isNaN(a) && Number.isNaN(b)) || (a !== null && b !== null && typeof a === 'object' && typeof b === 'object' && Array.isArray(a) === Array.isArray(b) && Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((name) => Object.hasOwn(b, name) && isEqual(a[name], b[name])));
const isNothing = (value) => value === null || value === undefined || value === '' || value === 'nil' || (typeof value === 'object' && Object.keys(value).length === 0);
const compact = (value) => (Array.isArray(value) ? value.filter((one) => !isNothing(one)).map((one) => (typeof one === 'object' ? compactObject(one) : one)) : compactObject(value));
const compactObject = (value) => Object.fromEntries(Object.entries(value).filter(([, one]) => !isNothing(one)).map(([name, one]) => [name, typeof one === 'object' ? compactObject(one) : one]));
const sentences = (value) => {
  let [rest, made] = [value, ''];
  for (let at = rest.search(/\p{L}/u); at >= 0; at = rest.search(/\p{L}/u)) {
    rest = rest.slice(0, at) + rest[at].toUpperCase() + rest.slice(at + 1).toLowerCase();
    const end = rest.search(/[!?.]/);
    if (end < 0) return made + rest;
    made += rest.slice(0, end + 1);
    rest = rest.slice(end + 1);
  }
  return made + rest;
};
const extended = {
  isEmpty: (value) => isEmptyValue(value) || value === 0 || value === false,
  isNotEmpty: (value) => !extended.isEmpty(value),
  'Array toInt': () => undefined,
  'Array toFloat': () => undefined,
  'Array toBoolean': () => undefined,
  'Object toInt': () => undefined,
  'Object toFloat': () => undefined,
  'Object toBoolean': () => undefined,
  'Array first': (value) => value[0],
  'Array last': (value) => value[value.length - 1],
  'String toInt': (value, radix) => known(parseInt(withoutSigns(value), radix)),
  'Number toInt': (value) => Number(value.toFixed(0)),
  'Boolean toInt': (value) => Number(value),
  'String toFloat': (value) => known(value.includes(',') ? NaN : parseFloat(withoutSigns(value))),
  'Number toFloat': (value) => value,
  'Boolean toFloat': (value) => Number(value),
  'String toNumber': (value) => known(Number(withoutSigns(value))),
  'Number toNumber': (value) => value,
  'Boolean toNumber': (value) => Number(value),
  'String toBoolean': (value) => !['', 'false', '0', 'no'].includes(value.toLowerCase()),
  'Number toBoolean': (value) => value !== 0,
  'Boolean toBoolean': (value) => value,
  'Array toJsonString': (value) => JSON.stringify(value),
  'Object toJsonString': (value) => JSON.stringify(value),
  'String toJsonString': (value) => JSON.stringify(value),
  'Array unique': (value, ...names) => { const key = (one) => (names.length > 0 && one && typeof one === 'object' ? Object.fromEntries(names.map((name) => [name, one[name]])) : one); return value.filter((one, i) => value.findIndex((other) => isEqual(key(other), key(one))) === i); },
  'Array sum': (value) => numbersOf(value).reduce((total, one) => total + one, 0),
  'Array average': (value) => (value.length === 0 ? 0 : numbersOf(value).reduce((total, one) => total + one, 0) / value.length),
  'Number isEven': (value) => { if (!Number.isInteger(value)) throw new TypeError('no whole number'); return value % 2 === 0; },
  'Number isOdd': (value) => { if (!Number.isInteger(value)) throw new TypeError('no whole number'); return Math.abs(value) % 2 === 1; },
  'Number round': (value, places = 0) => Number(value.toFixed(places)),
  'Number floor': (value) => Math.floor(value),
  'Number ceil': (value) => Math.ceil(value),
  'Array chunk': (value, size) => { if (typeof size !== 'number' || !(size > 0)) throw new TypeError('no size'); return Array.from({ length: Math.ceil(value.length / size) }, (_, i) => value.slice(i * size, i * size + size)); },
  'Array compact': compact,
  'Object hasField': (value, name) => name in value,
  'Object compact': compact,
  'Object urlEncode': (value) => Object.entries(value).map((pair) => pair.map((one) => encodeURIComponent(one).replace(/%20/g, '+').replace(/[!'()~]/g, (sign) => '%' + sign.charCodeAt(0).toString(16).toUpperCase())).join('=')).join('&'),
  'Object keys': (value) => Object.keys(value),
  'Object values': (value) => Object.values(value),
  'Object removeField': (value, name) => Object.fromEntries(Object.entries(value).filter(([key]) => key !== name)),
  'String urlEncode': (value, whole) => (whole ? encodeURI(value) : encodeURIComponent(value)),
  'String urlDecode': (value, whole) => (whole ? decodeURI(value) : decodeURIComponent(value)),
  'String toDateTime': (value) => Moment.of(value),
  'String parseJson': (value) => JSON.parse(value),
  'String isNumeric': (value) => !value.includes(' ') && !isNaN(value) && !isNaN(parseFloat(value)),
  'String removeTags': (value) => value.replace(/<[^>]*>?/gm, ''),
  'String toSentenceCase': sentences,
  'String toSnakeCase': (value) => value.toLowerCase().replace(/[ \-]/g, '_').replace(/[\u2000-\u206F\u2E00-\u2E7F\\'!"#$%&()*+,./:;<=>?@[\]^${'`'}{|}~]/g, ''),
  'String removeMarkdown': (value) => value.replace(/^([\s\t]*)([*\-+]|\d\.)\s+/gm, '$1').replace(/\n={2,}/g, '\n').replace(/~~/g, '').replace(/${'`'}{3}.*\n/g, '').replace(/<[\w|\s|=|'|"|:|(|)|,|;|/|0-9|.|-]+[>|\\>]/g, '').replace(/^[=-]{2,}\s*$/g, '').replace(/\[\^.+?\](: .*?$)?/g, '').replace(/\s{0,2}\[.*?\]: .*?$/g, '').replace(/!\[.*?\][[(].*?[\])]/g, '').replace(/\[(.*?)\][[(].*?[\])]/g, '$1').replace(/>/g, '').replace(/^\s{1,2}\[(.*?)\]: (\S+)( ".*?")?\s*$/g, '').replace(/^#{1,6}\s*([^#]*)\s*(#{1,6})?/gm, '$1').replace(/([*_]{1,3})(\S.*?\S)\1/g, '$2').replace(/(${'`'}{3,})(.*?)\1/gm, '$2').replace(/^-{3,}\s*$/g, '').replace(/${'`'}(.+?)${'`'}/g, '$1').replace(/\n{2,}/g, '\n\n'),
};
const kindOf = (value) => (Array.isArray(value) ? 'Array' : typeof value === 'object' ? 'Object' : typeof value === 'string' ? 'String' : typeof value === 'number' ? 'Number' : 'Boolean');
const extend = (value, name, ...args) => {
  if ((value === null || value === undefined) && !/^is(Not)?Empty$/.test(name)) throw new Error(name + '() is used on a missing value.');
  if (value !== null && value !== undefined && typeof value[name] === 'function') return value[name](...args);
  const method = extended[name] ?? extended[kindOf(value) + ' ' + name];
  if (!method) throw new TypeError('no such method');
  return method(value, ...args);
};
`;

/**
 * The dates of Luxon, as far as this goes: in UTC, with English names. A format with another letter, and another unit, fail.
 */
const dateRuntime = String.raw`const units = { year: 0, month: 0, day: 864e5, week: 6048e5, hour: 36e5, minute: 6e4, second: 1e3, millisecond: 1 };
const unitOf = (name) => { const unit = String(name).toLowerCase().replace(/s$/, ''); if (!Object.hasOwn(units, unit)) throw new Error('The unit ' + name + ' of a date is not known here.'); return unit; };
const months = 'January February March April May June July August September October November December'.split(' ');
const days = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const two = (number, length = 2) => String(number).padStart(length, '0');
class Moment {
  constructor(ts) { if (Number.isNaN(ts)) throw new TypeError('no date'); this.ts = ts; this.date = new Date(ts); }
  static now() { return new Moment(Date.parse(input.now)); }
  static utc() { return Moment.now(); }
  static local() { return Moment.now(); }
  static fromISO(text) { return Moment.of(/ /.test(text) ? NaN : text); }
  static fromMillis(ts) { return new Moment(Number(ts)); }
  static fromSeconds(seconds) { return new Moment(Number(seconds) * 1e3); }
  static fromJSDate(date) { return new Moment(date.getTime()); }
  static of(value) { return value instanceof Moment ? value : value instanceof Date ? new Moment(value.getTime()) : new Moment(Date.parse(/^\d{4}-\d\d-\d\dT[\d:.]+$/.test(String(value)) ? value + 'Z' : String(value))); }
  get year() { return this.date.getUTCFullYear(); }
  get month() { return this.date.getUTCMonth() + 1; }
  get day() { return this.date.getUTCDate(); }
  get hour() { return this.date.getUTCHours(); }
  get minute() { return this.date.getUTCMinutes(); }
  get second() { return this.date.getUTCSeconds(); }
  get millisecond() { return this.date.getUTCMilliseconds(); }
  get weekday() { return this.date.getUTCDay() || 7; }
  toUTC() { return this; }
  toISO() { return this.date.toISOString(); }
  toISODate() { return this.toISO().slice(0, 10); }
  toISOTime() { return this.toISO().slice(11); }
  toString() { return this.toISO(); }
  toJSON() { return this.toISO(); }
  toMillis() { return this.ts; }
  valueOf() { return this.ts; }
  toSeconds() { return this.ts / 1e3; }
  toUnixInteger() { return Math.floor(this.ts / 1e3); }
  toJSDate() { return this.date; }
  plus(amount, unit) {
    let made = this;
    for (const [name, count] of typeof amount === 'object' ? Object.entries(amount) : [[unit ?? 'millisecond', amount]]) made = made.shifted(unitOf(name), Number(count));
    return made;
  }
  minus(amount, unit) { return typeof amount === 'object' ? this.plus(Object.fromEntries(Object.entries(amount).map(([name, count]) => [name, -count]))) : this.plus(-amount, unit); }
  shifted(unit, count) {
    if (units[unit] > 0) return new Moment(this.ts + count * units[unit]);
    const month = this.year * 12 + this.month - 1 + count * (unit === 'year' ? 12 : 1);
    const last = new Date(Date.UTC(Math.floor(month / 12), (month % 12) + 1, 0)).getUTCDate();
    return new Moment(Date.UTC(Math.floor(month / 12), month % 12, Math.min(this.day, last), this.hour, this.minute, this.second, this.millisecond));
  }
  startOf(name) {
    const unit = unitOf(name);
    if (unit === 'year') return new Moment(Date.UTC(this.year, 0, 1));
    if (unit === 'month') return new Moment(Date.UTC(this.year, this.month - 1, 1));
    if (unit === 'week') return new Moment(Math.floor(this.ts / 864e5) * 864e5 - (this.weekday - 1) * 864e5);
    return new Moment(Math.floor(this.ts / units[unit]) * units[unit]);
  }
  endOf(name) { return new Moment(this.startOf(name).shifted(unitOf(name), 1).ts - 1); }
  toFormat(format) {
    const names = { yyyy: two(this.year, 4), yy: two(this.year % 100), MMMM: months[this.month - 1], MMM: months[this.month - 1].slice(0, 3), MM: two(this.month), M: this.month, dd: two(this.day), d: this.day, EEEE: days[this.date.getUTCDay()], EEE: days[this.date.getUTCDay()].slice(0, 3), E: this.weekday, HH: two(this.hour), H: this.hour, hh: two(this.hour % 12 || 12), h: this.hour % 12 || 12, mm: two(this.minute), m: this.minute, ss: two(this.second), s: this.second, SSS: two(this.millisecond, 3), a: this.hour < 12 ? 'AM' : 'PM', x: this.ts, X: Math.floor(this.ts / 1e3) };
    return format.replace(/'([^']*)'|([A-Za-z])\2*/g, (text, quoted) => {
      if (quoted !== undefined) return quoted;
      const name = text.replace(/^L+$/, (all) => all.replace(/L/g, 'M')).replace(/^c+$/, (all) => all.replace(/c/g, 'E'));
      if (!Object.hasOwn(names, name)) throw new Error('The format ' + text + ' of a date is not known here.');
      return names[name];
    });
  }
  format(format = 'yyyy-MM-dd') { return this.toFormat(format); }
}
const DateTime = Moment;
const $now = Moment.now();
const $today = $now.startOf('day');
`;
/** Methods of a date, which the runtime above has. */
const dateMethods = new Set(
  'now utc local fromISO fromMillis fromSeconds fromJSDate toUTC toISO toISODate toISOTime toMillis toSeconds toUnixInteger toJSDate plus minus startOf endOf toFormat format'.split(
    ' ',
  ),
);

/** Collects the JavaScript of one node, and the values that it reads, for a function block. */
export class N8nScript {
  private readonly nodes = new Map<string, string>();
  private readonly variables = new Map<string, string>();
  private usesExtensions = false;
  private usesClock = false;
  private usesDates = false;
  private usesItem = false;
  private readonly helpers = new Map<string, string>();
  private readonly values: string[] = [];

  /** The code of the block before the node, where that is no list of values. It has each item for itself. */
  ownCode?: string;

  /** True for a node that runs once, with its first item. */
  takesFirst = false;

  constructor(private readonly scope: ScriptScope) {}

  get isEmpty(): boolean {
    return this.values.length === 0 && this.ownCode === undefined;
  }

  /** Adds a value that a block before the node computes, and returns the number of its place. */
  addValue(source: string): number {
    return this.values.push(source) - 1;
  }

  /** Adds a part of the runtime, once. */
  need(name: string, source: string): void {
    this.helpers.set(name, source);
  }

  /** Checks an expression of n8n, and returns JavaScript with the same value here. Throws NotUnderstood for what has no counterpart. */
  expression(source: string): string {
    const text = source.trim().replace(/;$/, '');
    const rewritten = this.rewritten(text, parseExpression(text), new Set());
    return `attempt(() => (${rewritten}${/\/[/*]/.test(rewritten) ? '\n' : ''}))`;
  }

  /** Checks the code of a node, and returns it as it runs here. */
  code(source: string, names: string[] = []): string {
    let program: Program;
    try {
      program = parse(source, {
        ecmaVersion: 'latest',
        allowReturnOutsideFunction: true,
        allowAwaitOutsideFunction: true,
      });
    } catch (error) {
      throw new NotUnderstood(
        `it is no JavaScript (${error instanceof Error ? error.message : String(error)})`,
      );
    }
    const declared = new Set([...declaredIn(program), ...names]);
    // Code that is not strict makes a variable of a name that it writes.
    const made = [...writtenIn(program)].filter(
      (name) => !declared.has(name) && !globals.has(name) && !given.has(name),
    );
    const code = this.rewritten(source, program, new Set([...declared, ...made]));
    return made.length > 0 ? `let ${made.join(', ')};\n${code}` : code;
  }

  /** The values that the script reads as `input.NAME`, as templates. */
  input(): JsonObject {
    const { json, loop } = this.scope;
    return {
      ...(typeof json === 'string' ? {} : { json: template(writePath(json)) }),
      ...(this.nodes.size > 0 ? { nodes: Object.fromEntries(this.nodes) } : {}),
      ...(this.variables.size > 0 ? { variables: Object.fromEntries(this.variables) } : {}),
      ...(loop ? { index: template(`${loop}.index`) } : {}),
      ...(this.usesClock || this.usesDates ? { now: '{{ run.startTime }}' } : {}),
    };
  }

  /** A function block that runs the code, with the runtime before it. */
  block(code: string, input = this.input()): JsonObject {
    const runtimes = `${runtime}${this.usesExtensions ? extensionRuntime : ''}${this.usesDates ? dateRuntime : ''}${[...this.helpers.values()].join('')}`;
    return { type: 'function', params: { code: runtimes + code, input } };
  }

  /** The function block that computes the added values, from one item. */
  valuesBlock(): JsonObject {
    if (this.ownCode !== undefined) return this.block(this.ownCode);
    const item = this.usesItem
      ? `const $json = input.json === undefined ? {} : ${this.takesFirst ? 'itemsOf(input.json)[0]?.json' : "onlyOf(input.json, 'the block before it')"};\nconst item = { json: $json };\nconst $itemIndex = input.index ?? 0;\nconst $runIndex = input.index ?? 0;\n`
      : '';
    const members = this.values.map((one, i) => `v${i}: ${one}`);
    return this.block(`${item}return { ${members.join(', ')} };`);
  }

  private rewritten(source: string, tree: Parsed, declared: Set<string>): string {
    const edits: { from: number; to: number; text: string }[] = [];
    this.visit(tree, { source, declared, edits });
    let text = source;
    for (const { from, to, text: by } of edits.toSorted((a, b) => b.from - a.from))
      text = text.slice(0, from) + by + text.slice(to);
    return text;
  }

  private visit(parsed: Parsed, around: TreeVisit): void {
    // oxlint-disable-next-line typescript/no-explicit-any -- any node of the tree
    const node = parsed as any;
    if (this.replaceClock(node, around)) return;
    if (node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression') {
      const declared = new Set([...around.declared, ...declaredIn(node)]);
      for (const inner of getChildren(node)) this.visit(inner, { ...around, declared });
      return;
    }
    if (node.type === 'Identifier') return this.checkName(node.name, around.declared);
    if (node.type === 'MemberExpression') {
      this.checkMember(node, around);
      this.visit(node.object, around);
      if (node.computed) this.visit(node.property, around);
      return;
    }
    // A member that is written need not be there before.
    if (
      node.type === 'AssignmentExpression' &&
      node.operator === '=' &&
      node.left.type === 'MemberExpression'
    ) {
      this.visit(node.left.object, around);
      if (node.left.computed) this.visit(node.left.property, around);
      return this.visit(node.right, around);
    }
    if (node.type === 'CallExpression') this.checkCall(node, around);
    if (node.type === 'Property' && !node.computed) {
      if (node.shorthand) this.checkName(node.key.name, around.declared);
      else this.visit(node.value, around);
      return;
    }
    if (/^(Import|Export|Await|Yield|MetaProperty)/.test(node.type))
      throw new NotUnderstood('it loads modules or is asynchronous, which code here is not');
    if (node.async === true) throw new NotUnderstood('it is asynchronous, which code here is not');
    for (const inner of getChildren(node)) this.visit(inner, around);
  }

  private useDates(): void {
    this.usesDates = true;
    this.scope.change('Its dates are in UTC, and a run has one clock, the moment of its start.');
  }

  private checkName(name: string, declared: Set<string>): void {
    if (declared.has(name) || globals.has(name)) return;
    if (name === '$now' || name === '$today' || name === 'DateTime') {
      this.useDates();
      return;
    }
    if (!given.has(name) && name !== 'item' && name !== 'items')
      throw new NotUnderstood(`"${name}" is not known here`);
    if (/^\$(if|ifEmpty|not|min|max)$/.test(name)) this.usesExtensions = true;
    if (/^(\$json|item|\$itemIndex|\$runIndex)$/.test(name)) this.usesItem = true;
    const { json } = this.scope;
    if (typeof json === 'string' && /^(\$json|\$input|items?)$/.test(name)) throw new NotUnderstood(json);
  }

  /** Notes the nodes that are read, and refuses members that are not there. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a node of the tree
  private checkMember(node: any, { source }: TreeVisit): void {
    const { object, property, computed } = node;
    const key = computed ? (typeof property.value === 'string' ? property.value : undefined) : property.name;
    if (object.type === 'Identifier' && (object.name === '$vars' || object.name === '$env')) {
      if (key === undefined) throw new NotUnderstood('the name of a variable is calculated');
      return;
    }
    if (object.type === 'Identifier' && object.name === '$node') {
      if (key === undefined) throw new NotUnderstood('the name of a node is calculated');
      this.readNode(key);
      return;
    }
    const place = this.placeOf(object);
    if (place === 'node' && key !== undefined && !accessors.has(key))
      throw new NotUnderstood(`"${key}" of a node is not known here`);
    if (
      typeof place === 'object' &&
      place.members &&
      (key === undefined || !Object.hasOwn(place.members, key)) &&
      (key === undefined || !place.lacks || place.lacks.includes(key))
    )
      throw new NotUnderstood(`there is no member "${key ?? source.slice(property.start, property.end)}"`);
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- a node of the tree
  private checkCall(node: any, { edits, source, declared }: TreeVisit): void {
    const { callee, arguments: args } = node;
    if (
      callee.type === 'Identifier' &&
      (callee.name === '$' || callee.name === '$items') &&
      args.length > 0
    ) {
      if (typeof args[0].value !== 'string') throw new NotUnderstood('the name of a node is calculated');
      this.readNode(args[0].value);
    }
    if (callee.type !== 'MemberExpression' || callee.computed) return;
    const name: string = callee.property.name;
    if (local.test(name)) throw new NotUnderstood(`.${name}() depends on the machine`);
    if (this.placeOf(callee.object) === 'node') return;
    if (builtIn.has(name) && !(name === 'keys' || name === 'values')) return;
    if (callee.object.type === 'Identifier' && globals.has(callee.object.name)) return;
    if (callee.object.type === 'Identifier') this.checkName(callee.object.name, declared);
    // A method of something that the code has made itself.
    if (callee.object.type === 'Identifier' && declared.has(callee.object.name)) return;
    if (dateMethods.has(name) && isDate(callee.object)) return;
    if (!extensions.has(name)) throw new NotUnderstood(`there is no counterpart of .${name}()`);
    this.usesExtensions = true;
    if (name === 'toDateTime') this.useDates();
    edits.push({ from: node.start, to: node.start, text: 'extend(' });
    // Parentheses around the object stand between its end and the dot.
    const dot = source.lastIndexOf('.', callee.property.start);
    const open = source.indexOf('(', callee.property.end);
    edits.push({
      from: dot - (source.charAt(dot - 1) === '?' ? 1 : 0),
      to: open + 1,
      text: `, ${JSON.stringify(name)}${args.length > 0 ? ', ' : ''}`,
    });
  }

  /** The moment of the run in the place of `$now.toISO()`, and a variable of the installation in that of `$vars.X`. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a node of the tree
  private replaceClock(node: any, { edits, source }: TreeVisit): boolean {
    // A path to a clock or a variable is short, and each node of a long expression comes here.
    if (node.end - node.start > clockCharsMax) return false;
    const text = source.slice(node.start, node.end).replaceAll(/\s/g, '');
    if (/^\$now\.(toISO|toISOString|toString)\(\)$/.test(text) && node.type !== 'ExpressionStatement') {
      this.usesClock = true;
      this.scope.change('A run has one clock, the moment of its start: $now reads that.');
      edits.push({ from: node.start, to: node.end, text: 'input.now' });
      return true;
    }
    if (/^\$(vars|env)\.\w+$/.test(text) && node.type === 'MemberExpression') {
      const name = text.split('.')[1] ?? '';
      this.variables.set(name, template(this.scope.secret(name)));
      edits.push({ from: node.start, to: node.end, text: `input.variables[${JSON.stringify(name)}]` });
      return true;
    }
    return false;
  }

  private readNode(name: string): void {
    const place = this.scope.outputOf(name);
    if (place === undefined) throw new NotUnderstood(`there is no node "${name}"`);
    if (typeof place === 'string') throw new NotUnderstood(place);
    this.nodes.set(name, template(writePath(place)));
  }

  /** What an expression stands for: the items of a node, the value of an item, or something else. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a node of the tree
  private placeOf(node: any): 'node' | CelPlace | undefined {
    const named = (name: string) => {
      const place = this.scope.outputOf(name);
      return typeof place === 'object' ? place : undefined;
    };
    const incoming = typeof this.scope.json === 'object' ? this.scope.json : undefined;
    if (node.type === 'Identifier') {
      if (node.name === '$json') return incoming;
      return node.name === '$input' ? 'node' : undefined;
    }
    if (node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === '$')
      return 'node';
    if (node.type !== 'MemberExpression') return undefined;
    if (node.object.type === 'Identifier' && node.object.name === '$node') return 'node';
    if (node.computed || node.property.name !== 'json') return undefined;
    // `$("A").item.json`, `$("A").first().json`, `$node["A"].json`
    let inner = node.object;
    if (inner.type === 'CallExpression') inner = inner.callee;
    if (inner.type === 'MemberExpression' && accessors.has(inner.property.name)) inner = inner.object;
    if (inner.type === 'Identifier')
      return inner.name === '$input' || inner.name === 'item' ? incoming : undefined;
    if (inner.type === 'CallExpression' && inner.callee.name === '$')
      return named(String(inner.arguments[0]?.value));
    if (inner.type === 'MemberExpression' && inner.object.name === '$node')
      return named(String(inner.computed ? inner.property.value : inner.property.name));
    return undefined;
  }
}

/** True for what begins with a date, or has been made one. */
// oxlint-disable-next-line typescript/no-explicit-any -- a node of the tree
function isDate(node: any): boolean {
  if (node.type === 'Identifier') return /^(\$now|\$today|DateTime)$/.test(node.name);
  if (node.type === 'CallExpression')
    return node.callee.property?.name === 'toDateTime' || isDate(node.callee);
  return node.type === 'MemberExpression' && isDate(node.object);
}

interface TreeVisit {
  source: string;
  declared: Set<string>;
  edits: { from: number; to: number; text: string }[];
}

/** The names that are declared anywhere in a tree, with those of parameters. */
function declaredIn(tree: Parsed): Set<string> {
  const names = new Set<string>();
  // oxlint-disable-next-line typescript/no-explicit-any -- any node of the tree
  const pattern = (node: any): void => {
    if (!node) return;
    if (node.type === 'Identifier') names.add(node.name);
    else if (node.type === 'ObjectPattern')
      for (const one of node.properties) pattern(one.value ?? one.argument);
    else if (node.type === 'ArrayPattern') for (const one of node.elements) pattern(one);
    else if (node.type === 'AssignmentPattern') pattern(node.left);
    else if (node.type === 'RestElement') pattern(node.argument);
  };
  // oxlint-disable-next-line typescript/no-explicit-any -- any node of the tree
  const visit = (node: any): void => {
    if (node.type === 'VariableDeclarator') pattern(node.id);
    if (/Function|Class/.test(node.type) && node.id) pattern(node.id);
    if (/Function/.test(node.type)) for (const one of node.params) pattern(one);
    if (node.type === 'CatchClause') pattern(node.param);
    for (const inner of getChildren(node)) visit(inner);
  };
  visit(tree);
  return names;
}

/** The names that code assigns to. */
function writtenIn(tree: Parsed): Set<string> {
  const names = new Set<string>();
  // oxlint-disable-next-line typescript/no-explicit-any -- any node of the tree
  const visit = (node: any): void => {
    if (
      node.type === 'AssignmentExpression' &&
      node.operator === '=' &&
      node.left.type === 'Identifier' &&
      node.left.name !== 'item' &&
      node.left.name !== 'items'
    )
      names.add(node.left.name);
    for (const inner of getChildren(node)) visit(inner);
  };
  visit(tree);
  return names;
}

function getChildren(node: Parsed): Parsed[] {
  return Object.values(node)
    .flat()
    .filter((one): one is Parsed => typeof one === 'object' && one !== null && typeof one.type === 'string');
}
