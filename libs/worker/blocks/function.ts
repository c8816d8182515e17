import { Injectable } from '@nestjs/common';
import type { Json } from '#libs/platform/json/json';
import { Sandbox, SandboxError } from '#libs/platform/sandbox/sandbox';
import { blockFailure, type EffectHandler, type EffectContext } from '../effects/effect-handler.ts';

/** Runs a function block's JavaScript in the sandbox. The code is never a template: only its input is. */
@Injectable()
export class FunctionHandler implements EffectHandler<'function'> {
  constructor(private readonly sandbox: Sandbox) {}

  async execute({ params, effect, run, signal, writes }: EffectContext<'function'>): Promise<Json> {
    const { code, input = {} } = params;
    try {
      const { output, logs } = await this.sandbox.runCode({
        code,
        input,
        timeoutMs: effect.timeoutMs,
        signal,
        workspaceId: run.workspaceId,
      });
      if (logs.length > 0) await writes.keepLogs(logs);
      return output;
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error;
      throw blockFailure(error.code, error.message, { retryable: true, details: { ...error.details } });
    }
  }
}
