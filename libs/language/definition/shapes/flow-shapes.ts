import { duration } from '../expressions/atoms.ts';
import { sourceCharsMax } from '../expressions/cel.ts';
import { durationMs, yearMs } from '../durations.ts';
import * as shape from './shape.ts';
import { at, isObject, ruled } from './shape.ts';

const limit = shape.number({ min: 1, max: 10_000 });
/** An expression over the inputs. Executions for which it gives different values do not wait for each other. */
const source = shape.text({ min: 1, max: sourceCharsMax });
const dayMs = 86_400_000;

/** The parts of a flow that choose a line by a key. */
export const keyedParts = ['concurrency', 'throttle', 'debounce', 'singleton', 'batch'] as const;

/** When executions of a workflow start, and which wait. */
export const flow = ruled(
  shape.object(
    {},
    {
      concurrency: shape.object(
        { limit },
        { key: source, onLimit: shape.choice(['queue', 'cancelOldest', 'reject']) },
      ),
      throttle: shape.object(
        { limit: shape.number({ min: 1, max: 1000 }), period: duration({ minMs: 1000, maxMs: 31 * dayMs }) },
        { key: source },
      ),
      debounce: shape.object(
        {
          delay: duration({ minMs: 100, maxMs: yearMs }),
          longest: duration({ minMs: 100, maxMs: yearMs }),
        },
        { key: source },
      ),
      batch: shape.object(
        { size: shape.number({ min: 2, max: 100 }), longest: duration({ minMs: 100, maxMs: dayMs }) },
        { key: source },
      ),
      singleton: shape.object({}, { key: source, onRunning: shape.choice(['reject', 'join']) }),
      priority: shape.either(
        'a number from 1 to 5, or an expression',
        [(value) => typeof value === 'number', shape.number({ min: 1, max: 5 })],
        [(value) => typeof value === 'string', source],
      ),
      fairBy: source,
    },
  ),
  (value, path, report) => {
    const parts = keyedParts.filter((name) => value[name] !== undefined);
    if (parts.length === 0) report(path, 'required', `It needs one of ${keyedParts.join(', ')}.`);
    if (value.concurrency && value.singleton)
      report(
        at(path, 'singleton'),
        'not_applicable',
        'A singleton is a concurrency with the limit 1: keep one of both.',
      );
    if (value.debounce && value.singleton)
      report(
        at(path, 'singleton'),
        'not_applicable',
        'A debounced execution starts later, so it has no other to join or to reject: use concurrency.',
      );
    const { batch, concurrency } = value;
    for (const name of ['singleton', 'debounce', 'priority', 'fairBy'] as const)
      if (batch && value[name] !== undefined)
        report(
          at(path, name),
          'not_applicable',
          'A batch goes by the order of arrival: use concurrency or throttle.',
        );
    if (batch && (concurrency?.onLimit ?? 'queue') !== 'queue')
      report(at(at(path, 'concurrency'), 'onLimit'), 'not_applicable', 'A batch waits for its place.');
    const [first] = parts;
    const keyIn = (name: (typeof keyedParts)[number]) => {
      const part: unknown = value[name];
      return isObject(part) ? part.key : undefined;
    };
    for (const name of parts)
      if (first && keyIn(name) !== keyIn(first))
        report(
          at(at(path, name), 'key'),
          'key_differs',
          `It must be the key of ${first}: an execution waits in one line.`,
        );
    const { delay, longest } = value.debounce ?? {};
    if ((durationMs(delay) ?? 0) > (durationMs(longest) ?? Infinity))
      report(at(at(path, 'debounce'), 'delay'), 'range', 'It must not be larger than longest.');
  },
);

/** The flow of a definition as its author writes it. */
export type Flow = shape.ValueOf<typeof flow>;
