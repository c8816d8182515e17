import { Injectable } from '@nestjs/common';
import type { BaseRef, KnowledgeDocument } from '#libs/knowledge/bases/document';
import { CompletionNotifier } from '#libs/platform/database/completion-notifier';
import { DocumentOutbox } from '#libs/knowledge/ingestion/document-outbox';
import { KnowledgeDocuments } from '#libs/knowledge/bases/documents';

/** Gives documents to the workers, and waits for them. */
@Injectable()
export class Processings {
  constructor(
    private readonly outbox: DocumentOutbox,
    private readonly documents: KnowledgeDocuments,
    private readonly notifier: CompletionNotifier,
  ) {}

  /** Starts the processing of pending documents at once. When Temporal is unavailable, the outbox does it later. */
  async beginProcessings(workspaceId: string, documents: readonly KnowledgeDocument[]): Promise<void> {
    const pending = documents.filter(({ status }) => status === 'pending');
    await this.outbox.deliverNow(pending.map((one) => ({ ...one, workspaceId })));
  }

  /** The documents once all of them have been processed, or their current state when the time is over. */
  async settled(
    ref: BaseRef,
    documents: readonly KnowledgeDocument[],
    seconds: number,
  ): Promise<KnowledgeDocument[]> {
    const whenProcessed = async (one: KnowledgeDocument): Promise<KnowledgeDocument> => {
      if (!isOpen(one)) return one;
      const read = async () => (await this.documents.get({ ...ref, documentId: one.id })).document;
      return this.notifier.readUntilEnded(one.id, read, (now) => !isOpen(now), seconds * 1000);
    };
    return Promise.all(documents.map(whenProcessed));
  }
}

function isOpen({ status }: KnowledgeDocument): boolean {
  return status === 'pending' || status === 'processing';
}
