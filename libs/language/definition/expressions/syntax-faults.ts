import { loopAlias } from './loop-name.ts';

/** The tokens of the library's parser, in words. */
const words: Record<string, string> = {
  EOF: 'the end of the expression',
  NUMBER: 'a number',
  STRING: 'a text',
  BOOLEAN: 'true or false',
  NULL: 'null',
  IDENTIFIER: 'a name',
  PLUS: '`+`',
  MINUS: '`-`',
  MULTIPLY: '`*`',
  DIVIDE: '`/`',
  MODULO: '`%`',
  EQ: '`==`',
  NE: '`!=`',
  LT: '`<`',
  LE: '`<=`',
  GT: '`>`',
  GE: '`>=`',
  AND: '`&&`',
  OR: '`||`',
  NOT: '`!`',
  IN: '`in`',
  LPAREN: '`(`',
  RPAREN: '`)`',
  LBRACKET: '`[`',
  RBRACKET: '`]`',
  LBRACE: '`{`',
  RBRACE: '`}`',
  DOT: '`.`',
  COMMA: '`,`',
  COLON: '`:`',
  QUESTION: '`?`',
  BYTES: 'bytes',
};

/** Returns what the parser expected and found instead, and at which character; null for an error that is not of the parser. */
export function explainSyntax(error: unknown): string | null {
  const { code, range, node, summary } = Object(error) as Partial<ParserError>;
  if (typeof code !== 'string' || typeof node?.input !== 'string' || typeof range?.start !== 'number')
    return null;
  const before = node.input.slice(0, range.start).replaceAll(loopAlias, 'loop');
  const isAtEnd = node.input.slice(range.start).trim() === '';
  const where = isAtEnd ? 'at its end' : `at character ${[...before].length + 1}`;
  const [, expected, got] = /^(?:Expected (\w+), got|Unexpected token:) (\w+)$/.exec(summary ?? '') ?? [];
  if (got === undefined) return places.has(code) && !isAtEnd ? `${summary}, ${where}` : null;
  const instead = isAtEnd ? 'nothing follows' : `${words[got] ?? got} stands there`;
  return `${expected === undefined ? 'a value' : (words[expected] ?? expected)} is expected ${where}, and ${instead}`;
}

/** An error of the library's parser. */
interface ParserError {
  code: string;
  summary: string;
  range: { start: number };
  node: { input: string };
}

/** The errors whose own words are plain, and say no place. */
const places = new Set([
  'unexpected_character',
  'unterminated_string',
  'invalid_number',
  'reserved_identifier',
]);
