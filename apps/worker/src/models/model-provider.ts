import type { JsonObject } from '#libs/platform/json/json';
import type { RunKey } from '#temporal/activities';

export interface Message {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** One question to a model, in nobody's dialect. */
export interface Turn {
  model: string;
  messages: Message[];
  temperature?: number;
  maxTokens?: number;
  /** The answer is to be JSON of this schema. The provider only asks for it: whoever reads the answer checks it. */
  format?: { name: string; schema: JsonObject };
  apiKey?: string;
  /** The address of the model; the installation's own when left out. */
  baseUrl?: string;
}

/** Type, not interface: it is JSON. */
export type Usage = { promptTokens: number; completionTokens: number; totalTokens: number };

export interface TurnResult {
  content: string;
  /** As the provider names it, which may be more exact than what was asked for. */
  model: string;
  /** Null when the provider does not count. */
  usage: Usage | null;
  finishReason: string;
}

/** The visit of a block for which a turn is taken, and how long it may take. */
export interface TurnCall {
  run: RunKey;
  visitPath: string;
  signal: AbortSignal;
  timeoutMs: number;
}

/** A server that answers calls of a model. Refuses with a block's failure: a code, and whether trying again can help. */
export abstract class ModelProvider {
  abstract answer(turn: Turn, call: TurnCall): Promise<TurnResult>;
}
