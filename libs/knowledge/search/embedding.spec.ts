import { Settings } from '#libs/platform/settings/settings';
import { Embedding } from './embedding.ts';

test('a workspace with very many searches keeps no other workspace from the embedder', async () => {
  const settings = { DATABASE_URL: 'postgres://none/none', HOLDFAST_SECRET: 'x'.repeat(32) };
  const embedding = new Embedding(new Settings(settings));
  const { model } = await embedding.bound();
  await embedding.embedQuery('ws_first', model, 'The first text loads the model.');
  const order: string[] = [];
  const asked = (workspace: string, text: string) =>
    embedding.embedQuery(workspace, model, text).then(() => order.push(workspace));
  await Promise.all([
    ...Array.from({ length: 60 }, (_, n) => asked('ws_many', `question ${n}`)),
    asked('ws_one', 'a question'),
  ]);
  expect(order.indexOf('ws_one')).toBeLessThan(20);
  await embedding.onModuleDestroy();
});
