import type { Detail } from '#libs/platform/errors/errors';
import { holdsRef, type Json } from '#libs/platform/json/json';
import { kindOf } from './blocks/registry.ts';
import { screen } from './checks/screen.ts';
import type { PlanBlock } from './plan.ts';
import { at, checkRendered, isObject } from './shapes/shape.ts';

/**
 * Checks an output that a person gives a block, by the block's own schema. A member that is left out is not there, but for the port that a
 * block chooses. Every fault is reported, with its path below `path`.
 */
export function checkOutput(block: PlanBlock, output: Json, path: string): Detail[] {
  const { details, sound } = screen(output, path);
  if (!sound) return details;
  const report = (place: string, code: string, message: string) =>
    void details.push({ path: place, code, message });
  // The run would take such an output for a stored value, and read a payload of the person's choice.
  if (holdsRef(output)) report(path, 'forbidden_key', 'It cannot hold an object with the member $payload.');
  const kind = kindOf(block.type);
  const members = kind?.outputs?.({ ...block });
  if (!members) return details;
  const known = Object.keys(members).join(', ');
  if (!isObject(output)) {
    report(path, 'type', `The output of ${block.type} must be an object. Its members: ${known}.`);
    return details;
  }
  if (kind?.hasChoice && members['port'] && output['port'] === undefined)
    report(at(path, 'port'), 'required', 'It is required: the run goes on by it.');
  for (const [name, value] of Object.entries(output)) {
    const shape = Object.hasOwn(members, name) ? members[name] : undefined;
    // A member that has come to nothing is null in the outputs of some blocks.
    if (shape && (value !== null || name === 'port' || name === 'data'))
      checkRendered(shape, value, at(path, name), report);
    else if (!shape)
      report(
        at(path, name),
        'unknown_key',
        `The output of ${block.type} has no such member. Known: ${known}.`,
      );
  }
  return details;
}
