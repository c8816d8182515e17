/** The text of a chunk for its vector: its own, and the titles above it. */
export interface Embeddable {
  content: string;
  headingPath: string[];
}

/** Turns texts into vectors of length 1. All vectors of one model can be compared with each other, and with no others. */
export interface Embedder {
  /** Names the weights and what computes with them; vectors of two different names are never compared. */
  readonly model: string;
  readonly dimension: number;
  countTokens(text: string): number;
  /** The texts to embed for one chunk, at least one. The score of the chunk is the highest among theirs. */
  windows(chunk: Embeddable): string[];
  /** One vector a text, in the same order. */
  embedDocuments(texts: string[], signal?: AbortSignal): Promise<Float32Array[]>;
  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array>;
  /** Ends what it has started. */
  close(): Promise<void>;
}
