import type { Json } from '#libs/platform/json/json';
import { Anything, Bool, Int, One, OneOf, Text, Texts } from '../http/fields.ts';

/** A week, the longest time-out of those clients. */
const timeoutSecondsMax = 604_800;

/** Only the live version can be executed. */
class RunSource {
  @OneOf(['deployment']) source!: 'deployment';
}

export class ExecuteRunBody {
  @Anything({ optional: true }) input?: Json;
  @One(() => RunSource, { optional: true }) run?: RunSource;
  @Bool({ optional: true }) async: boolean = false;
  @Int({ optional: true, min: 1, max: timeoutSecondsMax }) executionTimeoutSeconds?: number;
  @Bool({ optional: true }) stream: boolean = false;
  @Texts({ optional: true }) selectedOutputs?: string[];
  // Our streams have no such events, and our outputs no such files, so these options change nothing.
  @Bool({ optional: true }) includeThinking?: boolean;
  @Bool({ optional: true }) includeToolCalls?: boolean;
  @Bool({ optional: true }) includeFileBase64?: boolean;
  @Int({ optional: true, min: 0 }) base64MaxBytes?: number;
}

export class RunQuery {
  @Bool({ query: true, optional: true }) includeOutput: boolean = false;
  @Text({ optional: true, max: 5000 }) selectedOutputs?: string;
  @Bool({ query: true, optional: true }) includeFileBase64?: boolean;
  @Int({ query: true, optional: true, min: 0 }) base64MaxBytes?: number;
}

export class ResumeRunBody {
  @Text({ min: 1, max: 100 }) contextId!: string;
  @Anything({ optional: true }) input?: Json;
}

export interface RunParams {
  workflowId: string;
  runId: string;
}
