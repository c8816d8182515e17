import { GuestProcess } from './guest-process.ts';
import { runInGuest } from './run.ts';
import { buildChild } from './support/child-program.ts';
import { launchers } from './isolation.ts';

const cpuSecondsMax = 2;
const memoryBytes = 16 * 1024 * 1024;
const order = { code: 'return input', memoryBytes, stackBytes: 256 * 1024, outputBytesMax: 1000 };
const job = { order, input: '"well"', timeoutMs: 5_000 };
const bounds = { calls: 10, cpuMs: 60_000, residentBytes: 1024 ** 3 };
const [launcher] = launchers({ cpuS: cpuSecondsMax, memoryBytes }, ['bubblewrap', 'namespaces']);

/** Gives ready processes. The first `killed` of them get SIGKILL in the same turn in which they get the job. */
function guests(killed: number) {
  buildChild();
  const given: GuestProcess[] = [];
  const take = async (): Promise<GuestProcess> => {
    if (!launcher) throw new Error('This host offers no way to start a process.');
    const guest = new GuestProcess(launcher, 1000, bounds);
    await guest.ready;
    given.push(guest);
    if (given.length <= killed) guest.kill();
    return guest;
  };
  return { given, source: { take, giveBack: (guest: GuestProcess) => guest.kill() } };
}

describe('a process that the host kills at the moment it gets work', () => {
  test.each([1, 2])(
    'a process that the host kills at the moment it gets work gives the job to another: %d in a row',
    async (killed) => {
      const { given, source } = guests(killed);
      expect(await runInGuest(source, job)).toMatchObject({ output: 'well', logs: [] });
      expect(given.length).toBe(killed + 1);
      await Promise.all(given.map(({ gone }) => gone));
    },
  );

  test('a process that the host kills at the moment it gets work is the last of three when the host kills each of them', async () => {
    const { given, source } = guests(9);
    const error = { code: 'SANDBOX_CRASHED', message: 'The process ended before it began to run the code.' };
    await expect(runInGuest(source, job)).rejects.toMatchObject(error);
    expect(given.length).toBe(3);
    await Promise.all(given.map(({ gone }) => gone));
  });
});

test('code that has begun is not run again when the kernel ends its process', async () => {
  const { given, source } = guests(0);
  const endless = { ...order, code: 'console.log("begun"); for (;;);' };
  await expect(runInGuest(source, { ...job, order: endless, timeoutMs: 60_000 })).rejects.toMatchObject({
    message: 'The process that ran the code ended without a result.',
    details: { logs: ['begun'] },
  });
  expect(given.length).toBe(1);
});

describe('a process that user code has taken over', () => {
  const frame = `const send = (kind, text) => { const head = Buffer.alloc(5); head.write(kind, 0, 'latin1'); head.writeUInt32BE(Buffer.byteLength(text), 1); process.stdout.write(Buffer.concat([head, Buffer.from(text)])); };`;
  const ready = `send('R', '{"cpuMs":1,"residentBytes":1}');`;
  const takenOver = (script: string) =>
    new GuestProcess(
      { isolation: 'process', file: process.execPath, args: ['-e', frame + script] },
      1000,
      bounds,
    );

  test.each([
    ['a result', `send('D', '"forged"')`],
    ['a result of another call', `send('D', '${'0'.repeat(32)}"forged"')`],
    ['a log line', `send('L', 'forged'); send('D', '"forged"')`],
  ])(
    'a process that user code has taken over cannot send %s without the nonce of the call',
    async (_, said) => {
      const guest = takenOver(`${ready} process.stdin.once('data', () => { ${said} });`);
      const source = { take: () => guest.ready.then(() => guest), giveBack: () => {} };
      const error = { code: 'SANDBOX_CRASHED', details: { logs: [] } };
      await expect(runInGuest(source, job)).rejects.toMatchObject(error);
      await guest.gone;
    },
  );

  test('a process that user code has taken over is killed when it speaks before it is asked', async () => {
    const guest = takenOver(
      `${ready} setTimeout(() => send('D', '"forged"'), 1); setTimeout(() => {}, 60_000);`,
    );
    await guest.ready;
    await guest.gone;
    expect(guest.killed).toBe(true);
  });
});
