import { isObject, type Json, type JsonObject, objectOf } from '#libs/platform/json/json';
import type { ToolBody } from './models/agent.ts';
import type { ConvertedNode, N8nContext } from './context.ts';
import type { N8nNode } from './graph.ts';
import type { N8nFileFacts, N8nStart } from './triggers.ts';

export type ConvertNode = (context: N8nContext) => ConvertedNode;

/** A default of n8n that differs by the version of the node: each value holds from its version on. */
export class Since {
  constructor(readonly values: [number, Json][]) {}

  get(version: number): Json {
    return this.values.findLast(([from]) => version >= from)?.[1] ?? null;
  }
}

/** A default by version, as pairs of the first version and its value. */
export const since = (...values: [number, Json][]) => new Since(values);

/**
 * The parameters that are read, with the values that n8n takes where an export leaves them out; null is none. A dot leads into a collection.
 * A collection without a dot is read whole.
 */
export type N8nParameters = Record<string, Json | Since>;

/** A node that belongs to another one. */
export interface N8nPart {
  kind: 'model' | 'memory' | 'parser' | 'tool' | 'retriever' | 'document' | 'helper';
  /** The address of a model, in the form of OpenAI. */
  baseUrl?: string;
  /** True for a model without a key. */
  isOpen?: true;
  /** Reads a tool. */
  read?: (context: N8nContext, node: N8nNode) => ToolBody;
  /** What to look at; what a tool does. */
  note?: string;
}

/** What nodes of one type and of some versions become. */
export interface N8nRow {
  /** The type without `n8n-nodes-base.`. */
  type: string;
  /** The versions, divided by blanks. */
  versions: string;
  becomes: string;
  /** What the best of its nodes are: some of a row that is `same` are changed, and the report says why. */
  verdict: 'same' | 'changed' | 'refused';
  /** How it is changed, or what to do instead. */
  how: string;
  parameters?: N8nParameters;
  /** Makes the block. */
  convert?: ConvertNode;
  /** Reads a node that starts the workflow. */
  trigger?: (node: N8nNode, file: N8nFileFacts) => N8nStart;
  /** `loop` goes through its items; `note` is no step. */
  kind?: 'loop' | 'note';
  /** What it is to the node to which it is attached. */
  part?: N8nPart;
  /** The items of its output: one when absent, several whatever comes in, or as many as come in. */
  items?: 'several' | 'through' | ((node: N8nNode) => 'several' | 'one');
  /** True where it goes through all items that come in. */
  takesAll?: true;
  /** True where its block may read secrets. */
  readsSecrets?: true;
  /** True where it waits for all of its inputs. */
  joins?: true;
}

const langchain = '@n8n/n8n-nodes-langchain.';

/** The rows by their types. */
export class N8nTable {
  private readonly byType = new Map<string, N8nRow[]>();

  constructor(readonly rows: N8nRow[]) {
    for (const row of rows) this.byType.set(row.type, [...(this.byType.get(row.type) ?? []), row]);
  }

  get({ type, version }: N8nNode): N8nRow | undefined {
    return this.getVersions(type).find(({ versions }) => versions.split(' ').includes(String(version)));
  }

  /** All rows of a type. */
  getVersions(type: string): N8nRow[] {
    return this.byType.get(type) ?? [];
  }
}

/** The node with the defaults of its version in the place of what the export leaves out. */
export function withDefaults(node: N8nNode, parameters: N8nParameters = {}): N8nNode {
  const filled: JsonObject = { ...node.parameters };
  for (const [path, value] of Object.entries(parameters)) {
    const standard = value instanceof Since ? value.get(node.version) : value;
    if (standard === null || path.includes('.')) continue;
    filled[path] ??= standard;
  }
  return { ...node, parameters: filled };
}

/** N8nParameters of all nodes, which say how a call is authenticated or shown. */
const general = new Set(['authentication', 'nodeCredentialType', 'resource', 'operation', 'requestOptions']);

/** The names of what a node says and nothing reads. */
export function findUnread(node: N8nNode, parameters: N8nParameters = {}): string[] {
  const collections = new Set(Object.keys(parameters).flatMap((path) => path.split('.').slice(0, -1)));
  const isSaid = (value: Json | undefined) =>
    value !== '' &&
    value !== false &&
    value !== null &&
    !(isObject(value) && Object.keys(value).length === 0) &&
    !(Array.isArray(value) && value.length === 0);
  return Object.entries(node.parameters).flatMap(([name, value]) => {
    if (general.has(name) || Object.hasOwn(parameters, name) || !isSaid(value)) return [];
    if (!collections.has(name)) return [name];
    return Object.entries(objectOf(value)).flatMap(([inner, one]) =>
      Object.hasOwn(parameters, `${name}.${inner}`) || !isSaid(one) ? [] : [`${name}.${inner}`],
    );
  });
}

/** The lines of the table on the page about imports. */
export function toPageRows(rows: N8nRow[]): string {
  const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const named = ([name, value]: [string, Json | Since]): string => {
    if (value === null) return `\`${name}\``;
    const given =
      value instanceof Since
        ? value.values.map(([from, one]) => `${JSON.stringify(one)} since ${from}`).join(', ')
        : JSON.stringify(value);
    return `\`${name}\` (${given})`;
  };
  return rows
    .map(({ type, versions, becomes, verdict, how, parameters = {} }) =>
      [
        `\`${type.replace(langchain, '')}\``,
        versions,
        verdict,
        becomes,
        how,
        Object.entries(parameters).map(named).join(' '),
      ]
        .map(cell)
        .join(' | '),
    )
    .map((line) => `| ${line} |\n`)
    .join('');
}
