import { fileURLToPath } from 'node:url';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Piscina } from 'piscina';
import type { Json, JsonObject } from '#libs/platform/json/json';
import { KeyedSemaphore } from '#libs/platform/semaphore/keyed-semaphore';
import { excerpt } from '../calls/http-response.ts';
import { blockFailure } from '../effects/effect-handler.ts';
import { NoSlot } from '../effects/workspace-share.ts';
import type { AnswerCheck, CheckedAnswer } from './answer-check.ts';
import type { TurnResult } from './model-provider.ts';

/** Less than the five seconds that an activity has after the block's own time-out. */
const checkMsMax = 4000;
const threadMegabytesMax = 256;
/** The threads, and those of them that one workspace may use. */
const [threadsMax, perWorkspace] = [3, 2];

/** The workspace whose answer is checked, and a signal that ends the wait for a thread. */
export interface CheckPlace {
  workspaceId: string;
  waitSignal: AbortSignal;
}

/** Returns the place of a block that begins now. It waits no longer than the block may take. */
export function buildCheckPlace(
  { workspaceId }: { workspaceId: string },
  { timeoutMs }: { timeoutMs: number },
): CheckPlace {
  return { workspaceId, waitSignal: AbortSignal.timeout(timeoutMs) };
}

/**
 * Checks the answers of models in threads. A check that takes too long ends with its thread. The workspaces that wait for a thread
 * take turns.
 */
@Injectable()
export class StructuredAnswers implements OnModuleDestroy {
  private readonly threads: Piscina<AnswerCheck, CheckedAnswer>;
  private readonly places = new KeyedSemaphore({
    most: perWorkspace,
    all: threadsMax,
    refuse: () => new NoSlot(),
  });

  constructor(program = fileURLToPath(new URL('answer-check.js', import.meta.url))) {
    this.threads = new Piscina({
      filename: program,
      minThreads: 0,
      maxThreads: threadsMax,
      idleTimeout: 30_000,
      resourceLimits: { maxOldGenerationSizeMb: threadMegabytesMax },
    });
  }

  /**
   * Returns the JSON of an answer, checked against the schema. Providers promise such JSON, but some do not keep the
   * promise. A misfit is a failure `MODEL_OUTPUT_INVALID`, and a retry may help. Throws `NoSlot` when the wait for a
   * thread ends first.
   */
  async readAnswer(
    place: CheckPlace,
    { content, finishReason, usage }: TurnResult,
    schema: JsonObject,
  ): Promise<Json> {
    const checked = await this.check(place, { content, schema });
    if ('data' in checked) return checked.data;
    if ('unfit' in checked)
      throw blockFailure('MODEL_OUTPUT_INVALID', `The model's answer does not fit: ${checked.unfit}.`, {
        retryable: true,
        details: { content: excerpt(content), finishReason, usage },
      });
    // Deploy should have refused this schema. It fails its block, so that the worker does not retry for ever.
    throw blockFailure('INVALID_VALUE', `The schema cannot be used: ${checked.unusable}`, {
      retryable: false,
    });
  }

  /** The time limit begins with the check, so another's long queue makes no check fail. */
  private async check(
    { workspaceId, waitSignal: signal }: CheckPlace,
    input: AnswerCheck,
  ): Promise<CheckedAnswer> {
    const work = () => this.threads.run(input, { signal: AbortSignal.timeout(checkMsMax) });
    try {
      return await this.places.run(workspaceId, work, { signal });
    } catch (error) {
      if (error === signal.reason && signal.reason?.name === 'TimeoutError') throw new NoSlot();
      const why = whyEnded(error);
      if (!why) throw error;
      const message = `To check the model's answer against its schema ${why}. Use a schema with fewer alternatives, or limit the answer by maxTokens.`;
      throw blockFailure('MODEL_OUTPUT_UNCHECKED', message, { retryable: true });
    }
  }

  async onModuleDestroy(): Promise<void> {
    await this.threads.destroy();
  }
}

function whyEnded(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (error.name === 'AbortError') return `took more than ${checkMsMax / 1000} s`;
  const spent = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return spent ? `needed more than ${threadMegabytesMax} MB` : null;
}

/** True when OpenAI's strict mode takes the schema: closed objects, all members required, no `oneOf` and no `allOf`. */
export function isStrict(schema: Json): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict);
  if (typeof schema !== 'object' || schema === null) return true;
  const { properties, required, additionalProperties, type, oneOf, allOf } = schema;
  if (oneOf !== undefined || allOf !== undefined) return false;
  if (type === 'object' || properties !== undefined) {
    const names = Object.keys(properties ?? {});
    const all = Array.isArray(required) && names.every((name) => required.includes(name));
    if (!all || additionalProperties !== false) return false;
  }
  return Object.values(schema).every(isStrict);
}
