import { cutText } from '#libs/platform/text/whole-text';
/** A node of the part of JavaScript that expressions of other products are written in. */
export type Node =
  | { kind: 'literal'; value: string | number | boolean | null }
  | { kind: 'reference'; text: string }
  | { kind: 'name'; name: string }
  | { kind: 'member'; of: Node; key: Node }
  | { kind: 'call'; of: Node; args: Node[] }
  | { kind: 'unary'; operator: string; of: Node }
  | { kind: 'binary'; operator: string; left: Node; right: Node }
  | { kind: 'choice'; test: Node; yes: Node; no: Node }
  | { kind: 'list'; members: Node[] }
  | { kind: 'object'; members: [string, Node][] }
  | { kind: 'text'; parts: Node[] }
  | { kind: 'arrow'; name: string; body: Node };

/** Source that is not in this part of the language. The message ends a sentence. */
export class NotUnderstood extends Error {}

interface Token {
  kind: 'number' | 'string' | 'name' | 'sign' | 'text' | 'reference';
  text: string;
  /** The parts of a template literal. */
  parts?: Node[];
}

const binding: Record<string, number> = {
  '??': 1,
  '||': 1,
  '&&': 2,
  '===': 3,
  '!==': 3,
  '==': 3,
  '!=': 3,
  '<': 4,
  '>': 4,
  '<=': 4,
  '>=': 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '%': 6,
};
const sign = /^(?:===|!==|==|!=|<=|>=|=>|&&|\|\||\?\?|\?\.|[-+*/%<>!?:.,()[\]{}])/;
const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v' };
const depthMax = 60;
const constants: Record<string, boolean | null> = { true: true, false: false, null: null, undefined: null };

/** Parses one expression. `reference` matches what stands for a value in this product's text, at the beginning of the rest. */
export function parseJavaScript(source: string, reference?: RegExp): Node {
  const parser = new Parser(tokensOf(source, reference));
  const node = parser.expression();
  parser.end();
  return node;
}

function tokensOf(source: string, reference?: RegExp): Token[] {
  const tokens: Token[] = [];
  let rest = source.trim().replace(/;$/, '');
  while (rest !== '') {
    const [token, length] = nextToken(rest, reference);
    tokens.push(token);
    rest = rest.slice(length).trimStart();
  }
  return tokens;
}

function nextToken(rest: string, reference?: RegExp): [Token, number] {
  const found = reference?.exec(rest)?.[0];
  if (found) return [{ kind: 'reference', text: found }, found.length];
  const name = /^[A-Za-z_$][\w$]*/.exec(rest)?.[0];
  if (name) return [{ kind: 'name', text: name }, name.length];
  const number = /^(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/.exec(rest)?.[0];
  if (number) return [{ kind: 'number', text: number }, number.length];
  const quote = rest.charAt(0);
  if (quote === '"' || quote === "'") return stringToken(rest, quote);
  if (quote === '`') return textToken(rest, reference);
  const found2 = sign.exec(rest)?.[0];
  if (found2) return [{ kind: 'sign', text: found2 }, found2.length];
  throw new NotUnderstood(`"${cutText(rest, 20)}" is not understood`);
}

function stringToken(rest: string, quote: string): [Token, number] {
  let text = '';
  for (let at = 1; at < rest.length; at++) {
    const char = rest.charAt(at);
    if (char === quote) return [{ kind: 'string', text }, at + 1];
    if (char === '\\') text += escapes[rest.charAt(++at)] ?? rest.charAt(at);
    else text += char;
  }
  throw new NotUnderstood('a quoted text has no end');
}

function textToken(rest: string, reference?: RegExp): [Token, number] {
  const parts: Node[] = [];
  let text = '';
  for (let at = 1; at < rest.length; at++) {
    const char = rest.charAt(at);
    if (char === '`')
      return [{ kind: 'text', text: '', parts: [...parts, { kind: 'literal', value: text }] }, at + 1];
    if (char === '\\') text += escapes[rest.charAt(++at)] ?? rest.charAt(at);
    else if (char === '$' && rest.charAt(at + 1) === '{') {
      const end = closingBrace(rest, at + 2);
      parts.push({ kind: 'literal', value: text }, parseJavaScript(rest.slice(at + 2, end), reference));
      text = '';
      at = end;
    } else text += char;
  }
  throw new NotUnderstood('a template text has no end');
}

function closingBrace(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{') depth++;
    else if (text[at] === '}' && depth-- === 0) return at;
  }
  throw new NotUnderstood('a ${ has no end');
}

class Parser {
  private at = 0;
  private depth = 0;

  constructor(private readonly tokens: Token[]) {}

  end(): void {
    const token = this.tokens[this.at];
    if (token) throw new NotUnderstood(`"${token.text}" is not expected there`);
  }

  expression(): Node {
    if (++this.depth > depthMax) throw new NotUnderstood('it is nested too deeply');
    const node = this.arrow() ?? this.choice();
    this.depth--;
    return node;
  }

  private arrow(): Node | undefined {
    const bare = this.peek(1)?.text === '=>' ? 0 : undefined;
    const round = this.isSign('(') && this.peek(2)?.text === ')' && this.peek(3)?.text === '=>' ? 1 : bare;
    const token = round === undefined ? undefined : this.peek(round);
    if (round === undefined || token?.kind !== 'name') return undefined;
    this.at += round === 0 ? 2 : 4;
    return { kind: 'arrow', name: token.text, body: this.expression() };
  }

  private choice(): Node {
    const test = this.binary(1);
    if (!this.take('?')) return test;
    const yes = this.expression();
    this.need(':');
    return { kind: 'choice', test, yes, no: this.expression() };
  }

  private binary(least: number): Node {
    let left = this.unary();
    for (;;) {
      const token = this.peek();
      const power = token?.kind === 'sign' ? binding[token.text] : undefined;
      if (!token || power === undefined || power < least) return left;
      this.at++;
      left = { kind: 'binary', operator: token.text, left, right: this.binary(power + 1) };
    }
  }

  private unary(): Node {
    for (const operator of ['!', '-', '+'])
      if (this.take(operator)) {
        if (++this.depth > depthMax) throw new NotUnderstood('it is nested too deeply');
        const of = this.unary();
        this.depth--;
        return { kind: 'unary', operator, of };
      }
    return this.postfix(this.primary());
  }

  private postfix(start: Node): Node {
    let node = start;
    for (;;) {
      if (this.take('.') || this.take('?.')) {
        if (this.isSign('[') || this.isSign('(')) continue;
        const name = this.tokens[this.at++];
        if (name?.kind !== 'name') throw new NotUnderstood('a name is missing after a dot');
        node = { kind: 'member', of: node, key: { kind: 'literal', value: name.text } };
      } else if (this.take('[')) {
        node = { kind: 'member', of: node, key: this.expression() };
        this.need(']');
      } else if (this.take('(')) node = { kind: 'call', of: node, args: this.list(')') };
      else return node;
    }
  }

  private primary(): Node {
    const token = this.tokens[this.at++];
    if (!token) throw new NotUnderstood('it ends too early');
    const { kind, text } = token;
    if (kind === 'number') return { kind: 'literal', value: Number(text) };
    if (kind === 'string') return { kind: 'literal', value: text };
    if (kind === 'reference') return { kind: 'reference', text };
    if (kind === 'text') return { kind: 'text', parts: token.parts ?? [] };
    if (kind === 'name') return this.named(text);
    if (text === '[') return { kind: 'list', members: this.list(']') };
    if (text === '{') return this.object();
    if (text !== '(') throw new NotUnderstood(`"${text}" is not expected there`);
    const inner = this.expression();
    this.need(')');
    return inner;
  }

  private named(text: string): Node {
    const constant = Object.hasOwn(constants, text) ? constants[text] : undefined;
    if (constant !== undefined) return { kind: 'literal', value: constant };
    if (text !== 'new') return { kind: 'name', name: text };
    const made = this.tokens[this.at++]?.text ?? '';
    this.need('(');
    return { kind: 'call', of: { kind: 'name', name: `new ${made}` }, args: this.list(')') };
  }

  private object(): Node {
    const members: [string, Node][] = [];
    while (!this.take('}')) {
      const key = this.tokens[this.at++];
      if (key?.kind !== 'name' && key?.kind !== 'string' && key?.kind !== 'number')
        throw new NotUnderstood('a member of an object has no name');
      this.need(':');
      members.push([key.text, this.expression()]);
      if (!this.isSign('}')) this.need(',');
    }
    return { kind: 'object', members };
  }

  private list(end: string): Node[] {
    const members: Node[] = [];
    while (!this.take(end)) {
      members.push(this.expression());
      if (!this.isSign(end)) this.need(',');
    }
    return members;
  }

  private peek(ahead = 0): Token | undefined {
    return this.tokens[this.at + ahead];
  }

  private isSign(text: string): boolean {
    const token = this.peek();
    return token?.kind === 'sign' && token.text === text;
  }

  private take(text: string): boolean {
    if (!this.isSign(text)) return false;
    this.at++;
    return true;
  }

  private need(text: string): void {
    if (!this.take(text)) throw new NotUnderstood(`"${text}" is missing`);
  }
}
