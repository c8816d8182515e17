import type { LocalEmbedderSettings } from '#libs/platform/settings/embedder';
import { availableParallelism } from 'node:os';
import type { Embeddable, Embedder } from './embedder.ts';
import { EmbeddingProcesses } from './embedding-processes.ts';
import { modelDimension, modelFiles, modelName, modelTokensMax, queryPrefix } from './model.ts';
import { windowsOf } from './windows.ts';
import { WordPiece } from './wordpiece.ts';

const processesMax = 2;
const windowTokens = 128;

/** bge-small-en-v1.5 on this machine: no network after its files are there, English only. */
export class LocalEmbedder implements Embedder {
  readonly dimension = modelDimension;
  private readonly parallel: number;
  private readonly processes: EmbeddingProcesses;

  private constructor(
    readonly model: string,
    private readonly tokenizer: WordPiece,
    weights: string,
    processes: number | undefined,
  ) {
    this.parallel = processes ?? Math.min(processesMax, availableParallelism());
    this.processes = new EmbeddingProcesses(weights, this.parallel);
  }

  /** Brings the files of the model where they are not there yet. The model itself is loaded with the first text. */
  static async open({ folder, processes }: LocalEmbedderSettings): Promise<LocalEmbedder> {
    const { weights, tokenizer } = await modelFiles(folder);
    return new LocalEmbedder(await modelName(folder), await WordPiece.read(tokenizer), weights, processes);
  }

  countTokens(text: string): number {
    return this.tokenizer.count(text);
  }

  windows(chunk: Embeddable): string[] {
    return windowsOf(chunk, windowTokens, (text) => this.tokenizer.count(text));
  }

  async embedDocuments(texts: string[], signal?: AbortSignal): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    let next = 0;
    // A few at a time, so that an abort leaves little behind and other documents have their turn.
    const lane = async () => {
      while (next < texts.length) {
        signal?.throwIfAborted();
        const at = next++;
        vectors[at] = await this.vectorOf(texts[at] ?? '', false);
      }
    };
    await Promise.all(Array.from({ length: this.parallel }, lane));
    signal?.throwIfAborted();
    return vectors;
  }

  async embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array> {
    signal?.throwIfAborted();
    return this.vectorOf(queryPrefix + text, true);
  }

  async close(): Promise<void> {
    this.processes.close();
  }

  /** A text that is longer than the model reads is cut. A text without words has the vector of the empty text. */
  private vectorOf(text: string, urgent: boolean): Promise<Float32Array> {
    return this.processes.vector(this.tokenizer.encode(text, modelTokensMax), urgent);
  }
}
