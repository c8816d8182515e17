import type { Embedder } from './embedder.ts';
import { HashEmbedder } from './hash-embedder.ts';

export type EmbedderSettings =
  | {
      kind: 'local';
      /** A folder that holds `model.onnx` and `tokenizer.json`; without it the model is fetched once for the machine. */
      folder?: string;
      /** How many texts are embedded at the same time. */
      threads?: number;
    }
  | {
      kind: 'openai-compatible';
      /** Such as `https://api.openai.com/v1`; `/embeddings` is added. */
      baseUrl: string;
      apiKey?: string;
      model: string;
      dimension: number;
      /** What `EGRESS_ALLOW` lists. */
      egressAllow?: string[];
    }
  | { kind: 'hash' };

/** The embedder that the settings name. It starts nothing heavy before the first text. */
export async function openEmbedder(settings: EmbedderSettings): Promise<Embedder> {
  if (settings.kind === 'hash') return new HashEmbedder();
  throw new Error(`There is no embedder "${settings.kind}" yet.`);
}
