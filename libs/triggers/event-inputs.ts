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

/** Throws `Invalid` when a template or the filter cannot be understood, or reads something else than the event. */
export function requireEventTemplates({ inputs, filter }: EventTemplates, only: 'event' | 'schedule'): void {
  const details: Detail[] = [];
  const check = (template: string, path: string) => {
    try {
      for (const [root] of references(template))
        if (root !== only)
          details.push({
            path,
            code: 'unknown_reference',
            message: `reads "${root}"; there is only ${only}`,
          });
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      details.push({ path, code: 'expression_syntax', message: error.message });
    }
  };
  eachTemplate(inputs ?? {}, 'inputs', check);
  if (filter) check(`{{ ${filter} }}`, 'when');
  if (details.length > 0) throw new Invalid(details);
}

/** True when the event passes the filter. A plain path that leads to nothing is false. Throws `Invalid` for any other value. */
export function passesFilter(filter: string | null, event: TriggerEvent): boolean {
  if (filter === null) return true;
  const holds = onEvent('when', () => evaluate(filter, { event }));
  if (typeof holds !== 'boolean' && holds !== null)
    throw Invalid.field(
      'when',
      `gave ${cutText(JSON.stringify(holds), 80, '…')} instead of true or false`,
      'type',
    );
  return holds === true;
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
