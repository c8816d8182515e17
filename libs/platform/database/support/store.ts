import { Global, type INestApplicationContext, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import pg from 'pg';
import { Settings } from '#libs/platform/settings/settings';
import { cloneTemplate } from '../template.ts';

/** The services of a module on a test's own database. The test must call `stop`. */
export interface GivenStore {
  /** The URL of the database, for the owner of its schema. */
  url: string;
  /** A connection as the owner of the schema. No policy applies to it. */
  owner: pg.Client;
  app: INestApplicationContext;
  /** A second process on the same database, which stops with this one. */
  another(): Promise<INestApplicationContext>;
  stop(): Promise<void>;
}

/** Boots the module on an empty database, with these settings in addition to the required ones. */
export async function givenStore(
  module: Type,
  settings: Record<string, string> | ((url: string) => Record<string, string>) = {},
): Promise<GivenStore> {
  const clone = await cloneTemplate(process.env['HOLDFAST_TEST_DATABASE_URL'] ?? '');
  const owner = new pg.Client({ connectionString: clone.url });
  await owner.connect();
  const more = typeof settings === 'function' ? settings(clone.url) : settings;
  const env = { DATABASE_URL: clone.url, HOLDFAST_SECRET: 'x'.repeat(32), ...more };
  @Global()
  @Module({ providers: [{ provide: Settings, useValue: new Settings(env) }], exports: [Settings] })
  class Given {}
  @Module({ imports: [Given, module] })
  class Store {}
  const apps: INestApplicationContext[] = [];
  const another = async () => {
    const app = await NestFactory.createApplicationContext(Store, { logger: false, abortOnError: false });
    apps.push(app);
    return app;
  };
  const app = await another();
  const stop = async () => {
    for (const one of apps) await one.close();
    await owner.end();
    await clone.drop();
  };
  return { url: clone.url, owner, app, another, stop };
}
