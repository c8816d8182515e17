import type { Json, JsonObject } from '#libs/definition/values';
import type { VisitEntry } from '#libs/engine/effects';

/** A file of scenarios, all of one definition. */
export interface ScenarioFile {
  $schema?: string;
  /** The definition, a workflow that holds one, or the path of a file of either, relative to this file. */
  definition: string | JsonObject;
  scenarios: Scenario[];
}

/** One run of the definition: what goes in, what the outside answers, and what is to come of it. */
export interface Scenario {
  name: string;
  inputs?: JsonObject;
  secrets?: Record<string, string>;
  people?: Person[];
  /** By block id, or by visit path (`call@each[3]`), which goes first. */
  effects?: Record<string, Answers>;
  children?: Record<string, Answers>;
  /** Workflow time after which a run that has not ended is left as it stands; ten years when it is not said. */
  until?: string | number;
  expect: Expectation;
}

/** Whoever answers a pause. Entries for one block are taken in turn, the last again for every pause after it. */
export interface Person {
  block: string;
  /** The pass of the loop or parallel, as `each[0]`; then the entry is for that pause alone. */
  pass?: string;
  /** Workflow time from the opening of the pause to the answer; none when it is not said. */
  after?: string | number;
  answers: JsonObject;
  /** Where approvals say who may answer: an e-mail address or user id, and the role in the workspace. */
  as?: string;
  role?: string;
}

/** One answer an attempt; the last is given again. */
export type Answers = Answer | Answer[];

/** What an effect or a child comes to. Exactly one of the two. */
export interface Answer {
  output?: Json;
  fail?: {
    code: string;
    message: string;
    /** Whether the block's own retries try again; they do when it is not said. */
    retryable?: boolean;
    retryAfter?: string | number;
    details?: Json;
  };
}

export interface Expectation {
  /** `paused` when nothing but a person who is not in the scenario can move it, `running` when `until` came first. */
  status: 'completed' | 'failed' | 'paused' | 'running';
  output?: Json;
  /**
   * The visits, as the definition leads from block to block, passes by number; those that were skipped left out. A text
   * is a block id or a visit path.
   */
  path?: (string | Step)[];
  pauses?: (string | ExpectedPause)[];
  /** Of workflow time, within a minute, since the machine's own time counts too; or bounds. */
  elapsed?: string | number | { min?: string | number; max?: string | number };
  failure?: { code?: string; blockId?: string; message?: string };
  /** What each attempt of an effect or a child was called with, in order; members that are not named may be anything. */
  calls?: Record<string, JsonObject[]>;
}

export interface Step {
  block: string;
  status?: VisitEntry['status'];
  attempts?: number;
  port?: string;
}

export interface ExpectedPause {
  block: string;
  title?: string;
  message?: string;
  outcome?: PauseOutcome;
}

export const pauseOutcomes = ['answered', 'expired', 'closed', 'open'] as const;
export type PauseOutcome = (typeof pauseOutcomes)[number];

/** A pause as it was shown. */
export interface ShownPause {
  path: string;
  blockId: string;
  title: string;
  message: string;
  openedAtMs: number;
  outcome: PauseOutcome;
}

/** One attempt of an effect, with its parameters as they would have left the system. */
export interface Call {
  path: string;
  blockId: string;
  params: JsonObject;
}

/** A note beside the log: what a person did, and what could not be done as the scenario says. */
export interface Note {
  atMs: number;
  text: string;
}

/** What became of a run. */
export interface Played {
  status: Expectation['status'] | 'cancelled';
  output: Json;
  failure?: { code: string; message: string; blockId?: string };
  startedAtMs: number;
  elapsedMs: number;
  /** In order; outputs are whole. */
  visits: VisitEntry[];
  pauses: ShownPause[];
  calls: Call[];
  notes: Note[];
  /** Why the scenario could not be played as it is written; each fails it. */
  problems: string[];
}

export interface ScenarioResult extends Played {
  name: string;
  passed: boolean;
  /** One sentence for each expectation that was not met. */
  differences: string[];
  /** Real time, in milliseconds. */
  tookMs: number;
}
