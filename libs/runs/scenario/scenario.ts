import type { Json, JsonObject } from '#libs/platform/json/json';
import type { VisitEntry } from '#libs/language/engine/effects';

/** A file of scenarios, all for one definition. */
export interface ScenarioFile {
  $schema?: string;
  /** The definition, a workflow that holds one, or the path of a file with either, relative to this file. */
  definition: string | JsonObject;
  scenarios: Scenario[];
}

/** One run of the definition: its inputs, the answers of effects, children and people, and the expected result. */
export interface Scenario {
  name: string;
  inputs?: JsonObject;
  secrets?: Record<string, string>;
  people?: ScenarioPerson[];
  /** By block id, or by visit path (`call@each[3]`), which has priority. */
  effects?: Record<string, ScenarioAnswers>;
  children?: Record<string, ScenarioAnswers>;
  /** The workflow time after which a run that has not ended is stopped; ten years when absent. */
  until?: string | number;
  expect: Expectation;
}

/** A person who answers a pause. Entries for one block are used in turn, and the last one for all later pauses. */
export interface ScenarioPerson {
  block: string;
  /** The pass of the loop or parallel, such as `each[0]`; then the entry is for that pause alone. */
  pass?: string;
  /** The workflow time from the opening of the pause to the answer; none when absent. */
  after?: string | number;
  answers: JsonObject;
  /** For a pause with approvals: the person's e-mail address or user id, and the role in the workspace. */
  as?: string;
  role?: string;
}

/** One answer for each attempt; the last one is repeated. */
export type ScenarioAnswers = ScenarioAnswer | ScenarioAnswer[];

/** The outcome of an effect or a child. It has exactly one of the two members. */
export interface ScenarioAnswer {
  output?: Json;
  fail?: {
    code: string;
    message: string;
    /** True when the block's own retries try again, which is the default. */
    retryable?: boolean;
    retryAfter?: string | number;
    details?: Json;
  };
}

export interface Expectation {
  /** `paused` when only a person who is not in the scenario can continue the run, `running` when `until` came first. */
  status: 'completed' | 'failed' | 'paused' | 'running';
  output?: Json;
  /**
   * The visits in the order of the definition, passes by number, without those that were skipped. A text is a block
   * id or a visit path.
   */
  path?: (string | Step)[];
  pauses?: (string | ExpectedPause)[];
  /** The workflow time, or bounds for it. It may be a minute off, because real time counts too. */
  elapsed?: string | number | { min?: string | number; max?: string | number };
  failure?: { code?: string; blockId?: string; message?: string };
  /** The parameters of each attempt of an effect or a child, in order. Members that are not listed may have any value. */
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

/** A pause as people saw it. */
export interface ShownPause {
  path: string;
  blockId: string;
  title: string;
  message: string;
  openedAtMs: number;
  outcome: PauseOutcome;
}

/** One attempt of an effect, with the parameters that the product would have sent. */
export interface Call {
  path: string;
  blockId: string;
  params: JsonObject;
}

/** A note beside the log: the act of a person, or a step of the scenario that was not possible. */
export interface Note {
  atMs: number;
  text: string;
}

/** The result of a played run. */
export interface Played {
  status: Expectation['status'] | 'cancelled';
  output: Json;
  failure?: { code: string; message: string; blockId?: string };
  startedAtMs: number;
  elapsedMs: number;
  /** In order, with whole outputs. */
  visits: VisitEntry[];
  pauses: ShownPause[];
  calls: Call[];
  notes: Note[];
  /** Reasons why the scenario could not be played as written. Each of them fails it. */
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
