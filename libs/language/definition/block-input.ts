import type { Detail } from '#libs/platform/errors/errors';
import { holdsRef, type Json, type JsonObject } from '#libs/platform/json/json';
import { kindOf } from './blocks/registry.ts';
import { screen } from './checks/screen.ts';
import type { PlanBlock } from './plan.ts';
import { at, isTemplate, type Shape } from './shapes/shape.ts';

/** The most that a person gives a block in place of its parameters, in characters of JSON. */
const charsMax = 65_536;

/** Returns true for a block whose parameters a person can replace: those of the others are expressions that decide. */
export const takesInput = ({ type }: PlanBlock): boolean => {
  const kind = kindOf(type);
  return kind !== undefined && 'params' in kind.members && kind.planParams === undefined;
};

/** Returns the parameters of a block with those of the input in their place; null takes one away. */
export function replaceParams({ params }: Pick<PlanBlock, 'params'>, input: JsonObject): JsonObject {
  const given = Object.entries({ ...params, ...input });
  return Object.fromEntries(given.filter(([name, value]) => value !== null || params[name] === null));
}

/**
 * Checks values that a person gives in place of parameters, as a definition with them is checked. Every fault is reported, with its path
 * below `path`.
 */
export function checkInput(block: PlanBlock, input: JsonObject, path: string): Detail[] {
  const { details, sound } = screen(input, path, charsMax);
  if (!sound) return details;
  const report = (place: string, code: string, message: string) =>
    void details.push({ path: place, code, message });
  if (holdsRef(input)) report(path, 'forbidden_key', 'It cannot hold an object with the member $payload.');
  for (const [name, value] of Object.entries(input)) reportTemplates(value, at(path, name), report);
  const members: Record<string, Shape> = { ...kindOf(block.type)?.members };
  members['params']?.check(replaceParams(block, input), path, report);
  return details;
}

/** Reports templates: what stands in an input is sent as it is. */
function reportTemplates(
  value: Json,
  path: string,
  report: (...fault: [string, string, string]) => void,
): void {
  if (isTemplate(value)) report(path, 'no_template', 'It takes values, and no template: it cannot hold {{.');
  else if (typeof value === 'object' && value !== null)
    for (const [step, member] of Object.entries(value))
      reportTemplates(member, at(path, Array.isArray(value) ? Number(step) : step), report);
}
