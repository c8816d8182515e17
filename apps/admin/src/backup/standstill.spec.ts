import { execFileSync, spawn } from 'node:child_process';
import { soon } from '#libs/platform/settings/support/soon';

const isAsleep = (pid: number) =>
  execFileSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('T');

test('a Temporal that a backup has put to sleep wakes again when the backup is killed', async () => {
  const sleeper = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)']);
  const pid = sleeper.pid ?? 0;
  const code = `import('./dist/apps/admin/src/backup/standstill.js').then(({ whileAsleep }) =>
    whileAsleep({ file: '', pid: ${pid} }, 1, () => new Promise(() => setInterval(() => {}, 1000))))`;
  const backup = spawn(process.execPath, ['--eval', code]);
  try {
    await soon(() => isAsleep(pid));
    backup.kill('SIGKILL');
    await soon(() => !isAsleep(pid));
  } finally {
    for (const child of [sleeper, backup]) child.kill('SIGKILL');
  }
});
