import { isObject, type JsonObject, objectOf } from '#libs/platform/json/json';
import type { CelPlace } from '../cel-text.ts';
import type { N8nNode } from './graph.ts';
import type { Needs } from '../report.ts';
import { toList, toText } from '../values.ts';

const start: CelPlace = { root: 'start', steps: [] };
const called = {
  ...start,
  members: { body: start, query: start },
  lacks: ['headers', 'params', 'webhookUrl', 'executionMode'],
};

/** A trigger that is the start of the workflow: where its item lies, and what is different. */
export interface Trigger {
  out: CelPlace;
  note: string;
  /** The inputs that it declares. */
  inputs?: JsonObject;
}

/** A trigger that gives what the caller gives. */
export const startByHand = (): Trigger => ({ out: start, note: '' });

export function startByCall({ name, parameters }: N8nNode, needs: Needs): Trigger {
  const way = `${toText(parameters['httpMethod'])} ${toText(parameters['path'])}`;
  needs.addNeed(
    'trigger',
    name,
    `Who called the webhook ${way} calls execute, with the body of the call as inputs.`,
  );
  return {
    out: called,
    note: 'The body and the query of the call are the inputs of the execution; its headers are not there.',
  };
}

export function startByForm(node: N8nNode, needs: Needs): Trigger {
  needs.addNeed(
    'trigger',
    node.name,
    'Who filled in the form or wrote in the chat calls execute, with the fields as inputs.',
  );
  return { out: start, note: 'Its fields are the inputs of the execution.', inputs: toInputs(node) };
}

export function startByTime(node: N8nNode, needs: Needs): Trigger {
  needs.addNeed(
    'trigger',
    node.name,
    `It started by time (${toRule(node)}); a scheduler calls execute then.`,
  );
  return {
    out: { ...start, members: { timestamp: { root: 'run', steps: ['startTime'] } } },
    note: 'A scheduler of yours calls execute; its timestamp is the start of the run.',
  };
}

/** A trigger of a service: what it gave is one input. */
export function startByEvent({ name, type }: N8nNode, needs: Needs): Trigger {
  needs.addNeed(
    'trigger',
    name,
    `A program that hears of it calls execute, with what ${type} gave as the input event.`,
  );
  return {
    out: { ...start, steps: ['event'] },
    note: 'Its event is the input event, in the form in which n8n gave it.',
    inputs: { event: { type: 'json', description: `What ${type} gave.` } },
  };
}

function toRule({ parameters }: N8nNode): string {
  const text = JSON.stringify(objectOf(parameters['rule'] ?? parameters['triggerTimes']));
  return text.length > 300 ? 'see the file' : text;
}

/** The fields of a form as inputs. A choice of several, a file and what is unknown take any value. */
function toInputs({ type, parameters }: N8nNode): JsonObject {
  if (parameters['formFields'] === undefined && !type.includes('form'))
    return { chatInput: { type: 'string' }, sessionId: { type: 'string' } };
  const inputs: JsonObject = {};
  for (const field of toList(objectOf(parameters['formFields'])['values']).filter(isObject)) {
    const kind = toText(field['fieldType'], 'text');
    const name = toText(field['fieldName'] ?? field['fieldLabel'] ?? field['elementName']);
    if (name === '' || kind === 'html') continue;
    const options = toList(objectOf(field['fieldOptions'])['values'])
      .map((one) => toText(objectOf(one)['option']))
      .filter((one) => one !== '');
    const isOne = (kind === 'dropdown' || kind === 'radio') && field['multiselect'] !== true;
    const label = toText(field['fieldLabel']);
    inputs[name] = {
      type: kind === 'number' ? 'number' : isOne || isText.test(kind) ? 'string' : 'json',
      ...(field['requiredField'] === true ? { required: true } : {}),
      ...(isOne && options.length > 0 ? { enum: options } : {}),
      ...(label !== '' && label !== name ? { description: label } : {}),
    };
  }
  return inputs;
}

const isText = /^(text|textarea|email|password|date|hiddenField)$/;
