import { Environment } from '@marcbachmann/cel-js';

import { running } from './cost.ts';
import { toJson } from './results.ts';

/** The longest source of one expression, in characters. */
export const sourceCharsMax = 4096;

let environment: Environment | undefined;

/**
 * The one CEL environment. It is made at its first use, so that a run without expressions does not pay for it.
 * `references` checks names that are in no scope; the environment does not, so all names are dynamic.
 */
export function cel(): Environment {
  return (environment ??= extend(
    new Environment({
      unlistedVariablesAreDyn: true,
      homogeneousAggregateLiterals: false,
      enableOptionalTypes: true,
      limits: {
        maxAstNodes: 600,
        maxDepth: 40,
        maxListElements: 500,
        maxMapEntries: 500,
        maxCallArguments: 8,
      },
    }),
  ));
}

/** Lets integer literals mix with doubles: JSON has one kind of number, so values are doubles. */
function extend(env: Environment): Environment {
  for (const [left, right] of [
    ['int', 'double'],
    ['double', 'int'],
  ]) {
    env.registerOperator(`${left} + ${right}: double`, (a, b) => Number(a) + Number(b));
    env.registerOperator(`${left} - ${right}: double`, (a, b) => Number(a) - Number(b));
    env.registerOperator(`${left} * ${right}: double`, (a, b) => Number(a) * Number(b));
    env.registerOperator(`${left} / ${right}: double`, (a, b) => Number(a) / Number(b));
    env.registerOperator(`${left} % ${right}: double`, (a, b) => Number(a) % Number(b));
  }
  env.registerOperator('double % double: double', (a: number, b: number) => a % b);
  // The library has this pair for dynamic operands only; without it typed inputs would be refused.
  env.registerOperator('int == double: bool', (a, b) => Number(a) === Number(b));
  registerHelpers(env);
  return env;
}

function registerHelpers(env: Environment): void {
  const pure = { async: false };
  env.registerFunction('string.substring(double): string', (s: string, from: number) => slice(s, from), pure);
  for (const [from, to] of [
    ['double', 'double'],
    ['int', 'double'],
    ['double', 'int'],
  ]) {
    env.registerFunction(
      `string.substring(${from}, ${to}): string`,
      (s: string, a: number | bigint, b: number | bigint) => slice(s, Number(a), Number(b)),
      pure,
    );
  }
  env.registerFunction('string(null): string', () => '', pure);
  env.registerFunction(
    'json(dyn): string',
    (value: unknown) => JSON.stringify(toJson(value, running())),
    pure,
  );
}

function slice(text: string, from: number, to = text.length): string {
  if (!Number.isInteger(from) || !Number.isInteger(to) || from < 0 || to < from || to > text.length)
    throw new RangeError(`substring(${from}, ${to}) is outside of a text of ${text.length} characters`);
  return text.substring(from, to);
}
