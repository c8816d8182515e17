import type { Room } from './rooms.ts';

const stored = {
  rooms: ['libs/faults', 'libs/database', 'libs/secrets', 'types of libs/auth/caller'],
  packages: ['typeorm', '@nestjs/common', 'node'],
};
const pages = { 'libs/pages': 'all lists have one kind of cursor' };
const values = { 'types of libs/definition/values': 'the name of JSON in types' };

/** What happened, and who did it. */
export const loggingRooms: Room[] = [
  {
    at: 'libs/audit',
    ...stored,
    also: {
      ...pages,
      ...values,
      'libs/settings': 'configuration is read once a process, by name',
      pg: 'the chains are proved on a connection of their own, without a container',
    },
  },
  {
    at: 'libs/logs',
    ...stored,
    also: {
      ...pages,
      ...values,
      'types of libs/engine': 'the shape of a failure',
      'libs/executions': 'a log is an execution, read in another way',
    },
  },
];
