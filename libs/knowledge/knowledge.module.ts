import { Module } from '@nestjs/common';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { FilesModule } from '#libs/platform/files/files.module';
import { KnowledgeBases } from './bases/bases.ts';
import { CandidateSearch } from './search/candidates.ts';
import { Chunks } from './bases/chunks.ts';
import { Chunker } from './ingestion/chunker.ts';
import { DocumentOutbox } from './ingestion/document-outbox.ts';
import { KnowledgeDocuments } from './bases/documents.ts';
import { Embedding } from './search/embedding.ts';
import { Ingestion } from './ingestion/ingestion.ts';
import { OrphanedKnowledge } from './bases/orphans.ts';
import { KnowledgeSearch } from './search/search.ts';
import { VectorIndexes } from './search/vector-indexes.ts';

const providers = [
  Embedding,
  KnowledgeBases,
  KnowledgeDocuments,
  Chunks,
  CandidateSearch,
  KnowledgeSearch,
  Chunker,
  Ingestion,
  DocumentOutbox,
  OrphanedKnowledge,
  VectorIndexes,
];

@Module({ imports: [DatabaseModule, FilesModule], providers, exports: providers })
export class KnowledgeModule {}
