import { spawn } from 'node:child_process';
import { soon } from '#libs/platform/settings/support/soon';
import { isAlive, stopProcess } from './processes.ts';
import { Supervisor, type SupervisedProcess } from './supervisor.ts';

const lines: string[] = [];
const ended: string[] = [];
let supervisor: Supervisor;

beforeEach(() => {
  lines.length = 0;
  ended.length = 0;
  supervisor = new Supervisor({ say: (line) => lines.push(line), firstDelayMs: 20, longestDelayMs: 60 });
});

afterEach(() => supervisor.stop());

/** A real process that runs until it is told to stop, or the given code. */
function givenPart(name: string, code = 'setInterval(() => {}, 1000)'): SupervisedProcess {
  return {
    name,
    start: async () => spawn(process.execPath, ['-e', code], { stdio: 'ignore' }),
    stop: async (pid) => {
      await stopProcess(pid, 'SIGTERM', 2000);
      ended.push(name);
    },
  };
}

const delays = () => lines.filter((line) => line.includes('starting it again'));

describe('Supervisor', () => {
  test('the supervisor starts a killed process again and says so', async () => {
    await supervisor.start(givenPart('worker'));
    const first = supervisor.pids['worker'] ?? 0;
    process.kill(first, 'SIGKILL');
    await soon(() => lines.length === 2);

    const second = supervisor.pids['worker'] ?? 0;
    expect(second).not.toBe(first);
    expect(isAlive(second)).toBe(true);
    expect(lines).toEqual([
      'worker stopped (SIGKILL); starting it again in 0.02 s',
      `worker runs again (process ${second})`,
    ]);
  });

  test('the supervisor waits twice as long after each death in a row, up to a limit', async () => {
    await supervisor.start(givenPart('worker', 'process.exit(3)'));
    await soon(() => delays().length >= 4);

    expect(delays().slice(0, 4)).toEqual(
      [0.02, 0.04, 0.06, 0.06].map((s) => `worker stopped (exit code 3); starting it again in ${s} s`),
    );
    expect(supervisor.deaths('worker')).toBeGreaterThanOrEqual(4);
  });

  test('the supervisor forgets the ends of a process that was healthy for a while', async () => {
    supervisor = new Supervisor({ say: (line) => lines.push(line), firstDelayMs: 20, healthyAfterMs: -1 });
    await supervisor.start(givenPart('worker', 'process.exit(3)'));
    await soon(() => lines.filter((line) => line.includes('in 0.02 s')).length >= 3);

    expect(lines.some((line) => line.includes('in 0.04 s'))).toBe(false);
  });

  test('the supervisor starts again a process whose restart failed', async () => {
    const part = givenPart('api');
    let starts = 0;
    await supervisor.start({
      ...part,
      start: () => ((starts += 1) === 2 ? Promise.reject(new Error('port taken')) : part.start()),
    });
    process.kill(supervisor.pids['api'] ?? 0, 'SIGKILL');
    await soon(() => lines.length === 3);

    expect(lines[1]).toBe('api stopped (port taken); starting it again in 0.04 s');
  });

  test('the supervisor stops in the reverse order of the start, and starts nothing again', async () => {
    for (const name of ['postgres', 'temporal', 'worker', 'api']) await supervisor.start(givenPart(name));
    const pids = Object.values(supervisor.pids);
    await supervisor.stop();

    expect(ended).toEqual(['api', 'worker', 'temporal', 'postgres']);
    expect(pids.map(isAlive)).toEqual([false, false, false, false]);
    expect(lines).toEqual([]);
  });

  test('the supervisor kills a process that ignores the signal to stop', async () => {
    const deaf = `process.on('SIGTERM', () => {}); process.title = 'deaf'; setInterval(() => {}, 1000)`;
    await supervisor.start({ ...givenPart('api', deaf), stop: (pid) => stopProcess(pid, 'SIGTERM', 200) });
    const pid = supervisor.pids['api'] ?? 0;
    await supervisor.stop();

    expect(isAlive(pid)).toBe(false);
  });

  test('the supervisor refuses to start anything once it is stopping', async () => {
    await supervisor.stop();
    await expect(supervisor.start(givenPart('late'))).rejects.toThrow('being stopped');
  });
});
