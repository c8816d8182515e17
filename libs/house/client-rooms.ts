import type { Room } from './rooms.ts';

/** The clients of the API. They import nothing of the product. */
export const clientRooms: Room[] = [
  { at: 'libs/sdk' },
  { at: 'apps/cli', rooms: ['libs/sdk'], packages: ['commander', 'diff', 'yaml', 'node'] },
  {
    // Makes the clients out of the description of the API, packs them, and tries them as their users do.
    at: 'apps/clients',
    rooms: ['libs/wheels'],
    packages: ['openapi-typescript', 'esbuild', 'node'],
    also: {
      'libs/sdk': 'the tests call the product through it',
      'apps/api/test/support': 'and run it',
    },
  },
];
