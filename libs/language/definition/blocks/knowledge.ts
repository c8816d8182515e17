import * as shape from '../shapes/shape.ts';
import type { Shape } from '../shapes/shape.ts';
import {
  type EffectBase,
  type EffectKind,
  type RawBlock,
  outputCount,
  outputObject,
  outputObjects,
} from './kind.ts';

export const knowledgeOperations = ['search', 'add'] as const;
export type KnowledgeOperation = (typeof knowledgeOperations)[number];

/** The name or the id of a base. */
const base = shape.text({ min: 1, max: 1000 });
const tagName = shape.text({ min: 1, max: 200 });
const tags = shape.templated('an object of tags and values', shape.record(tagName, shape.json, { max: 20 }));
/** A rendered text may be longer than the text that its author writes. */
const content = shape.rendered(shape.text({ min: 1, max: 100_000 }), shape.filledText({ max: 10_000_000 }));

const operations = {
  search: shape.object(
    {
      operation: shape.choice(['search']),
      knowledgeBases: shape.templated('a list of knowledge bases', shape.list(base, { min: 1, max: 20 })),
      query: shape.rendered(shape.text({ min: 1, max: 10_000 }), shape.filledText({ max: 10_000 })),
    },
    {
      topK: shape.templated('a whole number', shape.number({ min: 1, max: 100 })),
      tagFilters: shape.templated('a list of filters', shape.list(shape.json, { max: 20 })),
    },
  ),
  add: shape.object(
    {
      operation: shape.choice(['add']),
      knowledgeBase: shape.rendered(base, shape.filledText({ max: 1000 })),
    },
    {
      text: shape.nullable(content),
      url: shape.nullable(shape.rendered(shape.text({ min: 1, max: 4000 }), shape.filledText({ max: 2000 }))),
      filename: shape.rendered(shape.text({ min: 1, max: 1000 }), shape.filledText({ max: 255 })),
      tags: shape.nullable(tags),
    },
  ),
} satisfies Record<KnowledgeOperation, Shape>;

const params = shape.variant('operation', operations);

/** A block that searches knowledge bases of the workspace, or adds a document to one. */
export interface KnowledgeBlock extends EffectBase {
  type: 'knowledge';
  params: shape.ValueOf<typeof params>;
}

const outputs: Record<KnowledgeOperation, Record<string, Shape>> = {
  search: { results: outputObjects, totalResults: outputCount },
  add: { document: outputObject, duplicate: shape.boolean },
};

function operationOf(block: RawBlock): KnowledgeOperation {
  const name = shape.isObject(block.params) ? block.params['operation'] : undefined;
  return knowledgeOperations.find((one) => one === name) ?? 'search';
}

export const knowledgeKind: EffectKind<KnowledgeBlock> = {
  members: { params },
  sample: {
    type: 'knowledge',
    params: { operation: 'search', knowledgeBases: ['manuals'], query: 'number {{ start.n }}' },
  },
  outputs: (block) => outputs[operationOf(block)],
  effect: { queue: 'io', timeoutMs: 60_000, keeps: true },
};
