import type { JsonObject } from '#libs/platform/json/json';

import type { Duration, Retry, OnFailure } from '../definition.ts';
import { isObject, json, list, number, type Shape, text } from '../shapes/shape.ts';

/** The members that every block may have. */
export interface BlockBase {
  id: string;
  name?: string;
  description?: string;
}

/** The members that every effect block may have. */
export interface EffectBase extends BlockBase {
  retry?: Retry;
  onFailure?: OnFailure;
  timeout?: Duration;
}

/** A block as its author wrote it: nothing of it has been checked. */
export type RawBlock = Record<string, unknown>;

/** The queues of activities; each has slots of its own in a worker. */
export const effectQueues = ['io', 'code', 'llm'] as const;
export type EffectQueue = (typeof effectQueues)[number];

/** A bare expression of a block, and the steps that lead to it from the block. */
export interface Condition {
  steps: (string | number)[];
  source: unknown;
}

/**
 * The whole description of one type of block. Checks, references, ports, compilation, queues and the mutation tests
 * derive from it.
 */
export interface BlockKind<B extends BlockBase & { type: string } = BlockBase & { type: string }> {
  /** The members of this type of block, beside those that every block has. */
  members: { [K in Exclude<keyof B, keyof EffectBase | 'type' | 'body'>]: Shape<B[K]> };
  /** One valid block. It may read the number `start.n` and the variable `vars.v`. */
  sample: Omit<B, 'id'>;
  /** The ports by which edges may leave the block, beside `error`, which every block has. Only `out` when absent. */
  ports?(block: RawBlock): string[];
  /** True when a visit that does not fail takes one of several ports. Always false when absent. */
  hasChoice?(block: RawBlock): boolean;
  /** A sentence that says how the author gets a port that this block lacks. */
  portHint?(port: string): string | undefined;
  /** The members of the block's output, beside `error`, with their shapes. Absent when the output may have any members. */
  outputs?(block: RawBlock): Record<string, Shape>;
  /** The parameters that are templates. All of them when absent. */
  templates?: readonly string[];
  /** The block's bare expressions. */
  conditions?(block: RawBlock): Condition[];
  /** The parameters in the plan; `params` as written when absent. */
  planParams?(block: B, variableTypes: JsonObject): unknown;
  /**
   * Present when the block reaches outside of the run: the queue of its activity, and the time-out of one attempt
   * in ms. A block that `keeps` what it is given stores it here in the clear, and may read no secret.
   */
  effect?: { queue: EffectQueue; timeoutMs: number; keeps?: true };
  /** Present when the block runs a graph of its own: the name by which expressions in it read the pass. */
  container?: { pass: 'loop' | 'branch' };
}

/** A kind of block that reaches outside of the run, by an activity of its type. */
export type EffectKind<B extends EffectBase & { type: string }> = BlockKind<B> &
  Required<Pick<BlockKind<B>, 'effect'>>;

/** A kind of block with a graph inside. */
export type ContainerKind<B extends BlockBase & { type: string }> = BlockKind<B> &
  Required<Pick<BlockKind<B>, 'container'>>;

/** Makes a kind's output closed: it has these members and no others. */
export const closedOutput = (members: Record<string, Shape>) => ({ outputs: () => members });

/** Members of an output that may have any values. */
export const anyMembers = (...names: string[]): Record<string, Shape> =>
  Object.fromEntries(names.map((name) => [name, json]));

/** What outputs are made of. */
export const outputText = text({ max: Infinity });
export const outputCount = number({ min: 0, max: Number.MAX_SAFE_INTEGER });
export const outputStatus = number({ min: 100, max: 599 });
export const outputObject: Shape = {
  schema: { type: 'object' },
  check: (value, path, report) => isObject(value) || report(path, 'type', 'It must be an object.'),
};
export const outputObjects = list(outputObject, { max: Infinity });
