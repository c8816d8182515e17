import { execFileSync, spawn } from 'node:child_process';
import { until } from '#apps/local/src/processes';

const isAsleep = (pid: number) =>
  execFileSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('T');

test('a Temporal that a backup has put to sleep wakes again when the backup is killed', async () => {
  const sleeper = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)']);
  const pid = sleeper.pid ?? 0;
  const code = `import('./dist/apps/admin/src/backup/standstill.js').then(({ whileAsleep }) =>
    whileAsleep({ file: '', pid: ${pid} }, 1, () => new Promise(() => setInterval(() => {}, 1000))))`;
  const backup = spawn(process.execPath, ['--eval', code]);
  try {
    await until(() => isAsleep(pid), 20_000, 'the sleep');
    backup.kill('SIGKILL');
    await until(() => !isAsleep(pid), 20_000, 'the end of the sleep');
  } finally {
    for (const child of [sleeper, backup]) child.kill('SIGKILL');
  }
});
