import {
  applyEdits,
  findNodeAtLocation,
  modify,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';

export interface TextRange {
  from: number;
  to: number;
}

export interface TextFault extends TextRange {
  message: string;
  isWarning: boolean;
}

const formattingOptions = { insertSpaces: true, tabSize: 2 };

/** The place of the syntax fault in the text. */
export function syntaxFaults(text: string): TextFault[] {
  const errors: ParseError[] = [];
  parseTree(text, errors, { disallowComments: true });
  return errors.map(({ offset, length, error }) => ({
    from: offset,
    to: offset + Math.max(length, 1),
    message: printParseErrorCode(error).replaceAll(/([a-z])([A-Z])/g, '$1 $2'),
    isWarning: false,
  }));
}

/** The place of a path such as `blocks[0].params.url`. A missing member has the place of its parent. */
export function rangeOfPath(text: string, path: string): TextRange {
  const tree = parseTree(text);
  const steps = [...path.matchAll(/[^.[\]]+/g)].map(([step]) => (/^\d+$/.test(step) ? Number(step) : step));
  for (let length = steps.length; length > 0; length--) {
    const node = tree && findNodeAtLocation(tree, steps.slice(0, length));
    if (node) return shownRange(node);
  }
  return { from: 0, to: Math.min(text.length, 1) };
}

/** A long part is marked at its first line alone. */
function shownRange({ type, offset, length, children }: Node): TextRange {
  const first = type === 'object' || type === 'array' ? children?.[0] : undefined;
  return first
    ? { from: first.offset, to: first.offset + first.length }
    : { from: offset, to: offset + length };
}

/** The whole text of a block, wherever its body is. */
export function rangeOfBlock(text: string, id: string): TextRange | undefined {
  const tree = parseTree(text);
  const node = tree && blockNodes(tree).find((block) => getId(block) === id);
  return node && { from: node.offset, to: node.offset + node.length };
}

/** The innermost block around a place of the text. */
export function blockAt(text: string, offset: number): string | undefined {
  const tree = parseTree(text);
  if (!tree) return undefined;
  const around = blockNodes(tree).filter(
    (node) => node.offset <= offset && offset <= node.offset + node.length,
  );
  const inner = around.at(-1);
  return inner && getId(inner);
}

function blockNodes(part: Node): Node[] {
  const blocks = findNodeAtLocation(part, ['blocks'])?.children ?? [];
  return blocks.flatMap((block) => {
    const body = findNodeAtLocation(block, ['body']);
    return [block, ...(body ? blockNodes(body) : [])];
  });
}

function getId(block: Node): string | undefined {
  const value: unknown = findNodeAtLocation(block, ['id'])?.value;
  return typeof value === 'string' ? value : undefined;
}

const skeletons: Record<string, object> = {
  condition: { cases: [{ port: 'yes', when: 'true' }] },
  variables: { params: { set: { name: 'value' } } },
  response: { params: { data: {} } },
  http: { params: { url: 'https://example.com' } },
  webhook: {
    params: { url: 'https://example.com', event: 'thing.happened', secret: '{{ secrets.WEBHOOK_SECRET }}' },
  },
  function: { params: { code: 'return input', input: {} } },
  llm: { params: { model: 'gpt-4o', prompt: 'Say hello.' } },
  router: {
    params: {
      model: 'gpt-4o',
      input: '{{ start.text }}',
      routes: [
        { port: 'first', description: 'What goes this way.' },
        { port: 'second', description: 'What goes that way.' },
      ],
    },
  },
  evaluator: {
    params: {
      model: 'gpt-4o',
      content: '{{ start.text }}',
      metrics: [{ name: 'quality', description: 'How good it is.', min: 0, max: 10 }],
    },
  },
  mcp: { params: { url: 'https://example.com/mcp', tool: 'name' } },
  table: { params: { operation: 'query', table: 'orders' } },
  knowledge: { params: { operation: 'search', knowledgeBases: ['manuals'], query: '{{ start.text }}' } },
  human: {
    params: {
      title: 'Approve?',
      form: [{ name: 'approved', type: 'boolean', label: 'Approved', required: true }],
    },
  },
  wait: { params: { duration: 'PT1H' } },
  loop: { params: { forEach: '{{ start.items }}' } },
  parallel: { params: { forEach: '{{ start.items }}' } },
  workflow: { params: { workflowId: 'wf_', inputs: {} } },
};

export const blockTypes = Object.keys(skeletons);

/** A container must hold a block. */
function buildBody(type: string, id: string): object {
  const item = { loop: '{{ loop.item }}', parallel: '{{ branch.item }}' }[type];
  if (!item) return {};
  const step = { id: `${id}_step`, type: 'function', params: { code: 'return input', input: item } };
  return { body: { blocks: [step], edges: [{ from: 'start', to: step.id }] } };
}

interface TextEdge {
  from: string;
  to: string;
  port?: string;
}

/** Adds a block after another block, on the edge that leaves it. Returns the new text and the new id. */
export function insertBlock(
  text: string,
  type: string,
  behind: string,
): { text: string; id: string } | undefined {
  const tree = parseTree(text);
  if (!tree || syntaxFaults(text).length > 0) return undefined;
  const place = findPart(tree, behind, []);
  if (!place) return undefined;
  const ids = new Set(blockNodes(tree).map(getId));
  const id = freeId(type, ids);
  const edges = readEdges(tree, place);
  const next = edges.findIndex(({ from, port = 'out' }) => from === behind && port === 'out');
  const added: TextEdge[] =
    next === -1 ? [{ from: behind, to: id }] : [{ from: id, to: edges[next]?.to ?? '' }];
  let changed = appendTo(text, [...place, 'blocks'], {
    id,
    type,
    ...skeletons[type],
    ...buildBody(type, id),
  });
  if (next !== -1) changed = set(changed, [...place, 'edges', next, 'to'], id);
  for (const edge of added) changed = appendTo(changed, [...place, 'edges'], edge);
  return { text: changed, id };
}

type JsonPath = (string | number)[];

/** The body that holds a block, as a path; `start` is in the outermost. */
function findPart(tree: Node, id: string, path: JsonPath): JsonPath | undefined {
  if (id === 'start') return path;
  const blocks = findNodeAtLocation(tree, [...path, 'blocks'])?.children ?? [];
  if (blocks.some((block) => getId(block) === id)) return path;
  for (const [n, block] of blocks.entries()) {
    const found = findNodeAtLocation(block, ['body']) && findPart(tree, id, [...path, 'blocks', n, 'body']);
    if (found) return found;
  }
  return undefined;
}

function readEdges(tree: Node, place: JsonPath): TextEdge[] {
  return (findNodeAtLocation(tree, [...place, 'edges'])?.children ?? []).map((edge) => {
    const at = (name: string) => findNodeAtLocation(edge, [name])?.value as string | undefined;
    const port = at('port');
    return { from: at('from') ?? '', to: at('to') ?? '', ...(port === undefined ? {} : { port }) };
  });
}

function freeId(type: string, taken: Set<string | undefined>): string {
  for (let n = 1; ; n++) {
    const id = n === 1 ? `${type}1` : `${type}${n}`;
    if (!taken.has(id)) return id;
  }
}

function appendTo(text: string, path: JsonPath, value: object): string {
  const tree = parseTree(text);
  const list = tree && findNodeAtLocation(tree, path);
  if (!list) return set(text, path, [value]);
  const end = list.children?.length ?? 0;
  return applyEdits(text, modify(text, [...path, end], value, { formattingOptions, isArrayInsertion: true }));
}

function set(text: string, path: JsonPath, value: unknown): string {
  return applyEdits(text, modify(text, path, value, { formattingOptions }));
}
