import { randomBytes } from 'node:crypto';
import type { Json } from '#libs/platform/json/json';
import { cutText } from '#libs/platform/text/whole-text';
import {
  errorCodes,
  type GuestMessage,
  type GuestError,
  type CodeOrder,
  type SentOrder,
} from './messages.ts';
import type { GuestProcess } from './guest-process.ts';
import { parseOutput } from './output.ts';
import { crashed, NotBegun, SandboxError, unreadable } from './sandbox-error.ts';

/** The JSON text of a result that is too long to be read here. `parseOutput` reads it. */
export class ResultText {
  constructor(readonly text: string) {}
}

export interface SandboxResult {
  output: Json | ResultText;
  logs: string[];
  /** The time from the hand-over of the code to its result, in milliseconds. */
  durationMs: number;
}

/** The code, its input as JSON text, and how long it may run. */
export interface Job {
  order: CodeOrder;
  input: string;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** A longer result, in characters, comes as its text. */
  charsHereMax?: number;
}

/** Where processes come from, and where they go after a job that they may have survived unharmed. */
export interface GuestSource {
  take(): Promise<GuestProcess>;
  giveBack(guest: GuestProcess): void;
}

const logBytesMax = 256 * 1024;

/** The most attempts. If the host kills three processes in a row before the code begins, it will kill the next one too. */
const triesMax = 3;

/**
 * Runs the job in a process of the source. When the process dies before the code has begun, it runs the job in another process, with at
 * most `tries` attempts. It never repeats code that has begun.
 */
export async function runInGuest(source: GuestSource, job: Job, tries = triesMax): Promise<SandboxResult> {
  try {
    return await runIn(await source.take(), source, job);
  } catch (error) {
    if (!(error instanceof NotBegun) || tries === 1) throw error;
    return runInGuest(source, job, tries - 1);
  }
}

/**
 * Sends the job and waits for its result, the time-out, an abort, or the end of the process. Gives the process back after a result of
 * the code, and kills it after anything else.
 */
async function runIn(guest: GuestProcess, source: GuestSource, job: Job): Promise<SandboxResult> {
  const startedMs = performance.now();
  const logs: string[] = [];
  let isSound = false;
  try {
    const output = toResult(await resultFrame(guest, job, logs), logs, job.charsHereMax);
    isSound = true;
    return { output, logs, durationMs: performance.now() - startedMs };
  } catch (error) {
    if (error instanceof SandboxError) {
      error.details.durationMs = performance.now() - startedMs;
      isSound = survived.has(error.code);
    }
    throw error;
  } finally {
    if (isSound) source.giveBack(guest);
    else guest.kill();
  }
}

/** The failures of code that leave its process as it was. One that ran out of memory is not used again. */
const survived = new Set<string>(errorCodes.filter((code) => code !== 'CODE_OUT_OF_MEMORY'));

function resultFrame(
  guest: GuestProcess,
  { order, input, timeoutMs, signal }: Job,
  logs: string[],
): Promise<GuestMessage> {
  return new Promise<GuestMessage>((resolve, reject) => {
    let started = false;
    const nonce = randomBytes(16).toString('hex');
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      settle();
    };
    const onAbort = (): void => end(() => reject(signal?.reason));
    const fail = (error: Error): void => end(() => reject(error));
    const timer = setTimeout(() => {
      fail(new SandboxError('CODE_TIMEOUT', `The code ran longer than ${timeoutMs} ms.`, { logs }));
    }, timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    guest.listen(
      ({ kind, payload }) => {
        if (payload.toString('latin1', 0, nonce.length) !== nonce)
          return fail(crashed('sent what belongs to no call', logs));
        const own = payload.subarray(nonce.length);
        if (kind === 'S') started = true;
        else if (kind === 'L') keep(logs, own.toString());
        else {
          guest.renew();
          end(() => resolve({ kind, payload: own }));
        }
      },
      () =>
        fail(
          started
            ? crashed('ended without a result', logs)
            : new NotBegun('The process ended before it began to run the code.'),
        ),
    );
    if (signal?.aborted) return onAbort();
    const sent: SentOrder = { ...order, nonce };
    guest.send('C', JSON.stringify(sent));
    guest.send('I', input);
  });
}

/** Keeps a log line, up to a limit. The child has the same limit, but the user's code may have taken control of the child. */
function keep(logs: string[], line: string): void {
  const bytes = logs.reduce((sum, kept) => sum + kept.length, 0);
  if (logs.length <= 200 && bytes + line.length <= logBytesMax) logs.push(line);
}

function toResult(frame: GuestMessage, logs: string[], charsHereMax = Infinity): Json | ResultText {
  const text = frame.payload.toString();
  if (frame.kind === 'D') return text.length > charsHereMax ? new ResultText(text) : parseOutput(text, logs);
  try {
    const fault: Partial<GuestError> = JSON.parse(text);
    const code = errorCodes.find((known) => known === fault.code);
    if (code) {
      // The user's code may have taken control of the child, and then its texts have any length.
      const [message, stack] = [cutText(`${fault.message}`, 2000), cutText(fault.stack ?? '', 4000)];
      throw SandboxError.of({ code, message, stack }, logs);
    }
  } catch (error) {
    if (error instanceof SandboxError) throw error;
  }
  throw unreadable(logs);
}
