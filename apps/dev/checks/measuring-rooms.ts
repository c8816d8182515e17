import type { Room } from './rooms.ts';

/** Programs that run the product to measure it, and to find what it loses. */
export const measuringRooms: Room[] = [
  {
    at: 'apps/faults',
    packages: ['@temporalio/client', 'pg', 'node'],
    also: { 'apps/local': 'kills the processes of the product as it is started for people' },
  },
  {
    at: 'apps/bench',
    rooms: ['libs/platform/settings', 'types of libs/platform/json/json'],
    packages: ['@temporalio/client', '@temporalio/worker', '@temporalio/workflow', 'pg', 'undici', 'node'],
    also: {
      'apps/local': 'measures the product as it is started for people',
      'libs/platform/database': 'on a database of its own',
      'libs/workspace/auth': 'with a key of its own',
      'libs/sdk': 'is measured beside bare calls',
      'libs/knowledge/ingestion/ingestion.sql': 'many chunks are written as the product writes them',
      'libs/knowledge/parsing':
        'ranks passages without the product around them, to measure the ranking alone',
      'libs/knowledge/chunking': 'cuts them as the product does',
      'libs/knowledge/embedder': 'embeds them',
      'libs/knowledge/ranking': 'and ranks them in the product’s way and in three others',
      'libs/platform/telemetry/metrics/metrics': 'measures what counting one request costs',
    },
  },
];
