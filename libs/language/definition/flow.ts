import type { Detail } from '#libs/platform/errors/errors';
import type { Json, JsonObject } from '#libs/platform/json/json';
import { countCharacters } from '#libs/platform/text/characters';
import { durationMs } from './durations.ts';
import { evaluate, ExpressionError } from './expressions/expressions.ts';
import type { PlanFlow } from './plan.ts';
import type { Flow } from './shapes/flow-shapes.ts';

/** The line of an execution, and its place among those that wait there. */
export interface FlowEntry {
  /** Empty when all executions of the workflow are in one line. */
  key: string;
  /** From 1, which is first, to 5. */
  priority: number;
  fairKey: string;
}

/** A key has this many characters at most. */
const keyCharsMax = 200;
const usualPriority = 3;

/** Compiles a checked flow. */
export function planFlow({
  concurrency,
  throttle,
  debounce,
  singleton,
  batch,
  priority,
  fairBy,
}: Flow): PlanFlow {
  const key = (concurrency ?? throttle ?? debounce ?? singleton ?? batch)?.key;
  const limited = singleton
    ? { limit: 1, onLimit: singleton.onRunning ?? ('reject' as const) }
    : concurrency && { limit: concurrency.limit, onLimit: concurrency.onLimit ?? ('queue' as const) };
  return {
    ...(key === undefined ? {} : { key }),
    ...(limited ? { concurrency: limited } : {}),
    ...(throttle ? { throttle: { limit: throttle.limit, periodMs: durationMs(throttle.period) ?? 0 } } : {}),
    ...(debounce
      ? {
          debounce: {
            delayMs: durationMs(debounce.delay) ?? 0,
            longestMs: durationMs(debounce.longest) ?? 0,
          },
        }
      : {}),
    ...(batch ? { batch: { size: batch.size, longestMs: durationMs(batch.longest) ?? 0 } } : {}),
    ...(priority === undefined ? {} : { priority }),
    ...(fairBy === undefined ? {} : { fairBy }),
  };
}

/** Finds the line of an execution by its inputs. Reports an expression that fails on them. */
export function enterFlow(flow: PlanFlow, inputs: JsonObject): { entry: FlowEntry; details: Detail[] } {
  const details: Detail[] = [];
  const read = (member: string, source: string): Json => {
    try {
      return evaluate(source, { start: inputs });
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      details.push({
        path: 'inputs',
        code: 'flow_failed',
        message: `The ${member} of the flow: ${error.message}`,
      });
      return null;
    }
  };
  const readKey = (member: string, source: string | undefined): string => {
    if (source === undefined) return '';
    const known = details.length;
    const value = read(member, source);
    const key = typeof value === 'object' ? null : String(value);
    if (details.length > known || (key !== null && key !== '' && countCharacters(key) <= keyCharsMax))
      return key ?? '';
    const message = `The ${member} of the flow "${source}" must give a text of 1 to ${keyCharsMax} characters, a number or a boolean.`;
    details.push({ path: 'inputs', code: 'flow_failed', message });
    return '';
  };
  const readPriority = (): number => {
    if (typeof flow.priority !== 'string') return flow.priority ?? usualPriority;
    const known = details.length;
    const value = read('priority', flow.priority);
    if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 5) return value;
    const message = `The priority of the flow "${flow.priority}" must give a whole number from 1 to 5.`;
    if (details.length === known) details.push({ path: 'inputs', code: 'flow_failed', message });
    return usualPriority;
  };
  const entry = {
    key: readKey('key', flow.key),
    priority: readPriority(),
    fairKey: readKey('fairBy', flow.fairBy),
  };
  return { entry, details };
}
