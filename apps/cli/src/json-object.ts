import { exactParse, unheldNumbers } from '#libs/platform/json/exact-json';
import { mayLoseDigits } from '#libs/platform/json/number-text';
import { UsageError } from './exit.ts';

/** The deepest JSON that an installation takes. */
const depthMax = 64;

export type PlainObject = Record<string, unknown>;

export const isObject = (value: unknown): value is PlainObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value where it is an object, else an empty one. */
export const toObject = (value: unknown): PlainObject => (isObject(value) ? value : {});

/** The object that a text holds as JSON. Throws UsageError with the name of the text where it holds none. */
export function parseObject(text: string, name: string): PlainObject {
  let value: unknown;
  try {
    value = parseHeld(text);
  } catch (error) {
    throw new UsageError(`${name} is no JSON: ${String(error)}`);
  }
  if (!isObject(value)) throw new UsageError(`${name} must hold a JSON object.`);
  if (isDeeperThan(depthMax, value))
    throw new UsageError(`${name} is nested too deeply: at most ${depthMax} levels are taken.`);
  return value;
}

/** Parses JSON. Throws where a number would lose digits, because the installation would get another number. */
export function parseHeld(text: string): unknown {
  const plain: unknown = JSON.parse(text);
  if (!mayLoseDigits(text) || isDeeperThan(depthMax, plain)) return plain;
  for (const [path, number] of unheldNumbers(exactParse(text)))
    throw new Error(
      `${path.join('.')} holds the number ${number}, which would lose digits. Write it as text.`,
    );
  return plain;
}

/** Level by level, because a function that calls itself for each level fails at the depth that it is to find. */
function isDeeperThan(levels: number, value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= levels; depth++) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
    if (level.length === 0) return false;
  }
  return true;
}
