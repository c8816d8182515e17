import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { BasePlace, KnowledgeDocument } from '#libs/knowledge/bases/document';
import { DocumentRelay } from '#libs/knowledge/ingestion/document-relay';
import { KnowledgeDocuments } from '#libs/knowledge/bases/documents';

/** Between two looks at a document that somebody waits for: soon at first, then each half second. */
const looksMs = [50, 100, 200, 300];
const lookMs = 500;

/** Hands documents to the workers, and waits for them. */
@Injectable()
export class Processings {
  constructor(
    private readonly relay: DocumentRelay,
    private readonly documents: KnowledgeDocuments,
  ) {}

  /** What is pending is handed over at once; a relay does it later when Temporal is away. */
  async beginProcessings(workspaceId: string, documents: readonly KnowledgeDocument[]): Promise<void> {
    const pending = documents.filter(({ status }) => status === 'pending');
    await this.relay.hint(workspaceId, pending);
  }

  /** The documents once all of them have been processed, or as they are when the time is over. */
  async settled(
    place: BasePlace,
    documents: readonly KnowledgeDocument[],
    seconds: number,
  ): Promise<KnowledgeDocument[]> {
    const deadline = performance.now() + seconds * 1000;
    let now = [...documents];
    for (let look = 0; now.some(isOpen) && performance.now() < deadline; look++) {
      await delay(Math.min(looksMs[look] ?? lookMs, Math.max(1, deadline - performance.now())));
      now = await Promise.all(
        now.map(async (one) =>
          isOpen(one) ? (await this.documents.get({ ...place, documentId: one.id })).document : one,
        ),
      );
    }
    return now;
  }
}

function isOpen({ status }: KnowledgeDocument): boolean {
  return status === 'pending' || status === 'processing';
}
