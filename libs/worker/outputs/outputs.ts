import { availableParallelism } from 'node:os';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ApplicationFailure } from '@temporalio/common';
import { isLargerThan } from '#libs/language/engine/scope';
import type { Json } from '#libs/platform/json/json';
import { KeyedSemaphore } from '#libs/platform/semaphore/keyed-semaphore';
import { compiledProgram } from '#libs/platform/threads/compiled-program';
import { FairThreads } from '#libs/platform/threads/fair-threads';
import { pack, type Packed } from '#libs/runs/executions/record/pack';
import { storable, Unstorable } from '#libs/runs/executions/record/storable';
import { withoutSecrets } from '../effects/redact.ts';
import { type LargeOutput, sizeHereMax, Unread } from './large-output.ts';
import type { OutputTask, ReadOutput } from './output-thread.ts';

const megabyte = 1024 * 1024;
/** The bytes of large answers that this process holds at a time, and those of them that are of one workspace. */
const [bytesMax, perWorkspace] = [64 * megabyte, 32 * megabyte];

/** One core is left to the main thread, which serves everybody. */
const threadsMax = Math.max(1, Math.min(2, availableParallelism() - 1));

const unreachable = () => new Error('unreachable: only a signal ends the wait');

/**
 * Makes the outputs of blocks ready to be stored. Large ones are read in threads, because other callers wait for this process. The
 * workspaces take turns at the threads and at the memory.
 */
@Injectable()
export class Outputs implements OnModuleDestroy {
  private readonly threads = new FairThreads<OutputTask, ReadOutput>(
    compiledProgram('output-thread.js', import.meta.url),
    { threadsMax, perOwner: 1, idleMs: 60_000, heapMegabytesMax: 1024, niceness: 10, refuse: unreachable },
  );
  private readonly room = new KeyedSemaphore({ most: perWorkspace, all: bytesMax, refuse: unreachable });

  /** Waits for memory for a large answer of so many bytes. Resolves to the function that frees it. Rejects with the reason of the signal. */
  enter(workspaceId: string, bytes: number, signal: AbortSignal): Promise<() => void> {
    return this.room.enter(workspaceId, { places: bytes, signal });
  }

  /** Packs an output without the secrets. Throws the failure of the block, and `Unstorable` for an output that nests too deep. */
  async pack(
    workspaceId: string,
    output: Json | Unread,
    { secrets, signal }: { secrets: Record<string, string>; signal: AbortSignal },
  ): Promise<Packed> {
    if (output instanceof Unread)
      return this.packInThread(workspaceId, { output: output.output, secrets }, signal);
    if (!isLarge(output)) return pack(withoutSecrets(storable(output), secrets));
    const large: LargeOutput = { kind: 'value', text: JSON.stringify(output) };
    return this.packInThread(workspaceId, { output: large, secrets }, signal);
  }

  /** The outputs that threads have read. */
  get readInThreads(): number {
    return this.threads.done;
  }

  async onModuleDestroy(): Promise<void> {
    await this.threads.close();
  }

  private async packInThread(workspaceId: string, task: OutputTask, signal: AbortSignal): Promise<Packed> {
    const read = await this.threads.runTask(workspaceId, task, { signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw error;
    });
    if ('tooDeep' in read) throw new Unstorable(read.tooDeep);
    if ('failure' in read) throw ApplicationFailure.create({ ...read.failure, nonRetryable: true });
    return read;
  }
}

/** What nests too deep for the stack counts as small, because it is refused at once. */
function isLarge(output: Json): boolean {
  try {
    return isLargerThan(output, sizeHereMax);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
