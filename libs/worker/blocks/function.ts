import { Injectable } from '@nestjs/common';
import type { Json } from '#libs/platform/json/json';
import { ResultText, Sandbox, SandboxError } from '#libs/platform/sandbox/sandbox';
import type { EffectHandler, EffectContext } from '../effects/effect-handler.ts';
import { NoSlot } from '../effects/workspace-share.ts';
import { codeFailure, sizeHereMax, Unread } from '../outputs/large-output.ts';

/** Runs a function block's JavaScript in the sandbox. The code is never a template: only its input is. */
@Injectable()
export class FunctionHandler implements EffectHandler<'function'> {
  constructor(private readonly sandbox: Sandbox) {}

  async execute({ params, effect, run, signal, writes }: EffectContext<'function'>): Promise<Json | Unread> {
    const { code, input = {} } = params;
    try {
      const { output, logs } = await this.sandbox.runCode({
        code,
        input,
        timeoutMs: effect.timeoutMs,
        signal,
        workspaceId: run.workspaceId,
        charsHereMax: sizeHereMax,
      });
      if (logs.length > 0) await writes.keepLogs(logs);
      return output instanceof ResultText ? new Unread({ kind: 'result', text: output.text, logs }) : output;
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error;
      // Nothing has begun, so another attempt begins with all of its time.
      throw error.code === 'SANDBOX_BUSY' ? new NoSlot() : codeFailure(error);
    }
  }
}
