import type { Room } from './rooms.ts';

/** What knowledge is made of, without a place where it is stored. */
export const knowledgeRooms: Room[] = [
  {
    at: 'libs/knowledge/parsing',
    packages: ['unpdf', 'mammoth', '@e965/xlsx', 'csv-parse', 'htmlparser2', 'chardet', 'yauzl', 'node'],
  },
  {
    at: 'libs/knowledge/chunking',
    also: {
      'types of libs/knowledge/parsing': 'cuts what was parsed',
      'libs/knowledge/parsing': 'its tests cut what was parsed',
    },
  },
  {
    at: 'libs/knowledge/embedder',
    rooms: ['libs/platform/egress'],
    packages: ['onnxruntime-node', 'node'],
    also: {
      'libs/platform/binaries': 'the weights of the local model come in one',
      'libs/knowledge/chunking/atoms': 'a window is made of whole sentences',
    },
  },
  { at: 'libs/knowledge/ranking' },
];

/** The rooms of knowledge that apps may use. */
export const knowledgeNames = ['files', 'knowledge', 'documents', 'chunking', 'embedder', 'ranking'];

const stored = {
  rooms: ['libs/platform/errors', 'libs/platform/database'],
  packages: ['typeorm', '@nestjs/common', 'node'],
};
const ids = { 'libs/platform/ids': 'new rows need ids of one form' };

/** Where it is stored, and found. */
export const storedKnowledge: Room[] = [
  { at: 'libs/platform/files', ...stored, also: ids },
  {
    at: 'libs/knowledge',
    ...stored,
    also: {
      ...ids,
      'libs/platform/settings': 'configuration is read once a process, by name',
      'libs/platform/files': 'a document comes from a file',
      'types of libs/knowledge/parsing': 'cuts what was parsed',
      'libs/knowledge/chunking': 'cuts documents, and counts their words, in a thread',
      'libs/knowledge/embedder': 'vectors of chunks and of queries come from one model',
      'libs/knowledge/ranking': 'results are sorted by one score',
      'libs/platform/temporal-client': 'one connection to Temporal a process, shared by all that talk to it',
      'types of temporal/workflows/ingestion': 'the start is typed by the function that it starts',
      piscina: 'cuts long documents in threads',
      pg: 'an index of a large base is built outside of a transaction',
    },
  },
];
