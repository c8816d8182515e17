import { blocksMax, edgesMax } from '#libs/language/definition/shapes/graph-shapes';
import { isObject, type Json, type JsonObject, objectOf } from '#libs/platform/json/json';
import { Invalid } from '#libs/platform/errors/errors';
import { listOf, numberOf, textOf } from './values.ts';

/** One node of an n8n workflow. */
export interface N8nNode {
  name: string;
  /** Without the package that every node of n8n's own has. */
  type: string;
  version: number;
  parameters: JsonObject;
  disabled: boolean;
  raw: JsonObject;
}

/** A connection between two nodes, by the output of the one. */
export interface N8nLink {
  from: string;
  to: string;
  output: number;
}

export interface N8nGraph {
  name: string | undefined;
  nodes: Map<string, N8nNode>;
  links: N8nLink[];
  /** The node to which a model, a tool or a memory is attached, by the name of that. */
  attached: Map<string, string>;
}

/** Reads a workflow of n8n. Throws Invalid for anything else. */
export function readN8n(file: JsonObject): N8nGraph {
  const list = file['nodes'];
  if (!Array.isArray(list))
    throw Invalid.field('nodes', 'must be a list: this is no workflow of n8n', 'type');
  if (list.length === 0) throw Invalid.field('nodes', 'holds no node', 'too_few');
  if (list.length > blocksMax) throw Invalid.field('nodes', `holds more than ${blocksMax} nodes`, 'too_many');
  if (!isObject(file['connections'] ?? {})) throw Invalid.field('connections', 'must be an object', 'type');
  const nodes = new Map<string, N8nNode>();
  list.forEach((raw, i) => {
    const node = readNode(raw, `nodes[${i}]`);
    if (nodes.has(node.name))
      throw Invalid.field(
        `nodes[${i}].name`,
        `is "${node.name}", which another node has already`,
        'duplicate_name',
      );
    nodes.set(node.name, node);
  });
  return {
    name: textOf(file['name']) || undefined,
    nodes,
    ...readConnections(objectOf(file['connections']), nodes),
  };
}

/** The names of the workflows that the nodes of a file run; nothing of the file is checked. */
export function n8nChildren(file: unknown): string[] {
  const list: Json[] = isObject(file) ? listOf(file['nodes']) : [];
  return list
    .map(objectOf)
    .filter(({ type }) => type === 'n8n-nodes-base.executeWorkflow')
    .map(({ parameters }) => childOf(objectOf(parameters)));
}

/** The name of the workflow that a node runs. */
export function childOf({ workflowId = '' }: JsonObject): string {
  return isObject(workflowId)
    ? textOf(workflowId['cachedResultName'] ?? workflowId['value'])
    : textOf(workflowId);
}

function readNode(raw: Json, path: string): N8nNode {
  if (!isObject(raw)) throw Invalid.field(path, 'must be an object', 'type');
  const name = textOf(raw['name']);
  const type = textOf(raw['type']);
  if (!name) throw Invalid.field(`${path}.name`, 'is required', 'required');
  if (!type) throw Invalid.field(`${path}.type`, 'is required', 'required');
  return {
    name,
    type: type.replace(/^n8n-nodes-base\./, ''),
    version: numberOf(raw['typeVersion']) ?? 1,
    parameters: objectOf(raw['parameters']),
    disabled: raw['disabled'] === true,
    raw,
  };
}

function readConnections(connections: JsonObject, nodes: Map<string, N8nNode>) {
  const links: N8nLink[] = [];
  const attached = new Map<string, string>();
  for (const [from, kinds] of Object.entries(connections)) {
    const path = `connections.${from}`;
    if (!nodes.has(from)) throw Invalid.field(path, `begins at "${from}", which is no node`, 'unknown_node');
    for (const [kind, outputs] of Object.entries(objectOf(kinds)))
      listOf(outputs).forEach((targets, output) => {
        for (const target of listOf(targets)) {
          const to = textOf(objectOf(target)['node']);
          if (!nodes.has(to)) throw Invalid.field(path, `leads to "${to}", which is no node`, 'unknown_node');
          if (kind === 'main' && links.length === edgesMax)
            throw Invalid.field('connections', `holds more than ${edgesMax} ways`, 'too_many');
          if (kind === 'main') links.push({ from, to, output });
          else attached.set(from, to);
        }
      });
  }
  return { links, attached };
}
