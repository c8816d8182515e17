/** The content of a chunk and the titles above it, from the highest down. */
export interface Embeddable {
  content: string;
  headingPath: string[];
}

/** Turns texts into vectors of length 1. Vectors can be compared only with vectors of the same model. */
export interface Embedder {
  /** Identifies the weights and the runtime. Vectors with different names are never compared. */
  readonly model: string;
  readonly dimension: number;
  countTokens(text: string): number;
  /** The texts to embed for one chunk, at least one. The score of the chunk is the highest among theirs. */
  windows(chunk: Embeddable): string[];
  /**
   * A vector for each text, in the same order. The workspaces whose texts wait take turns. Throws `EmbeddingRefused`, or the reason
   * of the signal.
   */
  embedDocuments(texts: string[], signal?: AbortSignal, workspaceId?: string): Promise<Float32Array[]>;
  embedQuery(text: string, signal?: AbortSignal, workspaceId?: string): Promise<Float32Array>;
  /** Ends the processes and connections of the embedder. */
  close(): Promise<void>;
}
