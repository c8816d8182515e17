import { portName, repeated, reservedPorts } from '../expressions/atoms.ts';
import * as shape from '../shapes/shape.ts';
import { at, isObject, ruled, type Shape } from '../shapes/shape.ts';

/** A list of choices, each with a port of its own: `members` are the members of a choice beside its port. */
export function choices<M extends Record<string, Shape>>(noun: string, members: M) {
  const choice = ruled(shape.object({ port: portName, ...members }), ({ port }, path, report) => {
    if (reservedPorts.includes(port))
      report(at(path, 'port'), 'reserved_name', `"${port}" has a meaning of its own.`);
  });
  return ruled(shape.list(choice, { min: 1, max: 50 }), (all, path, report) => {
    for (const i of repeated(all.map(({ port }) => port)))
      report(at(at(path, i), 'port'), 'duplicate_port', `Another ${noun} has this port already.`);
  });
}

/** The ports that a list of choices names; anything else in the list is ignored. */
export function portsIn(list: unknown): string[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown) =>
    isObject(item) && typeof item.port === 'string' ? [item.port] : [],
  );
}
