import type { BlockType } from '#libs/definition/blocks/registry';
import type { StartInput, Variable } from '#libs/definition/definition';
import type { JsonObject } from '#libs/definition/values';

/** The plan's own format; an engine refuses a plan of a version that it does not know. */
export const planVersion = 1;

/** The index that stands for the start in incoming edges. */
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
  /** The display name; the id when none was given. */
  name: string;
  type: BlockType;
  /** Templates as written; those of a condition are its `cases`. */
  params: JsonObject;
  /** Member paths that the parameters read, without those under `secrets`. */
  references: string[][];
  incoming: { from: number; port: string }[];
  outgoing: { port: string; to: number }[];
  /** Of containers: the graph that each pass runs, and the member paths that their own expressions read inside it. */
  body?: PlanGraph;
  reads?: { test: string[][]; collect: string[][] };
  /** Of effect blocks. */
  retry?: PlanRetry;
  timeoutMs?: number;
}

/** Blocks in topological order. Their indexes are their places here. */
export interface PlanGraph {
  blocks: PlanBlock[];
  /** Indexes of the blocks that the start leads to. */
  first: number[];
}

/** A definition made ready to run: plain JSON, immutable, addressed by its hash. */
export interface Plan extends PlanGraph {
  planVersion: typeof planVersion;
  inputs: Record<string, StartInput>;
  variables: Record<string, Variable>;
}
