import type { JsonObject } from '#libs/platform/json/json';
import { condition } from './condition.ts';
import { evaluator } from './evaluator.ts';
import { functionKind } from './function.ts';
import { http } from './http.ts';
import { human } from './human.ts';
import type { BlockKind, EffectKind } from './kind.ts';
import { knowledgeKind } from './knowledge.ts';
import { llm } from './llm.ts';
import { loop } from './loop.ts';
import { mcp } from './mcp.ts';
import { parallel } from './parallel.ts';
import { response } from './response.ts';
import { router } from './router.ts';
import type { Shape } from '../shapes/shape.ts';
import { tableKind } from './table.ts';
import { variables } from './variables.ts';
import { wait } from './wait.ts';
import { webhook } from './webhook.ts';
import { workflow } from './workflow.ts';

/** Every type of block. A new one is a file beside this and a line here. */
export const blockKinds = {
  condition,
  variables,
  response,
  http,
  function: functionKind,
  human,
  wait,
  loop,
  parallel,
  workflow,
  webhook,
  llm,
  router,
  evaluator,
  mcp,
  table: tableKind,
  knowledge: knowledgeKind,
} satisfies Record<string, BlockKind>;

type Kinds = typeof blockKinds;

export type BlockType = keyof Kinds;

/** The types whose kind has a queue for an activity. */
export type EffectType = {
  [T in BlockType]: Kinds[T] extends { effect: object } ? T : never;
}[BlockType];

export type Block = BlockIn<Kinds[BlockType]>;
export type EffectBlock = BlockIn<Kinds[EffectType]>;
export type ContainerBlock = BlockIn<Extract<Kinds[BlockType], { container: object }>>;

type BlockIn<K> = K extends BlockKind<infer B> ? B : never;

/** The parameters of an effect block of one type, rendered and checked. */
export type EffectParams<T extends EffectType = EffectType> = BlockIn<Kinds[T]>['params'];

export const blockTypes = Object.keys(blockKinds) as BlockType[];

export const effectTypes = blockTypes.filter(isEffectType);

/** The kind of a type that an author wrote; undefined when there is none. */
export function kindOf(type: string): BlockKind | undefined {
  return Object.hasOwn(blockKinds, type) ? blockKinds[type as BlockType] : undefined;
}

/** The parameters of a block that are templates. */
export function pickTemplates(type: string, params: JsonObject): JsonObject {
  const written = kindOf(type)?.templates;
  if (!written) return params;
  return Object.fromEntries(Object.entries(params).filter(([name]) => written.includes(name)));
}

export function effectKindOf(type: EffectType): EffectKind<EffectBlock>['effect'] {
  return blockKinds[type].effect;
}

/** The form of the parameters of effect blocks of a type. */
export function effectParamsShape<T extends EffectType>(type: T): Shape<EffectParams<T>> {
  return blockKinds[type].members.params;
}

export function isEffectType(type: string): type is EffectType {
  return kindOf(type)?.effect !== undefined;
}

export function isContainerType(type: string): boolean {
  return kindOf(type)?.container !== undefined;
}
