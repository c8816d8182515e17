import { isObject, type JsonObject, objectOf } from '#libs/platform/json/json';
import type { CelPlace } from './cel-text.ts';
import type { N8nNode } from './n8n-graph.ts';
import type { Needs } from './report.ts';
import { listOf, textOf } from './values.ts';

const start: CelPlace = { root: 'start', steps: [] };
const called = { ...start, members: { body: start, query: start } };

/** A trigger that is the start of the workflow: where its item lies, and what is different. */
export interface Trigger {
  out: CelPlace;
  note: string;
  /** The inputs that it declares. */
  inputs?: JsonObject;
}

/** The trigger that a node is; undefined for a node that is none, or one that has no counterpart. */
export function triggerOf(node: N8nNode, needs: Needs): Trigger | undefined {
  const { type, name, parameters } = node;
  switch (type) {
    case 'manualTrigger':
    case 'start':
    case 'executeWorkflowTrigger':
      return { out: start, note: '' };
    case 'webhook': {
      const way = `${textOf(parameters['httpMethod'], 'GET')} ${textOf(parameters['path'])}`;
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
    case 'formTrigger':
    case '@n8n/n8n-nodes-langchain.chatTrigger':
      needs.addNeed(
        'trigger',
        name,
        'Who filled in the form or wrote in the chat calls execute, with the fields as inputs.',
      );
      return { out: start, note: 'Its fields are the inputs of the execution.', inputs: inputsOf(node) };
    case 'scheduleTrigger':
    case 'cron':
    case 'interval':
      needs.addNeed('trigger', name, `It started by time (${ruleOf(node)}); a scheduler calls execute then.`);
      return {
        out: { ...start, members: { timestamp: { root: 'run', steps: ['startTime'] } } },
        note: 'A scheduler of yours calls execute; its timestamp is the start of the run.',
      };
    default:
      return undefined;
  }
}

export const isUnknownTrigger = ({ type }: N8nNode) => /trigger$/i.test(type);

function ruleOf({ parameters }: N8nNode): string {
  const text = JSON.stringify(objectOf(parameters['rule'] ?? parameters['triggerTimes']));
  return text.length > 300 ? 'see the file' : text;
}

/** The fields of a form as inputs. A choice of several, a file and what is unknown take any value. */
function inputsOf({ type, parameters }: N8nNode): JsonObject {
  if (type !== 'formTrigger') return { chatInput: { type: 'string' }, sessionId: { type: 'string' } };
  const inputs: JsonObject = {};
  for (const field of listOf(objectOf(parameters['formFields'])['values']).filter(isObject)) {
    const kind = textOf(field['fieldType'], 'text');
    const name = textOf(field['fieldName'] ?? field['fieldLabel'] ?? field['elementName']);
    if (name === '' || kind === 'html') continue;
    const options = listOf(objectOf(field['fieldOptions'])['values'])
      .map((one) => textOf(objectOf(one)['option']))
      .filter((one) => one !== '');
    const isOne = (kind === 'dropdown' || kind === 'radio') && field['multiselect'] !== true;
    const label = textOf(field['fieldLabel']);
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
