import { fileURLToPath } from 'node:url';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Piscina } from 'piscina';
import { Settings } from '#libs/platform/settings/settings';
import type { CutDocument, CutRequest } from './cut.ts';

const threadMegabytesMax = 1024;
/** Counted text is used for a short time only. A small young heap gives its memory back at once. */
const maxYoungGenerationSizeMb = 16;

/** Cuts documents into chunks in threads, so that this process can take tasks and send heartbeats meanwhile. */
@Injectable()
export class Chunker implements OnModuleDestroy {
  private readonly threads: Piscina<CutRequest, CutDocument>;

  constructor(private readonly settings: Settings) {
    this.threads = new Piscina({
      filename: fileURLToPath(new URL('cut.js', import.meta.url)),
      minThreads: 0,
      maxThreads: settings.knowledgeSlots,
      idleTimeout: 10_000,
      resourceLimits: { maxOldGenerationSizeMb: threadMegabytesMax, maxYoungGenerationSizeMb },
    });
  }

  async chunkDocument(
    { parsed, chunking }: Omit<CutRequest, 'embedder'>,
    signal: AbortSignal,
  ): Promise<CutDocument> {
    const { text, headings } = parsed;
    const request = { parsed: { text, headings }, chunking, embedder: this.settings.embedder };
    return this.threads.run(request, { signal });
  }

  async onModuleDestroy(): Promise<void> {
    await this.threads.destroy();
  }
}
