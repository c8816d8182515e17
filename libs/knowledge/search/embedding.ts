import { LRUCache } from 'lru-cache';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { KeyedSemaphore } from '#libs/platform/semaphore/keyed-semaphore';
import type { Embedder } from '../embedder/embedder.ts';
import { boundTo, openEmbedder } from '../embedder/open-embedder.ts';
import { EmbeddingRefused } from '../embedder/embedding-refused.ts';
import { Unavailable } from '#libs/platform/errors/errors';
import { Settings } from '#libs/platform/settings/settings';

const queriesKept = 500;
/**
 * For the queries of a workspace: the maximum number in the embedder, the maximum number that waits, and the maximum wait in milliseconds.
 * A remote embedder serves all workspaces in the order of arrival, so a workspace without a limit could occupy it alone.
 */
const [atOnce, waitingMax, waitMs] = [4, 200, 10_000];

/** The workspace has reached its limit of queries in the embedder, and the query has waited its maximum time or found no place to wait. */
export class QueriesBusy extends Unavailable {
  constructor() {
    super(
      'This workspace has reached its limit of searches at once; send the request again after the seconds in Retry-After.',
    );
  }
}

/** The embedder of this installation, opened at its first use. */
@Injectable()
export class Embedding implements OnModuleDestroy {
  private opened: Promise<Embedder> | null = null;
  /** The vectors of recent queries, by workspace and text. */
  private readonly queries = new LRUCache<string, Promise<Float32Array>>({ max: queriesKept });

  private readonly shares = new KeyedSemaphore({
    most: atOnce,
    waitingMax,
    waitMs,
    refuse: () => new QueriesBusy(),
  });

  constructor(private readonly settings: Settings) {}

  /** The model and dimension that new bases are bound to. It opens nothing. */
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
  async findEmbedder(model: string): Promise<Embedder> {
    const embedder = await this.current();
    if (embedder.model === model) return embedder;
    throw new Unavailable(
      `The documents were embedded with ${model}; this installation is set to ${embedder.model}.`,
      60,
    );
  }

  /**
   * The vector of a query. Callers of a workspace with the same query share a vector. Throws `QueriesBusy` when too many queries of the
   * workspace wait, and `Unavailable` when the embedder refuses the query or has another model.
   */
  async embedQuery(workspaceId: string, model: string, text: string): Promise<Float32Array> {
    const embedder = await this.findEmbedder(model);
    const key = `${workspaceId} ${text}`;
    const known = this.queries.get(key);
    if (known) return known;
    const work = () => embedder.embedQuery(text, undefined, workspaceId);
    const asked = this.shares.run(workspaceId, work).catch((error: unknown) => {
      if (error instanceof EmbeddingRefused)
        throw new Unavailable(`The query was not embedded: ${error.message}`);
      throw error;
    });
    this.queries.set(key, asked);
    asked.catch(() => this.queries.delete(key));
    return asked;
  }

  /** The price that the workspace pays for the embedding of the texts; 0 without a configured price. */
  computeCost(embedder: Embedder, texts: readonly string[]): number {
    const { embeddingPrice } = this.settings;
    if (embeddingPrice === 0) return 0;
    return (texts.reduce((sum, text) => sum + embedder.countTokens(text), 0) / 1_000_000) * embeddingPrice;
  }

  async onModuleDestroy(): Promise<void> {
    const embedder = await this.opened?.catch(() => null);
    await embedder?.close();
  }
}
