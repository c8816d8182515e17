import { checkBounds, nameText, repeated } from '../expressions/atoms.ts';
import * as shape from '../shapes/shape.ts';
import { anyNumber, at, ruled } from '../shapes/shape.ts';
import { type EffectBase, type EffectKind, closedOutput, outputObject } from './kind.ts';
import { model, modelKeys, promptText } from './model.ts';

const metric = ruled(
  shape.object({
    name: nameText,
    description: shape.rendered(shape.text({ min: 1, max: 2000 }), shape.json),
    min: anyNumber,
    max: anyNumber,
  }),
  ({ min, max }, path, report) => checkBounds(path, report, { min, max }),
);

const metrics = ruled(shape.list(metric, { min: 1, max: 20 }), (all, path, report) => {
  for (const i of repeated(all.map(({ name }) => name)))
    report(at(at(path, i), 'name'), 'duplicate_name', 'Another metric has this name already.');
});

const params = shape.object(
  { model, content: shape.json, metrics },
  { ...modelKeys, instructions: promptText },
);

/** A block that asks a model for marks. */
export interface EvaluatorBlock extends EffectBase {
  type: 'evaluator';
  params: shape.ValueOf<typeof params>;
}

export const evaluator: EffectKind<EvaluatorBlock> = {
  members: { params },
  sample: {
    type: 'evaluator',
    params: { model: 'm', content: 1, metrics: [{ name: 'n', description: 'd', min: 0, max: 1 }] },
  },
  ...closedOutput({ scores: outputObject, reasons: outputObject, usage: outputObject }),
  effect: { queue: 'llm', timeoutMs: 60_000 },
};
