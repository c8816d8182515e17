import { cutText } from '#libs/platform/text/whole-text';
import { isObject, type Shape } from '../shapes/shape.ts';

/**
 * A block that an import could not take over. It keeps its place in the graph, so that nothing is lost unseen, and no definition
 * that holds one is valid. Its params say `from` which product it came, its `type` there, and what is `todo`.
 */
export const placeholderType = 'placeholder';

/** Refuses placeholders with what they stand for; any other block is checked by `shape`. */
export function refusingPlaceholders(shape: Shape): Shape {
  return {
    schema: shape.schema,
    check(value, path, report) {
      if (!isObject(value) || value['type'] !== placeholderType) return shape.check(value, path, report);
      report(path, 'placeholder', sentenceOf(value));
    },
  };
}

function sentenceOf({ name, params }: Record<string, unknown>): string {
  const { from, type, todo } = isObject(params) ? params : {};
  const what = [textOf(name) && `"${textOf(name)}"`, textOf(type), textOf(from) && `of ${textOf(from)}`];
  return `It stands for ${what.filter(Boolean).join(', ') || 'a block'}, which was not imported. ${textOf(todo)}`.trim();
}

const textOf = (value: unknown): string => (typeof value === 'string' ? cutText(value, 600) : '');
