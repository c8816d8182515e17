/** The embedder of this installation: a model on this machine, a server, or hashes of words for tests. */
export type EmbedderSettings =
  | ({ kind: 'local' } & LocalEmbedderSettings)
  | ({ kind: 'openai-compatible' } & RemoteEmbedderSettings)
  | { kind: 'hash' };

export interface LocalEmbedderSettings {
  /** A folder that holds `model.onnx` and `tokenizer.json`; without it the model is fetched once for the machine. */
  folder?: string;
  /** The number of texts that are embedded at the same time, each in a process of its own. */
  processes?: number;
}

export interface RemoteEmbedderSettings {
  /** Such as `https://api.openai.com/v1`; `/embeddings` is added. */
  baseUrl: string;
  apiKey?: string;
  model: string;
  dimension: number;
  /** Tokens that the model reads of one text, by our count; a longer chunk gets several vectors. */
  textTokensMax?: number;
  /** Some models want words in front of a query or a passage, as `query: `. */
  queryPrefix?: string;
  passagePrefix?: string;
  /** The entries of `EGRESS_ALLOW`: private addresses that may be called. */
  egressAllow?: string[];
}
