import { sourceCharsMax } from '../expressions/cel.ts';
import * as shape from '../shapes/shape.ts';
import { isTemplate, ruled, type Shape } from '../shapes/shape.ts';

/**
 * The members that both containers have; `most` bounds the number of passes. The items are a number, or the members of a
 * list: a template must give one of them.
 */
export const passMembers = (most: number) => ({
  count: shape.templated(`a whole number up to ${most}`, shape.number({ min: 0, max: most })),
  forEach: shape.either(
    'a list or an expression that gives one',
    [isTemplate, shape.text({ max: sourceCharsMax + 4 })],
    [Array.isArray, shape.list(shape.json, { max: most })],
  ),
  /** Rendered at the end of each iteration or branch; the values make up `results`. */
  collect: shape.json,
});

/** The shape of a container's parameters, of which exactly one of `kinds` says how many passes there are. */
export function overOne<T extends object>(params: Shape<T>, kinds: (keyof T & string)[]): Shape<T> {
  return ruled(params, (value, path, report) => {
    const given = kinds.filter((kind) => value[kind] !== undefined);
    if (given.length !== 1)
      report(path, 'exactly_one', `It must have exactly one of ${kinds.join(', ')}, not ${given.length}.`);
  });
}
