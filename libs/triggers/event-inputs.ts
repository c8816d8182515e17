import {
  ExpressionError,
  evaluate,
  render,
  references,
} from '#libs/language/definition/expressions/expressions';
import { eachTemplate } from '#libs/language/definition/checks/named-things';
import { type Detail, Invalid } from '#libs/platform/errors/errors';
import { cutText } from '#libs/platform/text/whole-text';
import { isObject, type Json, type JsonObject } from '#libs/platform/json/json';

/** An event as templates read it: `{{ event.body.id }}`. */
export interface TriggerEvent extends JsonObject {
  id: string;
  body: Json;
  headers: JsonObject;
  query: JsonObject;
  receivedAt: string;
}

/** A moment of a schedule as templates read it: `{{ schedule.scheduledAt }}`. */
export interface ScheduleEvent extends JsonObject {
  scheduledAt: string;
}

/** What a trigger starts, and for which events. */
export interface EventTemplates {
  inputs?: JsonObject | null;
  filter?: string | null;
}

/** What templates can read, and its members. */
const readable = {
  event: ['id', 'body', 'headers', 'query', 'receivedAt'],
  schedule: ['scheduledAt', 'startedAt', 'timezone'],
};

/** Throws `Invalid` when a template or the filter cannot be understood, reads something else than the event, or fails on every event. */
export function requireEventTemplates({ inputs, filter }: EventTemplates, only: keyof typeof readable): void {
  const details: Detail[] = [];
  const check = (template: string, path: string, use: () => unknown) => {
    try {
      const read = references(template);
      for (const [root, member] of read) {
        if (root !== only)
          details.push({
            path,
            code: 'unknown_reference',
            message: `reads "${root}"; there is only ${only}`,
          });
        else if (member !== undefined && !readable[only].includes(member))
          details.push({
            path,
            code: 'unknown_reference',
            message: `reads "${only}.${member}"; ${only} has only ${readable[only].join(', ')}`,
          });
      }
      // What reads nothing gives the same for every event.
      if (read.length === 0) onEvent(path, use);
    } catch (error) {
      if (error instanceof Invalid) details.push(...(error.details ?? []));
      else if (error instanceof ExpressionError)
        details.push({ path, code: 'expression_syntax', message: error.message });
      else throw error;
    }
  };
  eachTemplate(inputs ?? {}, 'inputs', (template, path) => check(template, path, () => render(template, {})));
  if (filter) check(`{{ ${filter} }}`, 'when', () => holds(filter, {}));
  if (details.length > 0) throw new Invalid(details);
}

/** True when the event passes the filter. A plain path that leads to nothing is false. Throws `Invalid` for any other value. */
export const passesFilter = (filter: string | null, event: TriggerEvent): boolean =>
  filter === null || holds(filter, { event });

function holds(filter: string, scope: { event?: TriggerEvent }): boolean {
  const result = onEvent('when', () => evaluate(filter, scope));
  if (typeof result !== 'boolean' && result !== null)
    throw Invalid.field(
      'when',
      `gave ${cutText(JSON.stringify(result), 80, '…')} instead of true or false`,
      'type',
    );
  return result === true;
}

/** Returns the inputs for an event. Without a template they are the body; a body that is no object is the input `body`. */
export function buildEventInputs(inputs: JsonObject | null, event: TriggerEvent): JsonObject {
  if (inputs === null) return isObject(event.body) ? event.body : { body: event.body };
  const rendered = onEvent('inputs', () => render(inputs, { event }));
  return isObject(rendered) ? rendered : {};
}

/** Returns the inputs for a moment of a schedule. Without a template the only input is the moment. */
export function buildScheduleInputs(inputs: JsonObject | null, schedule: ScheduleEvent): JsonObject {
  if (inputs === null) return { scheduledAt: schedule.scheduledAt };
  const rendered = onEvent('inputs', () => render(inputs, { schedule }));
  return isObject(rendered) ? rendered : {};
}

/** Runs a template on an event. Its failure is a fault of this event, and the error says which expression failed. */
function onEvent<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ExpressionError) throw Invalid.field(path, error.message, 'expression');
    throw error;
  }
}
