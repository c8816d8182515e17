import type { JsonObject } from '#libs/platform/json/json';
import { Int, Obj, Texts } from '../http/fields.ts';

export class TestBody {
  @Obj({ optional: true, description: 'Inputs as the start block of the draft declares them.' })
  inputs?: JsonObject;
  @Obj({
    optional: true,
    description: 'A definition in the place of the draft. It is not stored as the draft.',
  })
  definition?: JsonObject;
  @Obj({
    optional: true,
    description:
      'What calls return, by the id of a block or the path of a visit, as the `effects` of a scenario: `{"output": …}`, `{"fail": {"code", "message"}}`, or a list with one for each attempt. With `effects` or `children` no call is made; one without an answer fails with `SCENARIO_ANSWER_MISSING`.',
  })
  effects?: JsonObject;
  @Obj({ optional: true, description: 'The same for blocks that run another workflow.' })
  children?: JsonObject;
}

export class ExecutionDefinitionView {
  @Int({ description: 'The version of the execution; 0 for a test.' }) version!: number;
  @Obj({ description: 'The definition that the execution runs.' }) definition!: JsonObject;
}

export class RecordedScenarioView {
  @Obj({ description: 'A file with the definition and one scenario. `holdfast scenario` plays it.' })
  scenario!: JsonObject;
  @Texts({
    description:
      'Where the play of the scenario went another way than the execution, a sentence each. Empty when it went the same.',
  })
  differences!: string[];
}
