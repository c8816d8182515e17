import type { Type } from '@nestjs/common';
import type { EffectType } from '#libs/language/definition/blocks/registry';
import type { EffectHandler } from '../effects/effect-handler.ts';
import { EvaluatorHandler } from './evaluator.ts';
import { FunctionHandler } from './function.ts';
import { HttpHandler } from './http.ts';
import { KnowledgeHandler } from './knowledge.ts';
import { LlmHandler } from './llm.ts';
import { McpHandler } from './mcp.ts';
import { RouterHandler } from './router.ts';
import { TableHandler } from './table.ts';
import { WebhookHandler } from './webhook.ts';

/** The handler of each type of block. */
export const handlers = {
  http: HttpHandler,
  function: FunctionHandler,
  webhook: WebhookHandler,
  llm: LlmHandler,
  router: RouterHandler,
  evaluator: EvaluatorHandler,
  mcp: McpHandler,
  table: TableHandler,
  knowledge: KnowledgeHandler,
} satisfies { [T in EffectType]: Type<EffectHandler<T>> };
