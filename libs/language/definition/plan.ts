import type { BlockType } from './blocks/registry.ts';
import type { StartInput, Variable } from './definition.ts';
import type { JsonObject } from '#libs/platform/json/json';

/** The version of the plan's format; an engine refuses a plan of a version that it does not know. */
export const planVersion = 1;

/** The index of the start in incoming edges. */
export const startIndex = -1;

export interface PlanRetry {
  maxAttempts: number;
  initialDelayMs: number;
  backoff: number;
  retryOn?: string[];
}

export interface PlanBlock {
  index: number;
  id: string;
  /** The display name; the id when the author gave none. */
  name: string;
  type: BlockType;
  /** Templates as written; for a condition its `cases`. */
  params: JsonObject;
  /** Member paths that the parameters read, without those under `secrets`. */
  references: string[][];
  incoming: { from: number; port: string }[];
  outgoing: { port: string; to: number }[];
  /** Of containers: the graph that each pass runs, and the member paths that their own expressions read inside it. */
  body?: PlanGraph;
  reads?: { test: string[][]; collect: string[][] };
  /** Only for effect blocks. */
  retry?: PlanRetry;
  timeoutMs?: number;
}

/** Blocks in topological order. A block's index is its place in this list. */
export interface PlanGraph {
  blocks: PlanBlock[];
  /** Indexes of the blocks that the start leads to. */
  first: number[];
}

/** A compiled definition: plain JSON, immutable, addressed by its hash. */
export interface Plan extends PlanGraph {
  planVersion: typeof planVersion;
  inputs: Record<string, StartInput>;
  variables: Record<string, Variable>;
}
