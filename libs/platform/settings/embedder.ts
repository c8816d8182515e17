/** The embedder of this installation: a model on this machine, a server, or hashes of words for tests. */
export type EmbedderSettings =
  | ({ kind: 'local' } & LocalEmbedderSettings)
  | ({ kind: 'openai-compatible' } & RemoteEmbedderSettings)
  | { kind: 'hash' };

export interface LocalEmbedderSettings {
  /** A folder with `model.onnx` and `tokenizer.json`. Without it, the model is downloaded once for the machine. */
  folder?: string;
  /** The number of processes that embed texts at the same time. Each embeds one text at a time. */
  processes?: number;
}

export interface RemoteEmbedderSettings {
  /** The base URL of the server, such as `https://api.openai.com/v1`. The client adds `/embeddings`. */
  baseUrl: string;
  apiKey?: string;
  model: string;
  dimension: number;
  /** The most tokens of one text, by our count. A longer chunk gets several vectors. */
  textTokensMax?: number;
  /** A text before each query, such as `query: `, if the model needs it. `passagePrefix` is the same for passages. */
  queryPrefix?: string;
  passagePrefix?: string;
  /** The entries of `EGRESS_ALLOW`: private addresses that may be called. */
  egressAllow?: string[];
}
