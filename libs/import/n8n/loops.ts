import type { N8nGraph, N8nLink, N8nNode } from './graph.ts';

/** The output by which a node goes through its items, and the one that it takes at the end. */
const getOutputs = (version: number) => (version >= 3 ? { each: 1, end: 0 } : { each: 0, end: 1 });

export interface N8nLoop {
  name: string;
  body: Set<string>;
  /** The outputs of the node. */
  each: number;
  end: number;
  /** The nodes whose ways lead back to the node, or end in the body. */
  last: string[];
}

/**
 * Every loop of the graph, the inner ones first. A body is what the output of each item leads to. The ways that lead back from it are taken out of
 * `links`, since a loop here goes back by itself.
 */
export function takeLoops(graph: N8nGraph, isLoop: (node: N8nNode) => boolean): N8nLoop[] {
  const loops = [...graph.nodes.values()]
    .filter((node) => isLoop(node) && !node.disabled)
    .map(({ name, version }): N8nLoop => {
      const { each, end } = getOutputs(version);
      const body = new Set<string>();
      const open = graph.links
        .filter(({ from, output }) => from === name && output === each)
        .map(({ to }) => to);
      for (let at = open.pop(); at !== undefined; at = open.pop()) {
        if (at === name || body.has(at)) continue;
        body.add(at);
        for (const { from, to } of graph.links) if (from === at) open.push(to);
      }
      return { name, body, each, end, last: [] };
    });
  // The way out of an inner loop also leads back to the outer one, so bodies hold one another or nothing in common.
  const sorted = loops.toSorted((a, b) => a.body.size - b.body.size);
  for (const loop of sorted) {
    loop.last = graph.links
      .filter(({ from, to }) => to === loop.name && loop.body.has(from))
      .map(({ from }) => from);
    graph.links = graph.links.filter(({ from, to }) => !(to === loop.name && loop.body.has(from)));
    for (const other of sorted)
      if (other !== loop && other.body.has(loop.name)) addAll(other.body, loop.body);
  }
  return sorted;
}

function addAll(target: Set<string>, names: Set<string>): void {
  for (const name of names) target.add(name);
}

/** The nodes in an order in which each comes after all that lead to it; the names of a circle when there is one. */
export function getOrder(names: string[], links: N8nLink[]): { sorted: string[]; circle: string[] } {
  const left = new Map(names.map((name) => [name, links.filter(({ to }) => to === name).length]));
  const ready = names.filter((name) => left.get(name) === 0);
  const sorted: string[] = [];
  for (let at = ready.shift(); at !== undefined; at = ready.shift()) {
    sorted.push(at);
    for (const { to } of links.filter(({ from }) => from === at)) {
      const rest = (left.get(to) ?? 0) - 1;
      left.set(to, rest);
      if (rest === 0) ready.push(to);
    }
  }
  return {
    sorted,
    circle: circleIn(
      names.filter((name) => !sorted.includes(name)),
      links,
    ),
  };
}

/** One circle among the nodes that could not be put in order. */
function circleIn(names: string[], links: N8nLink[]): string[] {
  const left = new Set(names);
  const way: string[] = [];
  for (let at = names[0]; at !== undefined;) {
    const known = way.indexOf(at);
    if (known >= 0) return way.slice(known).toReversed();
    way.push(at);
    const here: string = at;
    at = links.find(({ from, to }) => to === here && left.has(from))?.from;
  }
  return way.toReversed();
}

/** How many ways each node is away from the nearest of these nodes. */
export function getDepths(starts: string[], links: N8nLink[]): Map<string, number> {
  const depths = new Map(starts.map((name) => [name, 0]));
  const open = [...starts];
  for (let at = open.shift(); at !== undefined; at = open.shift())
    for (const { from, to } of links) {
      if (from !== at || depths.has(to)) continue;
      depths.set(to, (depths.get(at) ?? 0) + 1);
      open.push(to);
    }
  return depths;
}
