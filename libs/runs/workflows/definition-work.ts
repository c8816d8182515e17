import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { isLargerThan } from '#libs/language/engine/scope';
import { Invalid, Unavailable } from '#libs/platform/errors/errors';
import type { Json } from '#libs/platform/json/json';
import { compiledProgram } from '#libs/platform/threads/compiled-program';
import { FairThreads } from '#libs/platform/threads/fair-threads';
import { type DefinitionJobs, type JobOutcome, runHere } from './definition-thread.ts';

/** Larger inputs, in characters of JSON, are worked on in a thread, because other callers wait for this process. */
const charsHereMax = 65_536;
/** The time for the work, and for the wait for a thread. */
const [msMax, waitMs] = [20_000, 10_000];

/** The given values are JSON: a parsed body, or a stored definition. What is nested too deeply is refused at once, so it counts as small. */
function isLarge(given: unknown[]): boolean {
  try {
    return isLargerThan(given as Json[], charsHereMax);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Checks definitions and converts files. Large ones take up to a second, so they go to threads, which the workspaces use in turn. */
@Injectable()
export class DefinitionWork implements OnModuleDestroy {
  private readonly threads = new FairThreads(compiledProgram('definition-thread.js', import.meta.url), {
    threadsMax: 2,
    perOwner: 1,
    waitMs,
    idleMs: 30_000,
    heapMegabytesMax: 512,
    refuse: () => new Unavailable('Too many large definitions are read at once; send this one again later.'),
  });

  /** Does the work. Throws `Invalid` for an input that it refuses, and `Unavailable` when it waits or works for too long. */
  async runJob<Name extends keyof DefinitionJobs>(
    workspaceId: string,
    name: Name,
    ...given: DefinitionJobs[Name]['given']
  ): Promise<DefinitionJobs[Name]['result']> {
    if (!isLarge(given)) return runHere(name, given);
    const outcome = await this.runInThread(workspaceId, name, given);
    if ('result' in outcome) return outcome.result;
    throw new Invalid(outcome.details, outcome.message);
  }

  /** The jobs that threads have done. */
  get threadJobs(): number {
    return this.threads.done;
  }

  async onModuleDestroy(): Promise<void> {
    await this.threads.close();
  }

  private async runInThread<Name extends keyof DefinitionJobs>(
    workspaceId: string,
    name: Name,
    given: DefinitionJobs[Name]['given'],
  ): Promise<JobOutcome<Name>> {
    try {
      // The name says which result it is.
      return (await this.threads.runTask(workspaceId, { name, given }, { msMax })) as JobOutcome<Name>;
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
      throw new Unavailable(`Reading it took more than ${msMax / 1000} s.`, 60);
    }
  }
}
