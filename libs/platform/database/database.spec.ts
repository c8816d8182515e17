import { Global, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { noteDatabaseTime, readClockMs } from '#libs/platform/clock/database-clock';
import { Settings } from '#libs/platform/settings/settings';
import { DatabaseModule } from './database.module.ts';
import { givenStore } from './support/store.ts';

test('a process knows the time of the database before it has the database, as the API does while its loops already run', async () => {
  const store = await givenStore(DatabaseModule);
  const env = { DATABASE_URL: store.url, HOLDFAST_SECRET: 'x'.repeat(32) };
  @Global()
  @Module({ providers: [{ provide: Settings, useValue: new Settings(env) }], exports: [Settings] })
  class Given {}
  @Module({ imports: [Given, DatabaseModule] })
  class Api {}
  const ownMs = Date.now();
  noteDatabaseTime(ownMs + 3_600_000, ownMs, ownMs);
  // Nest has called no hook of it when this resolves.
  const api = await NestFactory.create(Api, new FastifyAdapter(), { logger: false, abortOnError: false });
  expect(readClockMs() - Date.now()).toBe(0);
  await api.close();
  await store.stop();
});
