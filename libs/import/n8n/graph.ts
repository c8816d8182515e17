import { blocksMax, edgesMax } from '#libs/language/definition/shapes/graph-shapes';
import { isObject, type Json, type JsonObject, objectOf } from '#libs/platform/json/json';
import { Invalid } from '#libs/platform/errors/errors';
import { NotMapped } from '../report.ts';
import { clip, toList, parseNumber, toText } from '../values.ts';

const notesMax = 50;

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
  /** The nodes to which a model, a tool or a memory is attached, by the name of that. */
  attached: Map<string, string[]>;
  /** What the file says of the workflow as a whole and what is not taken over, in sentences. */
  notes: string[];
  /** The time zone of its schedules; empty when the file does not say. */
  timezone: string;
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
  const graph: N8nGraph = {
    name: toText(file['name']) || undefined,
    nodes,
    timezone: toText(objectOf(file['settings'])['timezone']),
    ...readConnections(objectOf(file['connections']), nodes),
  };
  graph.notes.push(...settingNotes(file));
  return graph;
}

/** The names of the workflows that the nodes of a file run; nothing of the file is checked. */
export function n8nChildren(file: unknown): string[] {
  const list: Json[] = isObject(file) ? toList(file['nodes']) : [];
  return list
    .map(objectOf)
    .filter(({ type }) => /\.(executeWorkflow|toolWorkflow)$/.test(toText(type)))
    .map(({ parameters }) => toChildName(objectOf(parameters)));
}

/** The name of the workflow that a node runs. */
export function toChildName({ workflowId = '' }: JsonObject): string {
  return isObject(workflowId)
    ? toText(workflowId['cachedResultName'] ?? workflowId['value'])
    : toText(workflowId);
}

/** Refuses a node that runs its own workflow, whose id is known only when it is stored. */
export function refuseItself(name: string): void {
  if (name.includes('$workflow.id'))
    throw new NotMapped(
      'It runs this workflow itself, whose id is known when it is stored. Write a workflow block with that id, and say the trigger in its input trigger.',
    );
}

function readNode(raw: Json, path: string): N8nNode {
  if (!isObject(raw)) throw Invalid.field(path, 'must be an object', 'type');
  const name = toText(raw['name']);
  const type = toText(raw['type']);
  if (!name) throw Invalid.field(`${path}.name`, 'is required', 'required');
  if (!type) throw Invalid.field(`${path}.type`, 'is required', 'required');
  return {
    name,
    type: type.replace(/^n8n-nodes-base\./, ''),
    version: parseNumber(raw['typeVersion']) ?? 1,
    parameters: objectOf(raw['parameters']),
    disabled: raw['disabled'] === true,
    raw,
  };
}

function readConnections(connections: JsonObject, nodes: Map<string, N8nNode>) {
  const links: N8nLink[] = [];
  const attached = new Map<string, string[]>();
  const notes: string[] = [];
  const byId = new Map([...nodes.values()].map(({ name, raw }) => [toText(raw['id']), name]));
  /** The name of a node; some files name it by its id. */
  const named = (key: string) => (nodes.has(key) ? key : (byId.get(key) ?? key));
  for (const [key, kinds] of Object.entries(connections)) {
    const from = named(key);
    if (!nodes.has(from)) {
      notes.push(`A connection begins at "${clip(from)}", which is no node; it is left out, as n8n does.`);
      continue;
    }
    for (const [kind, outputs] of Object.entries(objectOf(kinds)))
      toList(outputs).forEach((targets, output) => {
        for (const target of toList(targets)) {
          const to = named(toText(objectOf(target)['node']));
          if (!nodes.has(to)) {
            notes.push(
              `A connection of "${from}" leads to "${clip(to)}", which is no node; it is left out, as n8n does.`,
            );
            continue;
          }
          if (kind === 'main' && links.length === edgesMax)
            throw Invalid.field('connections', `holds more than ${edgesMax} ways`, 'too_many');
          if (kind === 'main') links.push({ from, to, output });
          else attached.set(from, [...(attached.get(from) ?? []), to]);
        }
      });
  }
  return { links, attached, notes: notes.slice(0, notesMax) };
}

/** The settings of a workflow that have another place here, each with advice. */
const settingAdvice: Record<string, (value: string) => string> = {
  errorWorkflow: (value) =>
    `The error workflow "${value}" is left out: lead the port error of the blocks that may fail to a workflow block.`,
  timezone: (value) => `The time zone ${value} is that of schedules alone: code and dates are in UTC here.`,
  executionTimeout: (value) =>
    `The executionTimeout of ${value} s is left out: blocks have time-outs of their own.`,
  callerPolicy: (value) => `The callerPolicy ${value} is left out: roles and keys say who may execute it.`,
};

function settingNotes(file: JsonObject): string[] {
  const settings = objectOf(file['settings']);
  const notes = Object.entries(settingAdvice).flatMap(([name, write]) => {
    const value = toText(settings[name]);
    return value === '' || value === '-1' || value === 'DEFAULT' ? [] : [write(clip(value))];
  });
  if (Object.keys(objectOf(file['pinData'])).length > 0)
    notes.push('Pinned data is left out: each run has the data of its own call.');
  return notes;
}
