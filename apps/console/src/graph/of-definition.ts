import type { DrawnBlock, DrawnEdge } from '#libs/platform/drawing/graph-layout';

interface DefinitionPart {
  blocks?: unknown;
  edges?: unknown;
}

/** The blocks and edges of a definition that may be incomplete. Unreadable parts are left out. */
export function graphOfDefinition(definition: unknown): { blocks: DrawnBlock[]; edges: DrawnEdge[] } {
  const graph = { blocks: [] as DrawnBlock[], edges: [] as DrawnEdge[] };
  add(graph, Object(definition) as DefinitionPart, null);
  const ids = new Set(['start', ...graph.blocks.map(({ id }) => id)]);
  graph.edges = graph.edges.filter(({ from, to }) => ids.has(from) && ids.has(to));
  return graph;
}

function add(
  graph: { blocks: DrawnBlock[]; edges: DrawnEdge[] },
  part: DefinitionPart,
  container: string | null,
): void {
  for (const value of toList(part.blocks)) {
    const { id, name, type, body } = value as {
      id?: unknown;
      name?: unknown;
      type?: unknown;
      body?: DefinitionPart;
    };
    if (typeof id !== 'string' || graph.blocks.some((block) => block.id === id)) continue;
    graph.blocks.push({
      id,
      name: typeof name === 'string' ? name : id,
      type: String(type ?? ''),
      container,
    });
    if (body) add(graph, Object(body) as DefinitionPart, id);
  }
  for (const value of toList(part.edges)) {
    const { from, to, port = 'out' } = value as { from?: unknown; to?: unknown; port?: unknown };
    if (typeof from === 'string' && typeof to === 'string')
      graph.edges.push({ from, to, port: String(port) });
  }
}

function toList(value: unknown): object[] {
  return Array.isArray(value)
    ? value.filter((one): one is object => typeof one === 'object' && one !== null)
    : [];
}
