import { GuestProcess } from './guest-process.ts';
import { runInGuest } from './run.ts';
import { buildChild } from './support/child-program.ts';
import { launchers } from './isolation.ts';

const cpuSecondsMax = 2;
const memoryBytes = 16 * 1024 * 1024;
const order = { code: 'return input', memoryBytes, stackBytes: 256 * 1024, outputBytesMax: 1000 };
const job = { order, input: '"well"', timeoutMs: 5_000 };
const [launcher] = launchers({ cpuS: cpuSecondsMax, memoryBytes }, ['bubblewrap', 'namespaces']);

/** Gives ready processes. The first `killed` of them get SIGKILL in the same turn in which they get the job. */
function guests(killed: number) {
  buildChild();
  const given: GuestProcess[] = [];
  const next = async (): Promise<GuestProcess> => {
    if (!launcher) throw new Error('This host offers no way to start a process.');
    const guest = new GuestProcess(launcher, 1000);
    await guest.ready;
    given.push(guest);
    if (given.length <= killed) guest.kill();
    return guest;
  };
  return { given, next };
}

describe('a process that the host kills at the moment it gets work', () => {
  test.each([1, 2])('gives the job to another: %d in a row', async (killed) => {
    const { given, next } = guests(killed);
    expect(await runInGuest(next, job)).toMatchObject({ output: 'well', logs: [] });
    expect(given.length).toBe(killed + 1);
    await Promise.all(given.map(({ gone }) => gone));
  });

  test('is the last of three when the host kills each of them', async () => {
    const { given, next } = guests(9);
    const error = { code: 'SANDBOX_CRASHED', message: 'The process ended before it began to run the code.' };
    await expect(runInGuest(next, job)).rejects.toMatchObject(error);
    expect(given.length).toBe(3);
    await Promise.all(given.map(({ gone }) => gone));
  });
});

test('code that has begun is not run again when the kernel ends its process', async () => {
  const { given, next } = guests(0);
  const endless = { ...order, code: 'console.log("begun"); for (;;);' };
  await expect(runInGuest(next, { ...job, order: endless, timeoutMs: 60_000 })).rejects.toMatchObject({
    message: 'The process that ran the code ended without a result.',
    details: { logs: ['begun'] },
  });
  expect(given.length).toBe(1);
});
