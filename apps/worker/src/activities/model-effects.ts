import { Injectable } from '@nestjs/common';
import type { EffectActivities } from '#temporal/activities';
import { EvaluatorBlock } from '../blocks/evaluator.ts';
import { LlmBlock } from '../blocks/llm.ts';
import { RouterBlock } from '../blocks/router.ts';
import { EffectFrame } from './effect-frame.ts';

/** The activities of the queue for models, by name. */
@Injectable()
export class ModelEffects {
  constructor(
    private readonly frame: EffectFrame,
    private readonly llmBlock: LlmBlock,
    private readonly routerBlock: RouterBlock,
    private readonly evaluatorBlock: EvaluatorBlock,
  ) {}

  get llm(): Pick<EffectActivities, 'llm' | 'router' | 'evaluator'> {
    return {
      llm: (run, effect) => this.frame.carry(run, effect, (work) => this.llmBlock.carryOut(work)),
      router: (run, effect) => this.frame.carry(run, effect, (work) => this.routerBlock.carryOut(work)),
      evaluator: (run, effect) => this.frame.carry(run, effect, (work) => this.evaluatorBlock.carryOut(work)),
    };
  }
}
