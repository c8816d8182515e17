import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import { Global, type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { fastify } from 'fastify';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { cloneTemplate } from '#libs/platform/database/template';
import { Settings } from '#libs/platform/settings/settings';
import { WorkspacePulses } from '#libs/runs/history/workspace-pulse';
import { soon } from '#libs/platform/settings/support/soon';
import { LastingAnswers } from '../http/lasting-answers.ts';
import { WorkspaceEventStream } from './event-stream.ts';
import { WorkspaceEvents } from './workspace-events.ts';

let clone: Awaited<ReturnType<typeof cloneTemplate>>;
let app: INestApplicationContext;
beforeAll(async () => {
  clone = await cloneTemplate(process.env.HOLDFAST_TEST_DATABASE_URL ?? '');
  const settings = new Settings({ DATABASE_URL: clone.url, HOLDFAST_SECRET: 'x'.repeat(32) });
  @Global()
  @Module({ providers: [{ provide: Settings, useValue: settings }], exports: [Settings] })
  class Given {}
  // Nobody's credential ends here, so the parts need no check.
  const lasting: Pick<LastingAnswers, 'events'> = { events: (_, parts) => Readable.from(parts) };
  @Module({
    imports: [Given, DatabaseModule],
    providers: [
      WorkspaceEventStream,
      WorkspaceEvents,
      WorkspacePulses,
      { provide: LastingAnswers, useValue: lasting },
    ],
  })
  class Streams {}
  app = await NestFactory.createApplicationContext(Streams, { logger: false });
});
afterAll(async () => {
  await app.close();
  await clone.drop();
});

test('a closed stream of events leaves no listener on the signal of the process', async () => {
  const { stopping } = app.get(WorkspaceEvents);
  const server = fastify({ forceCloseConnections: true });
  const reader = { workspaceId: 'ws_a', lastEventId: undefined };
  server.get('/', (request, reply) => reply.send(app.get(WorkspaceEventStream).open(request, reader).body));
  const url = await server.listen({ port: 0, host: '127.0.0.1' });
  const closers = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const closer = new AbortController();
      const { body } = await fetch(url, { signal: closer.signal });
      await body?.getReader().read();
      return closer;
    }),
  );
  expect(getEventListeners(stopping, 'abort')).toHaveLength(20);
  for (const closer of closers) closer.abort();
  await soon(() => getEventListeners(stopping, 'abort').length === 0);
  await server.close();
});
