import type { Environment } from '@marcbachmann/cel-js';

import type { Path } from './ast.ts';
import { cel, withNearest } from './cel.ts';
import { withoutReserved } from './loop-name.ts';
import { isObject } from '../shapes/shape.ts';

const typeNames = new Map(
  Object.entries({ string: 'string', date: 'string', boolean: 'bool', object: 'map', array: 'list' }),
);

/**
 * Type errors about these operators prove nothing: their operands may differ in type, since the comparison is then
 * answered and not refused. The same holds for a conditional with values of two types.
 */
const harmless = / (==|!=|in) |Ternary branches/;

/**
 * Finds the types in an expression that the declared inputs prove. A number may be used where CEL wants an integer
 * or a double, so a fault counts only when it appears with both types; an input that may be missing proves nothing.
 */
export class InputTypes {
  private readonly environments: Environment[];

  constructor(inputs: unknown, paths: Path[]) {
    const members = new Set(
      paths.flatMap(([root, member]) => (root === 'start' && member ? [`${member}`] : [])),
    );
    const declared = isObject(inputs) ? inputs : {};
    this.environments = ['double', 'int'].map((numbers) => {
      const types = [...members].map((name) => [name, typeOf(declared[name], numbers)]);
      const schema: Record<string, string> = Object.fromEntries(types);
      return cel().clone().registerVariable('start', { schema });
    });
  }

  /** Why the expression can never work, or undefined. */
  findFault(source: string): string | undefined {
    const reasons = this.environments.map((environment) => {
      const { valid, error } = environment.check(withoutReserved(source));
      return valid || !error || harmless.test(error.summary) ? undefined : withNearest(error.summary);
    });
    return reasons.every((reason) => reason !== undefined) ? reasons[0] : undefined;
  }

  /** The type that the expression has in every run, or undefined. */
  typeOf(source: string): string | undefined {
    const [first, second] = this.environments.map(
      (environment) => environment.check(withoutReserved(source)).type,
    );
    return first !== undefined && second !== undefined && !/dyn|optional/.test(first + second)
      ? first
      : undefined;
  }
}

function typeOf(input: unknown, numbers: string): string {
  if (!isObject(input) || typeof input.type !== 'string') return 'dyn';
  if (input.required !== true && (input.default === undefined || input.default === null)) return 'dyn';
  return input.type === 'number' ? numbers : (typeNames.get(input.type) ?? 'dyn');
}
