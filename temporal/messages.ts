import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type { Json, JsonObject } from '#libs/platform/json/json';
import type { BlockLine } from '#libs/language/engine/block-lines';
import type { Failure, Outcome } from '#libs/language/engine/effects';
import type { AttemptDetails } from './activities.ts';

/** The input of a run. The id of its Temporal workflow is the execution's id. */
export interface ExecutionInput {
  executionId: string;
  workspaceId: string;
  workflowId: string;
  workflowName: string;
  version: number;
  planHash: string;
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
  /** True when a person has retried the execution, whose former Temporal run has ended or ends. */
  isRetried?: true;
  /** Present when the run ended before Temporal had it. Temporal only shows it. */
  ended?: EndedRun;
}

/** The input of a run's next Temporal run, after its history became long, or of the first after the run began elsewhere. */
export interface CarriedRun {
  /** The number of the last event that the run has come through. */
  number: number;
  usedMs: number;
  /** True when the run waits for people. */
  isPaused?: true;
  /** By visit path of an open pause: reminders up to this moment have been committed. */
  told?: Record<string, number>;
  /** The open effect whose first attempt has failed before Temporal had the run, and may be tried again. */
  failed?: { path: string; failure: Failure; about: AttemptDetails };
}

/** A run that ended in the API. */
export interface EndedRun {
  outcome: Outcome;
  blocks: BlockLine[];
}

/**
 * An answer to one pause. `entryId` names an answer that the API has committed; an operator in Temporal gives none. `as` names the person
 * when the pause has approvals.
 */
export interface OperatorAnswer {
  contextId: string;
  answers?: JsonObject;
  input?: JsonObject;
  entryId?: string;
  as?: string;
}

export interface WorkflowResult {
  output: Json;
}

/** Answers a pause, and fails with the reason of a refusal. */
export const resumeUpdate = defineUpdate<{ accepted: true }, [OperatorAnswer]>('resume');

/**
 * Tells a run of an answer that the API has committed. From the Temporal UI or CLI it answers a pause; an answer that the run cannot take is
 * ignored.
 */
export const resumeSignal = defineSignal<[OperatorAnswer]>('resumeSignal');

/**
 * A child tells its parent what it waits for. `resting` says that only people can continue it, and `still` that it does
 * nothing for longer, whatever it waits for. The active time of the parent counts neither.
 */
export const childSignal = defineSignal<[{ path: string; resting: boolean; still?: boolean }]>('child');

/** Tells a run that what it keeps waiting may be tried again: a child in line, or an effect that a hold has stopped. */
export const roomSignal = defineSignal('room');

/** An operator's message to the runs of an old build: continue on the current build, at once when nothing is under way. */
export const upgradeSignal = defineSignal('upgrade');
