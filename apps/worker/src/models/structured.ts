import { fileURLToPath } from 'node:url';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Piscina } from 'piscina';
import type { Json, JsonObject } from '#libs/platform/json/json';
import { excerpt } from '../calls/http-response.ts';
import { blockFailure } from '../effects/effect-handler.ts';
import type { AnswerCheck, CheckedAnswer } from './answer-check.ts';
import type { TurnResult } from './model-provider.ts';

/** Less than the five seconds that an activity has after the block's own time-out. */
const checkMsMax = 4000;
const threadMegabytesMax = 256;

/** Checks the answers of models in threads. A check that takes too long ends with its thread. */
@Injectable()
export class StructuredAnswers implements OnModuleDestroy {
  private readonly threads: Piscina<AnswerCheck, CheckedAnswer>;

  constructor(
    program = fileURLToPath(new URL('answer-check.js', import.meta.url)),
    private readonly msMax = checkMsMax,
  ) {
    this.threads = new Piscina({
      filename: program,
      minThreads: 0,
      maxThreads: 2,
      idleTimeout: 30_000,
      resourceLimits: { maxOldGenerationSizeMb: threadMegabytesMax },
    });
  }

  /**
   * Returns the JSON of an answer, checked against the schema. Providers promise such JSON, but some do not keep the
   * promise. A misfit is a failure `MODEL_OUTPUT_INVALID`, and a retry may help.
   */
  async readAnswer({ content, finishReason, usage }: TurnResult, schema: JsonObject): Promise<Json> {
    const checked = await this.check({ content, schema });
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

  /** The time limit includes waiting for a thread. */
  private async check(input: AnswerCheck): Promise<CheckedAnswer> {
    try {
      return await this.threads.run(input, { signal: AbortSignal.timeout(this.msMax) });
    } catch (error) {
      const why = whyEnded(error, this.msMax);
      if (!why) throw error;
      const message = `To check the model's answer against its schema ${why}. Use a schema with fewer alternatives, or limit the answer by maxTokens.`;
      throw blockFailure('MODEL_OUTPUT_UNCHECKED', message, { retryable: true });
    }
  }

  async onModuleDestroy(): Promise<void> {
    await this.threads.destroy();
  }
}

function whyEnded(error: unknown, msMax: number): string | null {
  if (!(error instanceof Error)) return null;
  if (error.name === 'AbortError') return `took more than ${msMax / 1000} s`;
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
