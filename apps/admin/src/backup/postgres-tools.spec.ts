import { dirname, join } from 'node:path';
import { obtain } from '#apps/local/src/binaries';
import { startTool } from './postgres-tools.ts';

test('a program of Postgres without TLS is refused with a sentence where the server wants TLS', async () => {
  const program = join(dirname(await obtain('postgres')), 'pg_dump');
  const { ended } = startTool(program, 'postgres://u:p@127.0.0.1:1/d?sslmode=verify-full', []);
  await expect(ended).rejects.toThrow(/This program has no TLS: install the client programs of Postgres/);
});
