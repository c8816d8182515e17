import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type { Person, Vote } from '#libs/language/definition/blocks/approvals';
import type { Json, JsonObject } from '#libs/platform/json/json';
import type { Plan } from '#libs/language/definition/plan';
import type { BlockLine } from '#libs/language/engine/block-lines';
import type { Failure, Outcome } from '#libs/language/engine/effects';
import type { RunState } from '#libs/language/engine/state';
import type { AttemptDetails } from './activities.ts';

/** The input of a run. The id of its Temporal workflow is the execution's id. */
export interface ExecutionInput {
  executionId: string;
  workspaceId: string;
  workflowId: string;
  workflowName: string;
  version: number;
  planHash: string;
  /** Absent when the plan has more than 64 KB of JSON: then the run loads it by its hash. */
  plan?: Plan;
  /** Packed: members over the inline bound are references. */
  inputs: JsonObject;
  mode: 'sync' | 'async';
  trigger: string;
  /** The limit of active time, in milliseconds. Waits and pauses do not count. */
  activeMsMax: number;
  /** A run whose history has more events continues in a new one. */
  eventsMax: number;
  /** The commit time of the row. If Temporal got the run much later, it may have been cancelled in between. */
  acceptedAtMs: number;
  /** The prefix of task queues: `<queue>-io`, `<queue>-code` and `<queue>-llm` carry the effects. */
  queue: string;
  /** True when one activity may carry out several effects that follow each other. Otherwise each effect is an activity. */
  effectChains?: boolean;
  /** The address of the execution in the API, for operators. */
  detailUrl: string;
  /** The person who started the run, if a person did. */
  starter?: string;
  /** Present in a child: the run that the child signals when it rests, and the run that lists its pauses. */
  parent?: { executionId: string; path: string; rootId: string };
  /**
   * Present in every Temporal run of the execution but the first. Also present in the first when the run began in the
   * API.
   */
  carried?: CarriedRun;
  /** Present when the run ended before Temporal had it. Temporal only shows it. */
  ended?: EndedRun;
}

/** The vote of one person on a pause that more than one person must answer. */
export interface CastVote extends Vote {
  at: string;
  answers: JsonObject;
}

/** The data of an open pause that a run must remember. */
export interface CarriedPause {
  contextId: string;
  openedAtMs: number;
  /** Reminders up to this moment have been committed. */
  toldMs: number;
  votes: CastVote[];
  /** True when the people of the escalation may answer already. */
  escalated: boolean;
}

/** The input of a run's next Temporal run, after its history became long. */
export interface CarriedRun {
  state: RunState;
  /** The open pauses by visit path, and the latest answers that the run took. The name is stored in histories. */
  ledger: { open: Record<string, CarriedPause>; taken: string[]; uncompleted: string[]; everPaused: boolean };
  blocks: BlockLine[];
  usedMs: number;
  startedAtMs: number;
  shown: Outcome['status'] | 'queued' | 'running' | 'paused';
  /** The time of the last record, in ms, when it was before Temporal had the run. */
  recordedAtMs?: number;
  /** The open effect whose first attempt has failed before Temporal had the run, and may be tried again. */
  failed?: { path: string; failure: Failure; about: AttemptDetails };
}

/** A run that ended in the API. */
export interface EndedRun {
  outcome: Outcome;
  blocks: BlockLine[];
}

/** One person's answer to one pause. `entryId` is the resume entry, which was committed before this message was sent. */
export interface ResumeMessage {
  entryId: string;
  contextId: string;
  answers: JsonObject;
  /** The person who answered, when the pause has approvals. */
  person?: Person;
  /** The commit time of the answer, in ms; the time of a vote. Older builds do not send it. */
  atMs?: number;
  /**
   * The time at which the API applied the answer inline, in ms, if it did. The run uses it as its clock and records the
   * same times.
   */
  appliedAtMs?: number;
}

/** An answer from an operator in Temporal. `as` names the person when the pause has approvals. */
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

/** Answers a pause. Fails when the context is unknown (`PAUSE_NOT_FOUND`) or no longer open (`PAUSE_CLOSED`). */
export const resumeUpdate = defineUpdate<{ accepted: true }, [ResumeMessage]>('resume');

/**
 * Answers a pause from the Temporal UI or CLI, where nobody waits for a result. An answer that the run cannot take is
 * ignored.
 */
export const resumeSignal = defineSignal<[SignalledAnswer]>('resumeSignal');

/**
 * A child tells its parent what it waits for. `resting` says that only people can continue it, and `still` that it does
 * nothing for longer, whatever it waits for. The active time of the parent counts neither.
 */
export const childSignal = defineSignal<[{ path: string; resting: boolean; still?: boolean }]>('child');

/** Tells a run whose child waits in line that there may be room for the child now. */
export const roomSignal = defineSignal('room');

/** An operator's message to the runs of an old build: continue on the current build, at once when nothing is under way. */
export const upgradeSignal = defineSignal('upgrade');
