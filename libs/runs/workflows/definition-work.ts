import { fileURLToPath } from 'node:url';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Piscina } from 'piscina';
import { isLargerThan } from '#libs/language/engine/scope';
import { Invalid, Unavailable } from '#libs/platform/errors/errors';
import type { Json } from '#libs/platform/json/json';
import { KeyedSemaphore } from '#libs/platform/semaphore/keyed-semaphore';
import { type DefinitionJobs, type JobOutcome, runHere } from './definition-thread.ts';

/** Larger inputs, in characters of JSON, are worked on in a thread, because other callers wait for this process. */
const charsHereMax = 65_536;
/** The time for the work, and for the wait for a thread. */
const [msMax, waitMs] = [20_000, 10_000];
const [threadsMax, perWorkspace] = [2, 1];

const program = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts')
      ? '../../../dist/libs/runs/workflows/definition-thread.js'
      : './definition-thread.js',
    import.meta.url,
  ),
);

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
  private readonly threads = new Piscina({
    filename: program,
    minThreads: 0,
    maxThreads: threadsMax,
    idleTimeout: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  private readonly places = new KeyedSemaphore({
    most: perWorkspace,
    all: threadsMax,
    waitMs,
    refuse: () => new Unavailable('Too many large definitions are read at once; send this one again later.'),
  });

  /** Does the work. Throws `Invalid` for an input that it refuses, and `Unavailable` when it waits or works for too long. */
  async runJob<Name extends keyof DefinitionJobs>(
    workspaceId: string,
    name: Name,
    ...given: DefinitionJobs[Name]['given']
  ): Promise<DefinitionJobs[Name]['result']> {
    if (!isLarge(given)) return runHere(name, given);
    const outcome = await this.places.run(workspaceId, () => this.inThread(name, given));
    if ('result' in outcome) return outcome.result;
    throw new Invalid(outcome.details, outcome.message);
  }

  /** The jobs that threads have done. */
  get threadJobs(): number {
    return this.threads.completed;
  }

  async onModuleDestroy(): Promise<void> {
    await this.threads.destroy();
  }

  private async inThread<Name extends keyof DefinitionJobs>(
    name: Name,
    given: DefinitionJobs[Name]['given'],
  ): Promise<JobOutcome<Name>> {
    try {
      return await this.threads.run({ name, given }, { signal: AbortSignal.timeout(msMax) });
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
      throw new Unavailable(`Reading it took more than ${msMax / 1000} s.`, 60);
    }
  }
}
