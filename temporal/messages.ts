import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type { Person, Vote } from '#libs/definition/blocks/approvals';
import type { Json, JsonObject } from '#libs/definition/values';
import type { Plan } from '#libs/definition/plan';
import type { Outcome, VisitEntry } from '#libs/engine/effects';
import type { RunState } from '#libs/engine/state';

/** Who started a run or answered a pause: a key, a user, a signed link or an operator. */
export interface Actor extends JsonObject {
  kind: 'key' | 'user' | 'link' | 'operator';
  id: string;
}

/** All that a run needs to begin; its Temporal workflow id is the execution's id. */
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
  /** Bound of active time; waits and pauses do not count. Milliseconds. */
  activeMsMax: number;
  /** A run whose history has more events goes on in a new one. */
  eventsMax: number;
  /** When the row was committed: a run that Temporal got much later may have been cancelled since. */
  acceptedAtMs: number;
  /** Task queue prefix: `<queue>-io` and `<queue>-code` carry the effects. */
  queue: string;
  /** Where an operator finds the execution in the API. */
  detailUrl: string;
  /** The person who started the run, if a person did. */
  starter?: string;
  /** Present when this run is a child: who is told that it rests, and under which run its pauses stand. */
  parent?: { executionId: string; path: string; rootId: string };
  /** Present in every incarnation but the first. */
  carried?: Carried;
}

/** What is shown of a block that was visited once or ten thousand times: its last visit, and how many there were. */
export interface BlockLine {
  path: string;
  blockId: string;
  name: string;
  type: string;
  status: VisitEntry['status'];
  attempts: number;
  visits: number;
  /** The first words of its last failure. */
  failure: string;
}

/** What one person has said to a request that more than one must answer. */
export interface CastVote extends Vote, JsonObject {
  person: string;
  approved: boolean;
  at: string;
  answers: JsonObject;
}

/** What a run must remember of an open pause. */
export interface CarriedPause {
  contextId: string;
  openedAtMs: number;
  /** Reminders up to this moment have been seen to. */
  toldMs: number;
  votes: CastVote[];
  /** Whether those named by `escalation` are asked by now. */
  escalated: boolean;
}

/** What a run hands to its next incarnation when its history has become long. */
export interface Carried {
  state: RunState;
  /** The open pauses by visit path, and the answers taken last. */
  ledger: { open: Record<string, CarriedPause>; taken: string[]; uncompleted: string[]; everPaused: boolean };
  blocks: BlockLine[];
  usedMs: number;
  startedAtMs: number;
  shown: Outcome['status'] | 'queued' | 'running' | 'paused';
}

/** One person's answer to one pause. `entryId` is the resume entry that was committed before this was sent. */
export interface ResumeMessage {
  entryId: string;
  contextId: string;
  answers: JsonObject;
  /** Where only certain people may answer: who did. */
  person?: Person;
}

/** The same from whoever watches the run in Temporal; `as` names the person where only certain people may answer. */
export interface SignalledAnswer {
  contextId: string;
  answers?: JsonObject;
  input?: JsonObject;
  entryId?: string;
  as?: string;
}

/** The state in which a run stands when nothing but people can move it, or nothing at all. */
export interface Settled {
  /** `running` only when the run goes on in a new incarnation: ask again. */
  status: Outcome['status'] | 'paused' | 'running';
  /** How many resume entries the run has taken when it settled. */
  resumes: number;
}

export interface WorkflowResult {
  output: Json;
}

/** Answers a pause. Refused when the context is unknown (`PAUSE_NOT_FOUND`) or no longer open (`PAUSE_CLOSED`). */
export const resumeUpdate = defineUpdate<{ accepted: true }, [ResumeMessage]>('resume');

/** The same message from the Temporal UI or CLI, where nobody waits for the reply. What cannot be taken is ignored. */
export const resumeSignal = defineSignal<[SignalledAnswer]>('resumeSignal');

/** A child tells its parent that it waits for people, or that it works again. */
export const childSignal = defineSignal<[{ path: string; resting: boolean }]>('child');

/** An operator's call to the runs of an old build: go on as the current one, at once where nothing is under way. */
export const upgradeSignal = defineSignal('upgrade');

/** Waits until the run has settled; used with update-with-start. */
export const settledUpdate = defineUpdate<Settled, []>('settled');
