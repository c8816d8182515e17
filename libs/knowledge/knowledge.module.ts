import { Module } from '@nestjs/common';
import { DatabaseModule } from '#libs/database/database';
import { FilesModule } from '#libs/files/files';
import { KnowledgeBases } from './bases.ts';
import { CandidateSearch } from './candidates.ts';
import { Chunks } from './chunks.ts';
import { Cutter } from './cutter.ts';
import { DocumentRelay } from './document-relay.ts';
import { KnowledgeDocuments } from './documents.ts';
import { Embedding } from './embedding.ts';
import { Ingestion } from './ingestion.ts';
import { KnowledgeLeftovers } from './leftovers.ts';
import { KnowledgeSearch } from './search.ts';
import { VectorIndexes } from './vector-indexes.ts';

const providers = [
  Embedding,
  KnowledgeBases,
  KnowledgeDocuments,
  Chunks,
  CandidateSearch,
  KnowledgeSearch,
  Cutter,
  Ingestion,
  DocumentRelay,
  KnowledgeLeftovers,
  VectorIndexes,
];

@Module({ imports: [DatabaseModule, FilesModule], providers, exports: providers })
export class KnowledgeModule {}
