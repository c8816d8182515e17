import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';

test('a worker that cannot run again in its process says that it is lost, so that the process ends', async () => {
  const program = 'dist/libs/runs/temporal-workers/support/failing-worker.js';
  const queue = `failing-${randomBytes(5).toString('hex')}`;
  const address = process.env['HOLDFAST_TEST_TEMPORAL'] ?? '';
  const child = spawn(process.execPath, [program, address, queue], { stdio: 'ignore' });
  expect(await once(child, 'exit')).toEqual([7, null]);
});
