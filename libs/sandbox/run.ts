import type { Json } from '#libs/definition/values';
import { faultCodes, type Frame, type GuestFault, type Order } from './frames.ts';
import type { GuestProcess } from './guest-process.ts';
import { outputOf } from './output.ts';
import { SandboxError } from './sandbox-error.ts';

export interface SandboxResult {
  output: Json;
  logs: string[];
  /** From the handing over of the code to its result. */
  durationMs: number;
}

/** One order for one process. `input` is JSON text. */
export interface Job {
  order: Order;
  input: string;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

const logBytesMax = 256 * 1024;

/** Hands the job over and waits for the first of: result, time-out, abort, death. The process is killed in every case. */
export async function runIn(guest: GuestProcess, job: Job): Promise<SandboxResult> {
  const startedMs = performance.now();
  const logs: string[] = [];
  try {
    const frame = await answered(guest, job, logs);
    return { output: resultOf(frame, logs), logs, durationMs: performance.now() - startedMs };
  } catch (error) {
    if (error instanceof SandboxError) error.details.durationMs = performance.now() - startedMs;
    throw error;
  } finally {
    guest.kill();
  }
}

function answered(
  guest: GuestProcess,
  { order, input, timeoutMs, signal }: Job,
  logs: string[],
): Promise<Frame> {
  return new Promise<Frame>((resolve, reject) => {
    const onAbort = (): void => end(() => reject(signal?.reason));
    const fail = (code: SandboxError['code'], message: string): void =>
      end(() => reject(new SandboxError(code, message, { logs })));
    const timer = setTimeout(
      () => fail('CODE_TIMEOUT', `The code ran longer than ${timeoutMs} ms.`),
      timeoutMs,
    );
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      settle();
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    guest.listen(
      (frame) => (frame.kind === 'L' ? keep(logs, frame.payload.toString()) : end(() => resolve(frame))),
      () => fail('SANDBOX_CRASHED', 'The process that ran the code ended without a result.'),
    );
    if (signal?.aborted) return onAbort();
    guest.send('C', JSON.stringify(order));
    guest.send('I', input);
  });
}

/** The child bounds its log as well; this bound holds when the child is no longer ours. */
function keep(logs: string[], line: string): void {
  const bytes = logs.reduce((sum, kept) => sum + kept.length, 0);
  if (logs.length <= 200 && bytes + line.length <= logBytesMax) logs.push(line);
}

function resultOf(frame: Frame, logs: string[]): Json {
  const text = frame.payload.toString();
  try {
    if (frame.kind === 'D') return outputOf(text, logs);
    const fault: Partial<GuestFault> = JSON.parse(text);
    const code = faultCodes.find((known) => known === fault.code);
    if (code) throw SandboxError.of({ code, message: `${fault.message}`, stack: fault.stack ?? '' }, logs);
  } catch (error) {
    if (error instanceof SandboxError) throw error;
  }
  throw new SandboxError(
    'SANDBOX_CRASHED',
    'The process that ran the code gave no answer that can be read.',
    { logs },
  );
}
