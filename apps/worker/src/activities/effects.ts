import { Injectable } from '@nestjs/common';
import type { EffectActivities } from '#temporal/activities';
import { FunctionBlock } from '../blocks/function.ts';
import { HttpBlock } from '../blocks/http.ts';
import { EffectFrame } from './effect-frame.ts';

/** The activities of the effect queues, by name. */
@Injectable()
export class Effects {
  constructor(
    private readonly frame: EffectFrame,
    private readonly httpBlock: HttpBlock,
    private readonly functionBlock: FunctionBlock,
  ) {}

  get io(): Pick<EffectActivities, 'http'> {
    return { http: (run, effect) => this.frame.carry(run, effect, (work) => this.httpBlock.carryOut(work)) };
  }

  get code(): Pick<EffectActivities, 'function'> {
    return {
      function: (run, effect) => this.frame.carry(run, effect, (work) => this.functionBlock.carryOut(work)),
    };
  }
}
