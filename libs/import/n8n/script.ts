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
const attempt = (work) => { try { return work(); } catch (error) { if (/items come from|is used on a missing value/.test(error.message)) throw error; return undefined; } };
`;

const extensionRuntime = `const $if = (test, yes, no) => (test ? yes : no);
const $not = (value) => !value;
const $min = Math.min;
const $max = Math.max;
const isEmptyValue = (value) => value === undefined || value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
const $ifEmpty = (value, other) => (isEmptyValue(value) ? other : value);
const numeric = (value) => { if (value === null || value === undefined || Number.isNaN(Number(value)) || typeof value === 'object') throw new TypeError('no number'); return Number(value); };
const rounded = (value, places = 0) => (value < 0 ? -1 : 1) * Number(Math.round(Number(Math.abs(value) + 'e' + places)) + 'e-' + places);
const extended = {
  isEmpty: isEmptyValue,
  isNotEmpty: (value) => !isEmptyValue(value),
  'Array first': (value) => value[0],
  'Array last': (value) => value[value.length - 1],
  'String toInt': (value, radix) => numeric(parseInt(value, radix ?? 10)),
  'Number toInt': (value) => rounded(value),
  'Boolean toInt': (value) => Number(value),
  'String toFloat': (value) => numeric(parseFloat(value)),
  'Number toFloat': (value) => value,
  'Boolean toFloat': (value) => Number(value),
  'String toNumber': (value) => numeric(value),
  'Number toNumber': (value) => value,
  'Boolean toNumber': (value) => Number(value),
  'String toBoolean': (value) => !['', 'false', '0', 'no'].includes(value.toLowerCase()),
  'Number toBoolean': (value) => value !== 0,
  'Boolean toBoolean': (value) => value,
  'Array toJsonString': (value) => JSON.stringify(value),
  'Object toJsonString': (value) => JSON.stringify(value),
  'String toJsonString': (value) => JSON.stringify(value),
  'Number toJsonString': (value) => JSON.stringify(value),
  'Boolean toJsonString': (value) => JSON.stringify(value),
  'Array unique': (value) => value.filter((one, i) => value.findIndex((other) => JSON.stringify(other) === JSON.stringify(one)) === i),
  'Array sum': (value) => value.reduce((total, one) => total + numeric(one), 0),
  'Array average': (value) => (value.length === 0 ? 0 : value.reduce((total, one) => total + numeric(one), 0) / value.length),
  'Number isEven': (value) => { if (!Number.isInteger(value)) throw new TypeError('no whole number'); return value % 2 === 0; },
  'Number isOdd': (value) => { if (!Number.isInteger(value)) throw new TypeError('no whole number'); return Math.abs(value) % 2 === 1; },
  'Number round': rounded,
  'Number floor': (value) => Math.floor(value),
  'Number ceil': (value) => Math.ceil(value),
  'Array chunk': (value, size) => Array.from({ length: Math.ceil(value.length / size) }, (_, i) => value.slice(i * size, i * size + size)),
  'Array compact': (value) => value.filter((one) => one !== null && one !== undefined && one !== '' && one !== 'nil'),
  'Object hasField': (value, name) => Object.hasOwn(value, name),
  'Object compact': (value) => Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null && one !== undefined && one !== '' && one !== 'nil')),
  'Object urlEncode': (value) => Object.entries(value).map((pair) => pair.map((one) => encodeURIComponent(one).replace(/%20/g, '+')).join('=')).join('&'),
  'Object keys': (value) => Object.keys(value),
  'Object values': (value) => Object.values(value),
  'String urlEncode': (value, whole) => (whole ? encodeURI(value) : encodeURIComponent(value)),
  'String urlDecode': (value, whole) => (whole ? decodeURI(value) : decodeURIComponent(value)),
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

/** Collects the JavaScript of one node, and the values that it reads, for a function block. */
export class N8nScript {
  private readonly nodes = new Map<string, string>();
  private readonly variables = new Map<string, string>();
  private usesExtensions = false;
  private usesClock = false;
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
    return `attempt(() => (${this.rewritten(text, parseExpression(text), new Set())}))`;
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
    return this.rewritten(source, program, new Set([...declaredIn(program), ...names]));
  }

  /** The values that the script reads as `input.NAME`, as templates. */
  input(): JsonObject {
    const { json, loop } = this.scope;
    return {
      ...(typeof json === 'string' ? {} : { json: template(writePath(json)) }),
      ...(this.nodes.size > 0 ? { nodes: Object.fromEntries(this.nodes) } : {}),
      ...(this.variables.size > 0 ? { variables: Object.fromEntries(this.variables) } : {}),
      ...(loop ? { index: template(`${loop}.index`) } : {}),
      ...(this.usesClock ? { now: '{{ run.startTime }}' } : {}),
    };
  }

  /** A function block that runs the code, with the runtime before it. */
  block(code: string, input = this.input()): JsonObject {
    const runtimes = `${runtime}${this.usesExtensions ? extensionRuntime : ''}${[...this.helpers.values()].join('')}`;
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

  private checkName(name: string, declared: Set<string>): void {
    if (declared.has(name) || globals.has(name)) return;
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
      (key === undefined || !Object.hasOwn(place.members, key))
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
    if (!extensions.has(name)) throw new NotUnderstood(`there is no counterpart of .${name}()`);
    this.usesExtensions = true;
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

function getChildren(node: Parsed): Parsed[] {
  return Object.values(node)
    .flat()
    .filter((one): one is Parsed => typeof one === 'object' && one !== null && typeof one.type === 'string');
}
