import { isRef, type Json, type JsonObject } from '#libs/platform/json/json';
import { cutText, screenText } from '#libs/platform/text/whole-text';
import { ExpressionError, render } from './expressions/expressions.ts';
import type { Plan } from './plan.ts';

/** A longer title is cut. */
export const titleCharsMax = 200;
/** So many inputs are named in a title that is made of them. */
const inputsShown = 4;
const inputCharsMax = 60;

/**
 * Returns the title of an execution: the template of its workflow, filled with the inputs. Without a template, or when it cannot be filled,
 * it is a line of the inputs. Null when there is nothing to say.
 */
export function buildTitle({ title }: Pick<Plan, 'title'>, inputs: JsonObject): string | null {
  const written = title === undefined ? '' : fill(title, inputs).trim();
  const text = screenText(written || listInputs(inputs))
    .replaceAll(/\s+/g, ' ')
    .trim();
  return cutText(text, titleCharsMax, '…') || null;
}

function fill(template: string, inputs: JsonObject): string {
  try {
    const value = render(template, { start: inputs });
    return value === null || typeof value === 'object' ? '' : String(value);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return '';
  }
}

const listInputs = (inputs: JsonObject): string =>
  Object.entries(inputs)
    .filter(([, value]) => isShort(value))
    .slice(0, inputsShown)
    .map(([name, value]) => `${name}: ${cutText(String(value), inputCharsMax, '…')}`)
    .join(', ');

const isShort = (value: Json): boolean =>
  typeof value !== 'object' && String(value).trim() !== '' && !isRef(value);
