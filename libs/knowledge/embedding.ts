import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Embedder } from '#libs/embedder/embedder';
import { boundTo, openEmbedder } from '#libs/embedder/open-embedder';
import { EmbeddingRefused } from '#libs/embedder/embedding-refused';
import { Unavailable } from '#libs/faults/faults';
import { Settings } from '#libs/settings/settings';

const queriesKept = 500;

/** The embedder of this installation, opened at its first use. */
@Injectable()
export class Embedding implements OnModuleDestroy {
  private opened: Promise<Embedder> | null = null;
  /** The vectors of queries that were asked last, oldest first. */
  private readonly queries = new Map<string, Promise<Float32Array>>();

  constructor(private readonly settings: Settings) {}

  /** What new bases are bound to. It opens nothing. */
  bound(): Promise<Pick<Embedder, 'model' | 'dimension'>> {
    return boundTo(this.settings.embedder);
  }

  async current(): Promise<Embedder> {
    this.opened ??= openEmbedder(this.settings.embedder);
    try {
      return await this.opened;
    } catch (error) {
      this.opened = null;
      throw error;
    }
  }

  /** The embedder of a model by its name. Throws `Unavailable` when this installation has another one. */
  async of(model: string): Promise<Embedder> {
    const embedder = await this.current();
    if (embedder.model === model) return embedder;
    throw new Unavailable(
      `The documents were embedded with ${model}; this installation is set to ${embedder.model}.`,
      60,
    );
  }

  /** The vector of a query. Callers who ask the same share one. */
  async query(model: string, text: string): Promise<Float32Array> {
    const embedder = await this.of(model);
    const known = this.queries.get(text);
    if (known) return known;
    if (this.queries.size >= queriesKept) this.queries.delete(this.queries.keys().next().value ?? '');
    const asked = embedder.embedQuery(text).catch((error: unknown) => {
      if (error instanceof EmbeddingRefused)
        throw new Unavailable(`The query was not embedded: ${error.message}`);
      throw error;
    });
    this.queries.set(text, asked);
    asked.catch(() => this.queries.delete(text));
    return asked;
  }

  /** What embedding the texts costs the workspace. */
  costOf(embedder: Embedder, texts: readonly string[]): number {
    const { embeddingPrice } = this.settings;
    if (embeddingPrice === 0) return 0;
    return (texts.reduce((sum, text) => sum + embedder.countTokens(text), 0) / 1_000_000) * embeddingPrice;
  }

  async onModuleDestroy(): Promise<void> {
    const embedder = await this.opened?.catch(() => null);
    await embedder?.close();
  }
}
