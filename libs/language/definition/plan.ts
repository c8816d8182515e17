import type { BlockType } from './blocks/registry.ts';
import type { StartInput, Variable } from './definition.ts';
import type { Json, JsonObject } from '#libs/platform/json/json';

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
  /** An operator is asked when the retries are used up. */
  asksOnFailure?: true;
  /** Only for webhook blocks: an expression reads the answer. */
  answerIsRead?: true;
}

/** Blocks in topological order. A block's index is its place in this list. */
export interface PlanGraph {
  blocks: PlanBlock[];
  /** Indexes of the blocks that the start leads to. */
  first: number[];
}

/** Finds a block at any depth; undefined when there is none with the id. */
export function findBlock(blocks: PlanBlock[], id: string): PlanBlock | undefined {
  for (const block of blocks) {
    const found = block.id === id ? block : findBlock(block.body?.blocks ?? [], id);
    if (found) return found;
  }
  return undefined;
}

/** When executions start. A singleton is a concurrency with the limit 1. */
export interface PlanFlow {
  key?: string;
  concurrency?: { limit: number; onLimit: 'queue' | 'cancelOldest' | 'reject' | 'join' };
  throttle?: { limit: number; periodMs: number };
  debounce?: { delayMs: number; longestMs: number };
  batch?: { size: number; longestMs: number };
  /** A number from 1 to 5, or an expression. */
  priority?: number | string;
  fairBy?: string;
}

/** What a call returns in a test, or how it fails. */
export interface ScriptedAnswer {
  output?: Json;
  fail?: { code: string; message: string; retryable?: boolean; details?: Json };
}

/** The answers that a test has for calls and children, by block or by path of a visit. Each attempt takes one, and the last one is repeated. */
export interface PlanScript {
  effects: Record<string, ScriptedAnswer[]>;
  children: Record<string, ScriptedAnswer[]>;
}

/** A compiled definition: plain JSON, immutable, addressed by its hash. */
export interface Plan extends PlanGraph {
  planVersion: typeof planVersion;
  inputs: Record<string, StartInput>;
  /** The template of the titles of its executions. */
  title?: string;
  variables: Record<string, Variable>;
  /** Absent when every execution starts at once. */
  flow?: PlanFlow;
  /** True when a block at any depth asks an operator on failure. */
  asksOnFailure?: true;
  /** Present in a test whose calls are not made. */
  script?: PlanScript;
}
