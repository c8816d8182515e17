import { type Expression, parseExpressionAt, type Node as Parsed } from 'acorn';
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

const operators = new Set('?? || && === !== == != < > <= >= + - * / %'.split(' '));
const depthMax = 1000;
/** The names that stand for references while acorn reads the source. */
const placeholder = '$reference_';

/** Parses one expression with acorn. Throws NotUnderstood with the reason. */
export function parseExpression(source: string): Expression {
  const text = source.trim().replace(/;$/, '');
  let node: Expression;
  try {
    node = parseExpressionAt(text, 0, { ecmaVersion: 'latest' });
    // Parentheses around the whole, and a comment behind it, are no part of the node.
    if (isTail(text.slice(node.end))) {
      parseExpressionAt(`(${text}\n)`, 0, { ecmaVersion: 'latest' });
      return node;
    }
  } catch (error) {
    throw new NotUnderstood(
      error instanceof RangeError || getMessage(error).startsWith('Not enough stack')
        ? 'it is nested too deeply'
        : `it is no JavaScript (${getMessage(error)})`,
    );
  }
  const rest = text.slice(node.end).trim();
  if (rest !== '') throw new NotUnderstood(`"${cutText(rest, 20)}" is not expected there`);
  return node;
}

/** True for closing parentheses, blanks and comments. */
function isTail(text: string): boolean {
  for (let rest = text.trimStart(); rest !== ''; rest = rest.trimStart()) {
    const end = rest.startsWith('//') ? '\n' : rest.startsWith('/*') ? '*/' : ')';
    if (end === ')' && !rest.startsWith(')')) return false;
    const at = rest.indexOf(end);
    if (at < 0) return end === '\n';
    rest = rest.slice(at + end.length);
  }
  return true;
}

const getMessage = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Parses one expression. `reference` matches what stands for a value in this product's text, at the beginning of the rest. */
export function parseJavaScript(source: string, reference?: RegExp): Node {
  const references: string[] = [];
  const text = reference ? withoutReferences(source, reference, references) : source;
  return toNode(parseExpression(text), references, 0);
}

/** Puts a name in the place of each reference outside of quotes. */
function withoutReferences(source: string, reference: RegExp, references: string[]): string {
  let text = '';
  let quote = '';
  for (let at = 0; at < source.length; at++) {
    const char = source.charAt(at);
    const found = quote === '' ? reference.exec(source.slice(at))?.[0] : undefined;
    if (found) {
      text += `${placeholder}${references.push(found) - 1}`;
      at += found.length - 1;
      continue;
    }
    text += char;
    if (quote !== '' && char === '\\') text += source.charAt(++at);
    else if (char === quote) quote = '';
    else if (quote === '' && (char === '"' || char === "'")) quote = char;
  }
  return text;
}

function toNode(parsed: Parsed, references: string[], depth: number): Node {
  if (depth > depthMax) throw new NotUnderstood('it is nested too deeply');
  const read = (inner: Parsed) => toNode(inner, references, depth + 1);
  const node = parsed as Expression;
  switch (node.type) {
    case 'Literal':
      if (typeof node.value === 'object' && node.value !== null)
        throw new NotUnderstood('a pattern or a large number is not known');
      return { kind: 'literal', value: node.value as string | number | boolean | null };
    case 'Identifier':
      if (node.name === 'undefined') return { kind: 'literal', value: null };
      if (node.name.startsWith(placeholder)) {
        const text = references[Number(node.name.slice(placeholder.length))];
        if (text !== undefined) return { kind: 'reference', text };
      }
      return { kind: 'name', name: node.name };
    case 'ChainExpression':
    case 'ParenthesizedExpression':
      return read(node.expression);
    case 'MemberExpression':
      return {
        kind: 'member',
        of: read(node.object),
        key:
          node.property.type === 'Identifier' && !node.computed
            ? { kind: 'literal', value: node.property.name }
            : read(node.property),
      };
    case 'CallExpression':
      return { kind: 'call', of: read(node.callee), args: node.arguments.map(read) };
    case 'NewExpression':
      if (node.callee.type !== 'Identifier') break;
      return {
        kind: 'call',
        of: { kind: 'name', name: `new ${node.callee.name}` },
        args: node.arguments.map(read),
      };
    case 'UnaryExpression':
      if (!/^[-+!]$/.test(node.operator)) break;
      return { kind: 'unary', operator: node.operator, of: read(node.argument) };
    case 'BinaryExpression':
    case 'LogicalExpression':
      if (!operators.has(node.operator)) break;
      return { kind: 'binary', operator: node.operator, left: read(node.left), right: read(node.right) };
    case 'ConditionalExpression':
      return { kind: 'choice', test: read(node.test), yes: read(node.consequent), no: read(node.alternate) };
    case 'ArrayExpression':
      return { kind: 'list', members: node.elements.map((one) => read(one ?? node)) };
    case 'ObjectExpression':
      return {
        kind: 'object',
        members: node.properties.map((one) => {
          if (one.type !== 'Property' || one.computed)
            throw new NotUnderstood('a member of an object has no name');
          const name =
            one.key.type === 'Identifier' ? one.key.name : String((one.key as { value?: unknown }).value);
          return [name, read(one.value)];
        }),
      };
    case 'TemplateLiteral':
      return {
        kind: 'text',
        parts: node.quasis.flatMap((quasi, i): Node[] => {
          const hole = node.expressions[i];
          return [{ kind: 'literal', value: quasi.value.cooked ?? '' }, ...(hole ? [read(hole)] : [])];
        }),
      };
    case 'ArrowFunctionExpression': {
      const [first] = node.params;
      if (node.params.length !== 1 || first?.type !== 'Identifier' || node.body.type === 'BlockStatement')
        break;
      return { kind: 'arrow', name: first.name, body: read(node.body) };
    }
  }
  throw new NotUnderstood(`${wordsFor(node.type)} has no counterpart`);
}

/** The type of a node in words: "an assignment expression". */
function wordsFor(type: string): string {
  const words = type.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
  return `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`;
}
