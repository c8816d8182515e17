import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type { Person, Vote } from '#libs/language/definition/blocks/approvals';
import type { Json, JsonObject } from '#libs/platform/json/json';
import type { Plan } from '#libs/language/definition/plan';
import type { BlockLine } from '#libs/language/engine/block-lines';
import type { Outcome } from '#libs/language/engine/effects';
import type { RunState } from '#libs/language/engine/state';

/** Who started a run or answered a pause: a key, a user, a signed link or an operator. */
export interface Actor extends JsonObject {
  kind: 'key' | 'user' | 'link' | 'operator';
  id: string;
}

/** Everything that a run needs to begin; its Temporal workflow id is the execution's id. */
export interface ExecutionInput {
  executionId: string;
  workspaceId: string;
  workflowId: string;
  workflowName: string;
  version: number;
  planHash: string;
  /** Absent when the plan is larger than 64 KB of JSON: then it is loaded by its hash. */
  plan?: Plan;
  /** Packed: members over the inline bound are references. */
  inputs: JsonObject;
  mode: 'sync' | 'async';
  trigger: string;
  /** The bound of active time; waits and pauses do not count. Milliseconds. */
  activeMsMax: number;
  /** A run whose history has more events continues in a new one. */
  eventsMax: number;
  /** When the row was committed. A run that Temporal got much later may have been cancelled in between. */
  acceptedAtMs: number;
  /** The prefix of task queues: `<queue>-io`, `<queue>-code` and `<queue>-llm` carry the effects. */
  queue: string;
  /** True when one activity may carry out several effects that follow each other; otherwise each effect is an activity. */
  effectChains?: boolean;
  /** The address of the execution in the API, for operators. */
  detailUrl: string;
  /** The person who started the run, if a person did. */
  starter?: string;
  /**
   * Present when this run is a child: the run that is signalled when it rests, and the run under which its pauses
   * are listed.
   */
  parent?: { executionId: string; path: string; rootId: string };
  /** Present in every Temporal run of the execution but the first, and in the first when the run has begun before it. */
  carried?: CarriedRun;
  /** Present when the run has ended before Temporal had it: it is only shown. */
  ended?: EndedRun;
}

/** The vote of one person on a pause that more than one person must answer. */
export interface CastVote extends Vote {
  at: string;
  answers: JsonObject;
}

/** The part of an open pause that a run must remember. */
export interface CarriedPause {
  contextId: string;
  openedAtMs: number;
  /** Reminders up to this moment have been committed. */
  toldMs: number;
  votes: CastVote[];
  /** True when those named by `escalation` may answer already. */
  escalated: boolean;
}

/** The input of a run's next Temporal run, when its history has become long. */
export interface CarriedRun {
  state: RunState;
  /** The open pauses by visit path, and the answers that were taken last. */
  ledger: { open: Record<string, CarriedPause>; taken: string[]; uncompleted: string[]; everPaused: boolean };
  blocks: BlockLine[];
  usedMs: number;
  startedAtMs: number;
  shown: Outcome['status'] | 'queued' | 'running' | 'paused';
  /** When the rows were written last, in ms, where that was before Temporal had the run. */
  recordedAtMs?: number;
}

/** A run that has ended where it was accepted. */
export interface EndedRun {
  outcome: Outcome;
  blocks: BlockLine[];
}

/** One person's answer to one pause. `entryId` is the resume entry that was committed before this was sent. */
export interface ResumeMessage {
  entryId: string;
  contextId: string;
  answers: JsonObject;
  /** The person who answered, when the pause has approvals. */
  person?: Person;
  /** When the answer was committed: the moment of a vote. Milliseconds; absent in what an older build sent. */
  atMs?: number;
  /** When the rows went on with the answer, where they did: the run goes on as of then, and records the same. Milliseconds. */
  appliedAtMs?: number;
}

/** An answer from an operator in Temporal; `as` names the person when the pause has approvals. */
export interface SignalledAnswer {
  contextId: string;
  answers?: JsonObject;
  input?: JsonObject;
  entryId?: string;
  as?: string;
}

export interface WorkflowResult {
  output: Json;
}

/** Answers a pause. Refused when the context is unknown (`PAUSE_NOT_FOUND`) or no longer open (`PAUSE_CLOSED`). */
export const resumeUpdate = defineUpdate<{ accepted: true }, [ResumeMessage]>('resume');

/** Answers a pause from the Temporal UI or CLI, where nobody waits for a result. An answer that cannot be taken is ignored. */
export const resumeSignal = defineSignal<[SignalledAnswer]>('resumeSignal');

/** A child tells its parent that it waits for people, or that it works again. */
export const childSignal = defineSignal<[{ path: string; resting: boolean }]>('child');

/**
 * An operator's message to the runs of an old build: continue as the current build, at once when nothing is under
 * way.
 */
export const upgradeSignal = defineSignal('upgrade');
