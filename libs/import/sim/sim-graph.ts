import { blocksMax, edgesMax } from '#libs/language/definition/shapes/graph-shapes';
import { isObject, type Json, type JsonObject, objectOf } from '#libs/platform/json/json';
import { Invalid } from '#libs/platform/errors/errors';
import { toList, toText } from '../values.ts';

/** One block of a workflow of Sim. */
export interface SimBlock {
  id: string;
  name: string;
  type: string;
  enabled: boolean;
  /** The values of its fields. */
  fields: JsonObject;
  /** The items of each container, and the container of each block. */
  data: JsonObject;
  /** The id of the container that it lies in. */
  parent: string | undefined;
  raw: JsonObject;
}

export interface SimEdge {
  from: string;
  to: string;
  handle: string;
}

export interface SimGraph {
  name: string;
  description: string;
  blocks: Map<string, SimBlock>;
  edges: SimEdge[];
  variables: JsonObject[];
}

/** Reads an export of Sim, or the state in it. Throws Invalid for anything else. */
export function readSim(file: JsonObject): SimGraph {
  const isExport = file['state'] !== undefined;
  const path = isExport ? 'state.' : '';
  const state = isExport ? objectOf(file['state']) : file;
  const given = state['blocks'];
  if (!isObject(given))
    throw Invalid.field(`${path}blocks`, 'must be an object: this is no workflow of Sim', 'type');
  const entries = Object.entries(given);
  if (entries.length === 0) throw Invalid.field(`${path}blocks`, 'holds no block', 'too_few');
  if (entries.length > blocksMax)
    throw Invalid.field(`${path}blocks`, `holds more than ${blocksMax} blocks`, 'too_many');
  const blocks = new Map(entries.map(([id, raw]) => [id, readBlock(id, raw, `${path}blocks.${id}`)]));
  for (const { id } of blocks.values()) checkParents(blocks, id, `${path}blocks.${id}`);
  const edges = state['edges'] ?? [];
  if (!Array.isArray(edges)) throw Invalid.field(`${path}edges`, 'must be a list', 'type');
  if (edges.length > edgesMax)
    throw Invalid.field(`${path}edges`, `holds more than ${edgesMax} edges`, 'too_many');
  const workflow = objectOf(file['workflow']);
  const metadata = objectOf(state['metadata']);
  return {
    name: toText(workflow['name'] ?? metadata['name']),
    description: toText(workflow['description'] ?? metadata['description']),
    blocks,
    edges: edges.map((edge, i) => readEdge(edge, blocks, `${path}edges[${i}]`)),
    variables: getVariables(state['variables'] ?? workflow['variables']),
  };
}

/** The names under which the workflows are looked for that the blocks of a file run. */
export function simChildren(file: unknown): string[] {
  if (!isObject(file)) return [];
  const blocks = objectOf(objectOf(file['state'] ?? file)['blocks']);
  return Object.values(blocks)
    .filter(isObject)
    .filter(({ type }) => type === 'workflow' || type === 'workflow_input')
    .map(({ name }) => toText(name));
}

function readBlock(id: string, raw: Json, path: string): SimBlock {
  if (!isObject(raw)) throw Invalid.field(path, 'must be an object', 'type');
  const type = toText(raw['type']);
  const name = toText(raw['name']);
  if (type === '') throw Invalid.field(`${path}.type`, 'is required', 'required');
  if (name === '') throw Invalid.field(`${path}.name`, 'is required', 'required');
  const data = objectOf(raw['data']);
  const fields = Object.fromEntries(
    Object.entries(objectOf(raw['subBlocks'])).map(([key, one]): [string, Json] => [
      key,
      objectOf(one)['value'] ?? null,
    ]),
  );
  const parent = toText(data['parentId'] ?? raw['parentId']) || undefined;
  return { id, name, type, enabled: raw['enabled'] !== false, fields, data, parent, raw };
}

function checkParents(blocks: Map<string, SimBlock>, id: string, path: string): void {
  const seen = new Set([id]);
  for (let at = blocks.get(id)?.parent; at !== undefined; at = blocks.get(at)?.parent) {
    const around = blocks.get(at);
    const isContainer = around?.type === 'loop' || around?.type === 'parallel';
    if (!isContainer || seen.has(at))
      throw Invalid.field(`${path}.data.parentId`, 'names no loop or parallel around it', 'unknown_block');
    seen.add(at);
  }
}

function readEdge(edge: Json, blocks: Map<string, SimBlock>, path: string): SimEdge {
  const { source, target, sourceHandle } = objectOf(edge);
  const [from, to] = [toText(source), toText(target)];
  if (!blocks.has(from)) throw Invalid.field(`${path}.source`, 'names no block of the file', 'unknown_block');
  if (!blocks.has(to)) throw Invalid.field(`${path}.target`, 'names no block of the file', 'unknown_block');
  return { from, to, handle: toText(sourceHandle, 'source') };
}

const getVariables = (value: Json | undefined): JsonObject[] =>
  (Array.isArray(value) ? toList(value) : Object.values(objectOf(value))).filter(isObject);
