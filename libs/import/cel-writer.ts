import { type CelPlace, stepInto, writeOptionalPath, writePath } from './cel-text.ts';
import { type Node, NotUnderstood } from './javascript.ts';

/** Where a name or a reference of the other product is found in the scope of a run; undefined when the node is no such name. */
export type ResolveName = (node: Node) => CelPlace | { cel: string; type: CelType } | undefined;

export type CelType = 'bool' | 'string' | 'number' | 'unknown';

interface WrittenCel {
  cel: string;
  type: CelType;
  /** Set when the expression is one path. */
  place?: CelPlace;
}

/** Text methods that have the same arguments and a result of this type. */
const methods: Record<string, { name: string; type: CelType }> = {
  toUpperCase: { name: 'upperAscii', type: 'string' },
  toLowerCase: { name: 'lowerAscii', type: 'string' },
  trim: { name: 'trim', type: 'string' },
  startsWith: { name: 'startsWith', type: 'bool' },
  endsWith: { name: 'endsWith', type: 'bool' },
  indexOf: { name: 'indexOf', type: 'number' },
  lastIndexOf: { name: 'lastIndexOf', type: 'number' },
  split: { name: 'split', type: 'unknown' },
  join: { name: 'join', type: 'string' },
  substring: { name: 'substring', type: 'string' },
};
const binders: Record<string, { name: string; type: CelType }> = {
  map: { name: 'map', type: 'unknown' },
  filter: { name: 'filter', type: 'unknown' },
  some: { name: 'exists', type: 'bool' },
  every: { name: 'all', type: 'bool' },
};
const functions: Record<string, { name: string; type: CelType }> = {
  String: { name: 'string', type: 'string' },
  Number: { name: 'double', type: 'number' },
  parseFloat: { name: 'double', type: 'number' },
  parseInt: { name: 'int', type: 'number' },
  timestamp: { name: 'timestamp', type: 'unknown' },
  'JSON.stringify': { name: 'json', type: 'string' },
};
const comparing: Record<string, string> = { '===': '==', '!==': '!=', '==': '==', '!=': '!=' };
const arithmetic = new Set(['-', '*', '%']);
const ordering = new Set(['<', '>', '<=', '>=']);

/** Writes expressions of another product in CEL. Throws NotUnderstood for what has no counterpart. */
export class CelWriter {
  constructor(private readonly resolve: ResolveName) {}

  /** An expression whose value is used as it is: one path reads as null where a member is missing. */
  value(node: Node): string {
    const written = this.write(node);
    return written.place ? writePath(written.place) : written.cel;
  }

  /** An expression that is true or false, by the rules of JavaScript. */
  test(node: Node): string {
    return truth(this.write(node));
  }

  private write(node: Node): WrittenCel {
    const found = this.resolve(node);
    if (found)
      return 'cel' in found ? found : { cel: writeOptionalPath(found), type: 'unknown', place: found };
    switch (node.kind) {
      case 'literal':
        return writeLiteral(node.value);
      case 'member':
        return this.member(node);
      case 'call':
        return this.call(node);
      case 'unary':
        return this.unary(node);
      case 'binary':
        return this.binary(node);
      case 'choice':
        return {
          cel: `(${this.test(node.test)} ? dyn(${this.cel(node.yes)}) : dyn(${this.cel(node.no)}))`,
          type: 'unknown',
        };
      case 'list':
        return { cel: `[${node.members.map((one) => `dyn(${this.cel(one)})`).join(', ')}]`, type: 'unknown' };
      case 'object': {
        const members = node.members.map(([key, one]) => `${JSON.stringify(key)}: dyn(${this.cel(one)})`);
        return { cel: `{${members.join(', ')}}`, type: 'unknown' };
      }
      case 'text':
        return { cel: `(${node.parts.map((one) => asText(this.write(one))).join(' + ')})`, type: 'string' };
      case 'reference':
        throw new NotUnderstood(`${node.text} is not known`);
      case 'name':
        throw new NotUnderstood(`"${node.name}" is not known`);
      default:
        throw new NotUnderstood('a function stands where a value is expected');
    }
  }

  private cel(node: Node): string {
    return this.write(node).cel;
  }

  private member({ of, key }: Extract<Node, { kind: 'member' }>): WrittenCel {
    if (key.kind === 'literal' && key.value === 'length')
      return { cel: `size(${this.cel(of)})`, type: 'number' };
    const inner = this.write(of);
    if (key.kind === 'literal' && (typeof key.value === 'string' || typeof key.value === 'number')) {
      const place = stepInto(inner.place ?? { root: inner.cel, steps: [] }, key.value);
      if (!place) throw new NotUnderstood(`there is no member "${key.value}"`);
      return { cel: writeOptionalPath(place), type: 'unknown', place };
    }
    return { cel: `${inner.cel}[${this.cel(key)}]`, type: 'unknown' };
  }

  private call({ of, args }: Extract<Node, { kind: 'call' }>): WrittenCel {
    const global = functions[toName(of) ?? ''];
    const [first] = args;
    if (global && first) {
      const inner = this.write(first);
      return {
        cel: global.name === 'string' ? asText(inner) : `${global.name}(${inner.cel})`,
        type: global.type,
      };
    }
    if (of.kind !== 'member' || of.key.kind !== 'literal')
      throw new NotUnderstood(`there is no counterpart of ${toName(of) ?? 'such a call'}()`);
    return this.method(of.of, String(of.key.value), args);
  }

  private method(of: Node, name: string, args: Node[]): WrittenCel {
    const target = this.cel(of);
    const written = args.filter(({ kind }) => kind !== 'arrow').map((one) => this.cel(one));
    const [first = '""'] = written;
    const known = Object.hasOwn(methods, name) ? methods[name] : undefined;
    if (known) return { cel: `${target}.${known.name}(${written.join(', ')})`, type: known.type };
    const binder = Object.hasOwn(binders, name) ? binders[name] : undefined;
    const [arrow] = args;
    if (binder && arrow?.kind === 'arrow') return this.bind(target, binder, arrow);
    switch (name) {
      case 'includes':
        return {
          cel: `(type(${target}) == string ? dyn(${target}).contains(${first}) : ${first} in dyn(${target}))`,
          type: 'bool',
        };
      case 'toString':
        return { cel: asText(this.write(of)), type: 'string' };
      case 'replaceAll':
        return { cel: `${target}.split(${first}).join(${written[1] ?? '""'})`, type: 'string' };
      case 'toNumber':
        return { cel: `double(${target})`, type: 'number' };
      case 'isEmpty':
        return { cel: `(${target} == null || size(${target}) == 0)`, type: 'bool' };
      case 'isNotEmpty':
        return { cel: `(${target} != null && size(${target}) > 0)`, type: 'bool' };
      default:
        throw new NotUnderstood(`there is no counterpart of .${name}()`);
    }
  }

  private bind(
    target: string,
    binder: { name: string; type: CelType },
    { name, body }: Extract<Node, { kind: 'arrow' }>,
  ): WrittenCel {
    const inner = new CelWriter((node) =>
      node.kind === 'name' && node.name === name ? { root: name, steps: [] } : this.resolve(node),
    );
    const written = binder.name === 'map' ? inner.cel(body) : inner.test(body);
    return { cel: `${target}.${binder.name}(${name}, ${written})`, type: binder.type };
  }

  private unary({ operator, of }: Extract<Node, { kind: 'unary' }>): WrittenCel {
    if (operator === '!') return { cel: `!${this.test(of)}`, type: 'bool' };
    const inner = this.write(of);
    return operator === '-'
      ? { cel: `-${inner.cel}`, type: 'number' }
      : { cel: `double(${inner.cel})`, type: 'number' };
  }

  private binary({ operator, left, right }: Extract<Node, { kind: 'binary' }>): WrittenCel {
    const [a, b] = [this.write(left), this.write(right)];
    const same = comparing[operator];
    if (same) return { cel: `(dyn(${a.cel}) ${same} dyn(${b.cel}))`, type: 'bool' };
    if (operator === '/') return { cel: `(${asDouble(a)} / ${b.cel})`, type: 'number' };
    if (ordering.has(operator)) return { cel: `(${a.cel} ${operator} ${b.cel})`, type: 'bool' };
    if (arithmetic.has(operator)) return { cel: `(${a.cel} ${operator} ${b.cel})`, type: 'number' };
    if (operator === '+') return writeSum(a, b);
    if (operator === '??')
      return { cel: `(${a.cel} != null ? dyn(${a.cel}) : dyn(${b.cel}))`, type: 'unknown' };
    if (a.type === 'bool' && b.type === 'bool')
      return { cel: `(${a.cel} ${operator} ${b.cel})`, type: 'bool' };
    const [yes, no] = operator === '||' ? [a, b] : [b, a];
    return { cel: `(${truth(a)} ? dyn(${yes.cel}) : dyn(${no.cel}))`, type: 'unknown' };
  }
}

function writeLiteral(value: string | number | boolean | null): WrittenCel {
  if (typeof value === 'string') return { cel: JSON.stringify(value), type: 'string' };
  if (typeof value === 'boolean') return { cel: String(value), type: 'bool' };
  return { cel: String(value), type: value === null ? 'unknown' : 'number' };
}

function writeSum(a: WrittenCel, b: WrittenCel): WrittenCel {
  if (a.type !== 'string' && b.type !== 'string') return { cel: `(${a.cel} + ${b.cel})`, type: 'unknown' };
  return { cel: `(${asText(a)} + ${asText(b)})`, type: 'string' };
}

/** Two whole numbers would divide without a rest. A value of the scope is a double already. */
function asDouble({ cel, place }: WrittenCel): string {
  if (/^\d+$/.test(cel)) return `${cel}.0`;
  return place || /^\d+\.\d+$/.test(cel) ? cel : `double(${cel})`;
}

/** A null becomes no text, as it does in a template. */
const asText = ({ cel, type }: WrittenCel) => (type === 'string' ? cel : `string(${cel})`);

function truth({ cel, type }: WrittenCel): string {
  if (type === 'bool') return cel;
  return `(${['null', '""', '0', 'false'].map((value) => `dyn(${cel}) != dyn(${value})`).join(' && ')})`;
}

function toName(node: Node): string | undefined {
  if (node.kind === 'name') return node.name;
  if (node.kind !== 'member' || node.key.kind !== 'literal') return undefined;
  const inner = toName(node.of);
  return inner === undefined ? undefined : `${inner}.${node.key.value}`;
}
