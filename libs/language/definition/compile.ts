import type { Block, ContainerBlock, EffectBlock } from './blocks/registry.ts';
import type { Definition, Edge, Graph, OnFailure } from './definition.ts';
import type { JsonObject } from '#libs/platform/json/json';

// Exported here for callers that hash a plan.
export { canonicalJson } from '#libs/platform/json/canonical';

import type { BlockKind } from './blocks/kind.ts';
import { blockKinds, effectKindOf, isContainerType, isEffectType } from './blocks/registry.ts';
import { durationMs } from './durations.ts';
import { expressionReferences, references } from './expressions/expressions.ts';
import { planFlow } from './flow.ts';
import { order } from './graph.ts';
import {
  type Plan,
  type PlanBlock,
  type PlanGraph,
  planVersion,
  type PlanRetry,
  startIndex,
} from './plan.ts';

/** Compiles a definition that `validate` has passed. Equal definitions give equal plans. */
export function compile(definition: Definition): Plan {
  const types = Object.fromEntries(
    Object.entries(definition.variables ?? {}).map(([name, { type }]) => [name, type]),
  );
  const graph = planGraph(definition, { types, onFailure: definition.onFailure });
  markReadAnswers(graph, new Set(findReadAnswers(graph)));
  return {
    planVersion,
    inputs: definition.start?.inputs ?? {},
    ...(definition.start?.title === undefined ? {} : { title: definition.start.title }),
    variables: definition.variables ?? {},
    ...(definition.start?.flow ? { flow: planFlow(definition.start.flow) } : {}),
    ...(asksSomewhere(graph) ? { asksOnFailure: true as const } : {}),
    ...graph,
  };
}

/** What blocks of every depth take from their definition. */
interface Around {
  /** The types of the variables. */
  types: JsonObject;
  onFailure: OnFailure | undefined;
}

const asksSomewhere = ({ blocks }: PlanGraph): boolean =>
  blocks.some(({ asksOnFailure, body }) => asksOnFailure === true || (body && asksSomewhere(body)));

/** The ids of the blocks whose output an expression reads: whole, or its `data`. */
const findReadAnswers = ({ blocks }: PlanGraph): string[] =>
  blocks.flatMap((block) => {
    const { test = [], collect = [] } = block.reads ?? {};
    const paths = [...block.references, ...test, ...collect];
    const read = paths.filter(([, member = 'data']) => member === 'data').map(([id = '']) => id);
    return block.body ? [...read, ...findReadAnswers(block.body)] : read;
  });

function markReadAnswers({ blocks }: PlanGraph, ids: Set<string>): void {
  for (const block of blocks) {
    if (block.type === 'webhook' && ids.has(block.id)) block.answerIsRead = true;
    if (block.body) markReadAnswers(block.body, ids);
  }
}

function planGraph(graph: Graph, around: Around): PlanGraph {
  const blocks = order(graph.blocks, graph.edges);
  const index = new Map([
    ['start', startIndex],
    ...blocks.map((block, i): [string, number] => [block.id, i]),
  ]);
  const edges = graph.edges.map((edge) => ends(edge, index));
  const compiled = blocks.map((block, i) => planBlock(block, i, around));
  for (const { from, to, port } of edges) {
    compiled[to]?.incoming.push({ from, port });
    compiled[from]?.outgoing.push({ port, to });
  }
  for (const block of compiled) {
    block.incoming.sort((a, b) => a.from - b.from);
    block.outgoing.sort((a, b) => a.to - b.to);
  }
  return {
    blocks: compiled,
    first: edges.flatMap(({ from, to }) => (from === startIndex ? [to] : [])).toSorted((a, b) => a - b),
  };
}

function ends(edge: Edge, index: Map<string, number>): { from: number; to: number; port: string } {
  const from = index.get(edge.from);
  const to = index.get(edge.to);
  if (from === undefined || to === undefined)
    throw new Error(`edge ${edge.from} → ${edge.to} was not validated`);
  return { from, to, port: edge.port ?? 'out' };
}

function planBlock(block: Block, index: number, around: Around): PlanBlock {
  const { id, type } = block;
  const planned: PlanBlock = {
    index,
    id,
    name: block.name ?? id,
    type,
    params: paramsOf(block, around.types),
    references: readsOf(block).filter(([root]) => root !== 'secrets'),
    incoming: [],
    outgoing: [],
  };
  if (isContainer(block)) {
    const { collect = null } = block.params;
    const { while: before, until } = block.type === 'loop' ? block.params : {};
    const test = before ?? until;
    const reads = {
      test: test === undefined ? [] : expressionReferences(test),
      collect: references(collect),
    };
    return { ...planned, body: planGraph(block.body, around), reads };
  }
  if (!isEffect(block)) return planned;
  const asks = (block.onFailure ?? around.onFailure) === 'pause';
  return {
    ...planned,
    retry: retryOf(block),
    timeoutMs: timeoutOf(block),
    ...(asks ? { asksOnFailure: true as const } : {}),
  };
}

/** A copy, so that the plan shares nothing with the definition. */
function paramsOf(block: Block, types: JsonObject): JsonObject {
  const written = 'params' in block ? block.params : {};
  const { planParams }: BlockKind = blockKinds[block.type];
  const params: JsonObject = JSON.parse(JSON.stringify(planParams ? planParams(block, types) : written));
  return params;
}

/** The member paths that are read before the block runs: by its templates and by its bare expressions. */
function readsOf(block: Block): string[][] {
  const { templates, conditions }: BlockKind = blockKinds[block.type];
  if (conditions)
    return conditions({ ...block }).flatMap(({ source }) => expressionReferences(String(source)));
  const params = paramsOf(block, {});
  return references(templates ? templates.map((name) => params[name] ?? null) : params);
}

function isContainer(block: Block): block is ContainerBlock {
  return isContainerType(block.type);
}

function isEffect(block: Block): block is EffectBlock {
  return isEffectType(block.type);
}

function retryOf({ retry = {} }: EffectBlock): PlanRetry {
  return {
    maxAttempts: retry.maxAttempts ?? 1,
    initialDelayMs: durationMs(retry.initialDelay ?? 1) ?? 1000,
    backoff: retry.backoff ?? 2,
    ...(retry.retryOn ? { retryOn: retry.retryOn } : {}),
  };
}

function timeoutOf({ type, timeout }: EffectBlock): number {
  return (timeout === undefined ? undefined : durationMs(timeout)) ?? effectKindOf(type).timeoutMs;
}
