import { Injectable } from '@nestjs/common';
import type { Json } from '#libs/platform/json/json';
import { type EffectHandler, type EffectContext } from '../effects/effect-handler.ts';
import { ModelProvider } from '../models/model-provider.ts';
import { buildCheckPlace, StructuredAnswers } from '../models/structured.ts';
import { buildMessages, buildTurn } from '../models/turns.ts';

/** Takes one turn of a model. With a `responseSchema` the answer is JSON, checked against the schema. */
@Injectable()
export class LlmHandler implements EffectHandler<'llm'> {
  constructor(
    private readonly provider: ModelProvider,
    private readonly answers: StructuredAnswers,
  ) {}

  async execute({ params, effect, run, signal, gate }: EffectContext<'llm'>): Promise<Json> {
    const place = buildCheckPlace(run, effect);
    const { responseSchema: schema } = params;
    const format = schema && { name: 'answer', schema };
    const turn = { ...buildTurn(params, buildMessages(params)), format };
    const answer = await this.provider.answer(turn, {
      run,
      visitPath: effect.visit.path,
      signal,
      timeoutMs: effect.timeoutMs,
      gate,
    });
    const { content, model, usage, finishReason } = answer;
    const output = { content, model, usage, finishReason };
    return format ? { ...output, data: await this.answers.readAnswer(place, answer, format.schema) } : output;
  }
}
