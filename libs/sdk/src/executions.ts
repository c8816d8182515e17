import type { Call } from './call.ts';
import { ConnectionError, TimeoutError } from './errors.ts';
import { ExecutionsResource } from './generated/executions.ts';
import { JobsResource } from './generated/jobs.ts';
import type { CallOptions } from './options.ts';
import { Pauses } from './pauses.ts';
import { joinSignals, wait } from './retries.ts';
import type { AnswerOf, Schemas } from './shapes.ts';

/** An execution as its job shows it. */
export type Job = Schemas['JobView'];
/** The job of an execution that has ended, or that waits for a person. */
export type WaitedJob = Omit<Job, 'status'> & { status: Job['status'] | 'paused' };
/** One place where an execution waits for a person. */
export type PausePoint = Schemas['PausePointView'];

/** A pause that waits, with the call that answers it. */
export interface OpenPause extends PausePoint {
  answer: (input: Record<string, unknown>, options?: CallOptions) => Call<Schemas['ResumeResultView']>;
}

export interface WaitOptions extends CallOptions {
  /**
   * Called once for each pause that begins. Its promise is not waited for, so it may answer the pause (`pause.answer`), or only tell
   * somebody; when it rejects, the wait rejects too. Without it the wait ends at the first pause.
   */
  onPause?: (pause: OpenPause, job: Job) => unknown;
  /** Called with each state of the job. */
  onState?: (job: Job) => unknown;
  /** Asks again and again in place of following events, for networks that hold streams back. */
  poll?: boolean;
  /** The longest wait in all, in milliseconds. The execution goes on after it. Default: without end. */
  deadline?: number;
}

/** The calls of `client.executions`. */
export class Executions extends ExecutionsResource {
  /**
   * Waits until an execution has ended, and resolves with its job; the id of the job or of the execution will do. Without `onPause` it
   * resolves at a pause too: then `status` is `paused`, and `paused` says where. Rejects with TimeoutError when the deadline passes first.
   */
  async wait(id: string, options: WaitOptions = {}): Promise<WaitedJob> {
    const { onPause, onState, poll, deadline, ...call } = options;
    const late = new AbortController();
    const timer = deadline === undefined ? undefined : setTimeout(() => late.abort(), deadline);
    const signal = joinSignals(late.signal, call.signal);
    const told = new Set<string>();
    let failure: { cause: unknown } | undefined;
    const broken = new AbortController();
    try {
      for await (const job of this.#states(id, poll ?? false, {
        ...call,
        signal: joinSignals(broken.signal, signal),
      })) {
        onState?.(job);
        if (isEnded(job)) return job;
        // The API says `processing` of a run that waits for a person.
        if (job.paused && !onPause) return { ...job, status: 'paused' };
        for (const pause of job.paused?.pausePoints ?? []) {
          if (told.has(pause.contextId)) continue;
          told.add(pause.contextId);
          // An answer that fails ends the wait: nobody else would give it.
          this.#tell(pause, job, onPause).catch((cause: unknown) => {
            failure = { cause };
            broken.abort();
          });
        }
      }
      throw new ConnectionError('The stream of the execution ended before the execution did.');
    } catch (cause) {
      if (failure) throw failure.cause;
      if (late.signal.aborted && call.signal?.aborted !== true)
        throw new TimeoutError(`The execution ${id} has not ended within ${deadline} ms; it goes on.`, {
          cause,
        });
      throw cause;
    } finally {
      clearTimeout(timer);
    }
  }

  async #tell(pause: PausePoint, job: Job, onPause: WaitOptions['onPause']): Promise<void> {
    const pauses = new Pauses(this.transport);
    const [workflowId, executionId, contextId] = idsOf(pause);
    const answer: OpenPause['answer'] = (input, options) =>
      pauses.answer(workflowId, executionId, contextId, { input }, options);
    await onPause?.({ ...pause, answer }, job);
  }

  async *#states(id: string, poll: boolean, options: CallOptions): AsyncGenerator<Job> {
    const jobs = new JobsResource(this.transport);
    if (!poll) {
      for await (const { data } of jobs.follow(id, options)) yield data;
      return;
    }
    for (let first = true; ; first = false) {
      // A pause is no end, so a long wait would not see it.
      const job: AnswerOf<'getJob'> = await jobs.get(id, { wait: first ? 0 : 5 }, options);
      yield job;
      if (isEnded(job)) return;
      await wait(100, options.signal);
    }
  }
}

/** The ids in the address where a program answers the pause. */
function idsOf({ resumeLinks, contextId }: PausePoint): [string, string, string] {
  const [, workflowId = '', executionId = ''] =
    /\/api\/resume\/([^/]+)\/([^/]+)\//.exec(resumeLinks.apiUrl) ?? [];
  return [decodeURIComponent(workflowId), decodeURIComponent(executionId), contextId];
}

function isEnded({ status }: Job): boolean {
  return status === 'completed' || status === 'failed';
}
