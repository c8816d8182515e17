import { iterationsMax } from '#libs/language/definition/blocks/loop';
import { branchesMax } from '#libs/language/definition/blocks/parallel';
import type { Meter } from '#libs/language/definition/expressions/cost';
import { evaluate, render } from '#libs/language/definition/expressions/expressions';
import type { Json, JsonObject } from '#libs/platform/json/json';

import { cutText } from '#libs/platform/text/whole-text';
import { BadValue } from './asking.ts';
import type { Scope } from './effects.ts';
import { isLargerThan } from './scope.ts';

/** The size of a batch, the part of a stored list that is fetched at once: items, and characters of their JSON. */
const batchMax = 100;
const batchCharsMax = 65_536;

/**
 * Evaluates a container's query. `loop` and `parallel` ask what to run over and get `{ total, items }`; `while` and
 * `until` whether the test holds, `{ holds }`; `batch` the next items of a stored list, `{ items }`; `collect` the
 * value of a pass, `{ value }`; `results` the members of the output, to be packed.
 */
export function evaluateForContainer(
  type: string,
  params: JsonObject,
  scope: Scope,
  meter: Meter,
): JsonObject {
  switch (type) {
    case 'while':
    case 'until':
      return { holds: holds(String(params.test), scope, meter) };
    case 'collect':
      return { value: render(params.collect ?? null, scope, meter) };
    case 'batch':
      return { items: batchOf(scope.items ?? [], Number(params.from)) };
    case 'results':
      return scope;
    default:
      return overOf(params, scope, { meter, most: type === 'loop' ? iterationsMax : branchesMax });
  }
}

function holds(test: string, scope: Scope, meter: Meter): boolean {
  const value = evaluate(test, scope, meter);
  if (typeof value === 'boolean') return value;
  throw new BadValue(
    `The test "${test}" gave ${cutText(JSON.stringify(value) ?? '', 60)} instead of true or false.`,
  );
}

function overOf(
  { count, forEach }: JsonObject,
  scope: Scope,
  { meter, most }: { meter: Meter; most: number },
): JsonObject {
  if (forEach === undefined) {
    const total = render(count ?? null, scope, meter);
    if (typeof total !== 'number' || !Number.isInteger(total) || total < 0 || total > most)
      throw new BadValue(`The count is ${excerpt(total)} instead of a whole number from 0 to ${most}.`);
    return { total, items: null };
  }
  const items = render(forEach, scope, meter);
  if (!Array.isArray(items)) throw new BadValue(`It runs over ${excerpt(items)} instead of a list.`);
  if (items.length > most)
    throw new BadValue(`The list has ${items.length} items; at most ${most} are allowed.`);
  return { total: items.length, items };
}

/** At least one item, and more as long as they stay under the bounds of a batch. */
function batchOf(items: Json, from: number): Json[] {
  if (!Array.isArray(items)) throw new Error('a container runs over a list');
  let most = batchMax;
  while (most > 1 && isLargerThan(items.slice(from, from + most), batchCharsMax)) most = most >> 1;
  return items.slice(from, from + most);
}

function excerpt(value: Json): string {
  return cutText(JSON.stringify(value), 60);
}
