import { Injectable } from '@nestjs/common';
import type { EffectActivities } from '#temporal/activities';
import { FunctionBlock } from '../blocks/function.ts';
import { HttpBlock } from '../blocks/http.ts';
import { McpBlock } from '../blocks/mcp.ts';
import { WebhookBlock } from '../blocks/webhook.ts';
import { EffectFrame } from './effect-frame.ts';

/** The activities of the queues for calls and for user code, by name. */
@Injectable()
export class Effects {
  constructor(
    private readonly frame: EffectFrame,
    private readonly httpBlock: HttpBlock,
    private readonly webhookBlock: WebhookBlock,
    private readonly mcpBlock: McpBlock,
    private readonly functionBlock: FunctionBlock,
  ) {}

  get io(): Pick<EffectActivities, 'http' | 'webhook' | 'mcp'> {
    return {
      http: (run, effect) => this.frame.carry(run, effect, (work) => this.httpBlock.carryOut(work)),
      webhook: (run, effect) => this.frame.carry(run, effect, (work) => this.webhookBlock.carryOut(work)),
      mcp: (run, effect) => this.frame.carry(run, effect, (work) => this.mcpBlock.carryOut(work)),
    };
  }

  get code(): Pick<EffectActivities, 'function'> {
    return {
      function: (run, effect) => this.frame.carry(run, effect, (work) => this.functionBlock.carryOut(work)),
    };
  }
}
