import { getLocation, type Node, parseTree } from 'jsonc-parser';
import { schemasAt, type Schema } from './schema.ts';

export interface Completion {
  label: string;
  /** The text that replaces the word at the cursor. */
  text: string;
  detail: string;
}

export interface Completions {
  from: number;
  to: number;
  list: Completion[];
}

/** The possible texts at a place of a definition: member names, values of a list, and ids of blocks. */
export function completionsAt(text: string, offset: number, schema: Schema): Completions | undefined {
  const document = parseValue(text);
  const { path, isAtPropertyKey, previousNode } = getLocation(text, offset);
  const word = wordAt(text, offset, previousNode);
  if (isAtPropertyKey) {
    const parent = path.slice(0, -1);
    const there = Object.keys(Object(stepAll(document, parent)) as object);
    const list = schemasAt(schema, parent, document)
      .flatMap(({ properties = {}, required = [] }) =>
        Object.entries(properties).map(([name, child]) => ({
          label: name,
          text: JSON.stringify(name) + (hasColon(text, word.to) ? '' : `: ${toEmptyText(child)}`),
          detail: required.includes(name) ? 'required' : (child.type ?? ''),
        })),
      )
      .filter(({ label }) => !there.includes(label) || label === word.text);
    return { ...word, list: unique(list) };
  }
  const values = [...idsFor(path, document), ...schemasAt(schema, path, document).flatMap(listLiterals)];
  return {
    ...word,
    list: unique(values.map((value) => ({ label: String(value), text: JSON.stringify(value), detail: '' }))),
  };
}

function parseValue(text: string): unknown {
  const tree = parseTree(text);
  return tree && plain(tree);
}

/** The value of a tree that may have holes, which `JSON.parse` refuses. */
function plain({ type, children = [], value }: Node): unknown {
  if (type === 'array') return children.map(plain);
  if (type !== 'object') return value as unknown;
  return Object.fromEntries(
    children.flatMap(({ children: [key, child] = [] }) =>
      key && child ? [[key.value as string, plain(child)]] : key ? [[key.value as string, undefined]] : [],
    ),
  );
}

function stepAll(value: unknown, path: (string | number)[]): unknown {
  return path.reduce<unknown>((at, step) => (Object(at) as Record<string | number, unknown>)[step], value);
}

function wordAt(
  text: string,
  offset: number,
  node: Node | undefined,
): { from: number; to: number; text: string } {
  if (node?.type === 'string' && node.offset < offset && offset <= node.offset + node.length)
    return { from: node.offset, to: node.offset + node.length, text: String(node.value) };
  let from = offset;
  while (from > 0 && /[\w"]/.test(text.charAt(from - 1))) from -= 1;
  return { from, to: offset, text: text.slice(from, offset) };
}

const hasColon = (text: string, at: number): boolean => /^\s*:/.test(text.slice(at));

function toEmptyText({ type, enum: values }: Schema): string {
  if (values?.length === 1) return JSON.stringify(values[0]);
  return { object: '{}', array: '[]', string: '""', boolean: 'true' }[type ?? ''] ?? '""';
}

function listLiterals({ enum: values = [], type }: Schema): unknown[] {
  return type === 'boolean' ? [true, false] : values;
}

/** An edge may name the blocks of its own body. */
function idsFor(path: (string | number)[], document: unknown): string[] {
  const name = path.at(-1);
  if (path.at(-3) !== 'edges' || (name !== 'from' && name !== 'to')) return [];
  const { blocks } = Object(stepAll(document, path.slice(0, -3))) as { blocks?: { id?: unknown }[] };
  const ids = (Array.isArray(blocks) ? blocks : []).flatMap((block) =>
    typeof block?.id === 'string' ? [block.id] : [],
  );
  return name === 'from' ? ['start', ...ids] : ids;
}

function unique(list: Completion[]): Completion[] {
  return [...new Map(list.map((one) => [one.label, one])).values()];
}
