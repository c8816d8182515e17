import type { Room } from './rooms.ts';

const stored = {
  rooms: ['libs/faults', 'libs/database', 'libs/secrets', 'types of libs/auth/caller'],
  packages: ['typeorm', '@nestjs/common', 'node'],
};
const pages = { 'libs/pages': 'all lists have one kind of cursor' };
const values = { 'types of libs/definition/values': 'the name of JSON in types' };

export const counted = { 'libs/metrics/metrics': 'counts what it refuses, wherever it is asked' };

/** What happens, what happened, and who did it. */
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
  {
    // Instruments nothing by itself: each program is one file, in which nothing can be replaced as it is loaded.
    at: 'libs/tracing',
    packages: [
      '@opentelemetry/api',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-trace-base',
      '@opentelemetry/exporter-trace-otlp-proto',
      'node',
    ],
  },
  {
    at: 'libs/metrics',
    packages: ['prom-client', 'node'],
    also: {
      'types of libs/database': 'shows how busy the connections are',
      'libs/wheels/cache-folder': 'its tests keep the program that tries the alerts there',
    },
  },
  {
    at: 'libs/logging',
    rooms: ['libs/tracing'],
    packages: ['pino', '@nestjs/common', '@temporalio/worker'],
  },
  {
    at: 'apps/api/test/support/collector',
    packages: ['node'],
    also: {
      'libs/wheels': 'a wheel brings what receives traces',
      'apps/local/src/ports': 'on a free port',
    },
  },
  {
    at: 'apps/api/test/support/foreign-clients',
    packages: ['node'],
    also: { 'libs/wheels': 'wheels bring clients of another product' },
  },
  {
    at: 'apps/api/test/support/python-agent',
    packages: ['node'],
    also: { 'libs/wheels/cache-folder': 'its packages are kept where wheels are' },
  },
];
