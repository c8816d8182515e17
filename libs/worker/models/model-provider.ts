import type { EgressRequest } from '#libs/platform/egress/egress';
import type { JsonObject } from '#libs/platform/json/json';
import type { RunKey } from '#temporal/activities';

export interface Message {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** One question to a model, independent of the provider's format. */
export interface Turn {
  model: string;
  messages: Message[];
  temperature?: number;
  maxTokens?: number;
  /** The schema of a JSON answer. The provider only passes it on; the caller checks the answer. */
  format?: { name: string; schema: JsonObject };
  apiKey?: string;
  /** The URL of the model's API. Without it the installation's own is used. */
  baseUrl?: string;
}

// A type and not an interface, because it must be JSON.
export type TokenUsage = { promptTokens: number; completionTokens: number; totalTokens: number };

export interface TurnResult {
  content: string;
  /** The provider's name of the model, which may be more exact than the requested name. */
  model: string;
  /** Null when the provider does not count. */
  usage: TokenUsage | null;
  finishReason: string;
}

/** The visit of a turn, and the bounds of its call. */
export interface TurnCall extends Required<Pick<EgressRequest, 'gate'>> {
  run: RunKey;
  visitPath: string;
  signal: AbortSignal;
  timeoutMs: number;
}

/** A server that answers calls of a model. Rejects with a block's failure: a code, and whether a retry can help. */
export abstract class ModelProvider {
  abstract answer(turn: Turn, call: TurnCall): Promise<TurnResult>;
}
