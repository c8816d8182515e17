import type { Type } from '@nestjs/common';
import type { EffectType } from '#libs/language/definition/blocks/registry';
import type { EffectHandler } from '../effects/effect-handler.ts';
import { EvaluatorBlock } from './evaluator.ts';
import { FunctionBlock } from './function.ts';
import { HttpBlock } from './http.ts';
import { KnowledgeBlock } from './knowledge.ts';
import { LlmBlock } from './llm.ts';
import { McpBlock } from './mcp.ts';
import { RouterBlock } from './router.ts';
import { TableBlock } from './table.ts';
import { WebhookBlock } from './webhook.ts';

/** The handler of each type of block. */
export const handlers = {
  http: HttpBlock,
  function: FunctionBlock,
  webhook: WebhookBlock,
  llm: LlmBlock,
  router: RouterBlock,
  evaluator: EvaluatorBlock,
  mcp: McpBlock,
  table: TableBlock,
  knowledge: KnowledgeBlock,
} satisfies { [T in EffectType]: Type<EffectHandler<T>> };
