import type { Environment } from '@marcbachmann/cel-js';

import type { Path } from './ast.ts';
import { cel } from './cel.ts';
import { withoutReserved } from './loop-name.ts';
import { isObject } from './shape.ts';

const typeNames = new Map(
  Object.entries({ string: 'string', date: 'string', boolean: 'bool', object: 'map', array: 'list' }),
);

/**
 * Operators whose operands may differ in type when the values are met: they are answered then, not refused, so the
 * library's objection to the types proves nothing. A choice of two types is as harmless.
 */
const harmless = / (==|!=|in) |Ternary branches/;

/**
 * What the declared inputs prove about the types in an expression. A number may stand where CEL wants an integer or a
 * double, so a fault counts only when it stands under both readings; an input that may be missing proves nothing.
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

  /** Why the expression cannot work, or undefined. */
  faultOf(source: string): string | undefined {
    const reasons = this.environments.map((environment) => {
      const { valid, error } = environment.check(withoutReserved(source));
      return valid || !error || harmless.test(error.summary) ? undefined : error.summary;
    });
    return reasons.every((reason) => reason !== undefined) ? reasons[0] : undefined;
  }

  /** The type that the expression surely has, or undefined. */
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
