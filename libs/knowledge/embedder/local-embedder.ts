import type { LocalEmbedderSettings } from '#libs/platform/settings/embedder';
import { availableParallelism } from 'node:os';
import type { Embeddable, Embedder } from './embedder.ts';
import { EmbeddingProcesses } from './embedding-processes.ts';
import { modelDimension, modelFiles, modelName, modelTokensMax, queryPrefix } from './model.ts';
import { buildWindows } from './windows.ts';
import { WordPiece } from './wordpiece.ts';

const processesMax = 2;
const windowTokens = 128;

/** Embeds English texts with bge-small-en-v1.5 on this machine. It needs the network only to download the model. */
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

  /** Downloads the files of the model unless they are present. The first text loads the model. */
  static async open({ folder, processes }: LocalEmbedderSettings): Promise<LocalEmbedder> {
    const { weights, tokenizer } = await modelFiles(folder);
    return new LocalEmbedder(await modelName(folder), await WordPiece.read(tokenizer), weights, processes);
  }

  countTokens(text: string): number {
    return this.tokenizer.count(text);
  }

  windows(chunk: Embeddable): string[] {
    return buildWindows(chunk, windowTokens, (text) => this.tokenizer.count(text));
  }

  async embedDocuments(texts: string[], signal?: AbortSignal, workspaceId = ''): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    let next = 0;
    // Embeds a few texts at a time, so that an abort ends soon and other documents get their turn.
    const lane = async () => {
      while (next < texts.length) {
        signal?.throwIfAborted();
        const at = next++;
        vectors[at] = await this.embedOne(workspaceId, texts[at] ?? '', false);
      }
    };
    await Promise.all(Array.from({ length: this.parallel }, lane));
    signal?.throwIfAborted();
    return vectors;
  }

  async embedQuery(text: string, signal?: AbortSignal, workspaceId = ''): Promise<Float32Array> {
    signal?.throwIfAborted();
    return this.embedOne(workspaceId, queryPrefix + text, true);
  }

  async close(): Promise<void> {
    this.processes.close();
  }

  /** The vector of a text. A text above the token limit of the model is cut. A text without words has the vector of the empty text. */
  private embedOne(workspaceId: string, text: string, urgent: boolean): Promise<Float32Array> {
    return this.processes.vector(workspaceId, this.tokenizer.encode(text, modelTokensMax), urgent);
  }
}
