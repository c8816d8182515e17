import { isObject, type Json, type JsonObject, objectOf } from '#libs/platform/json/json';
import type { CelPlace } from '../cel-text.ts';
import type { N8nNode } from './graph.ts';
import { type ImportedTrigger, readSchedules } from '../triggers.ts';
import { clip, toList, toText } from '../values.ts';

const start: CelPlace = { root: 'start', steps: [] };
const unknown = ['params', 'webhookUrl', 'executionMode'];
/** A call whose body is the inputs, as callers of execute have them. */
const bodyAlone = { ...start, members: { body: start }, lacks: [...unknown, 'query', 'headers'] };
const parts = ['body', 'query', 'headers'];
/** A call of which each part is one input. */
const partByPart = {
  ...start,
  members: Object.fromEntries(parts.map((part) => [part, { ...start, steps: [part] }])),
  lacks: unknown,
};

/** What a start must know of its file. */
export interface N8nFileFacts {
  timezone: string;
  /** True when a call starts with its parts as inputs, because the file reads its query or its headers, or has several triggers. */
  byParts: boolean;
}

/** A trigger that is the start of the workflow: where its item lies, and what is different. */
export interface N8nStart {
  out: CelPlace;
  note: string;
  /** The inputs that it declares. */
  inputs?: JsonObject;
  /** What must start the workflow, in a sentence; absent when a caller does. */
  need?: string;
  /** The triggers that do, where they can be made. */
  triggers?: ImportedTrigger[];
}

/** A trigger that gives what the caller gives. */
export const startByHand = (): N8nStart => ({ out: start, note: '' });

export function startByCall({ name, parameters }: N8nNode, { byParts }: N8nFileFacts): N8nStart {
  const way = `${toText(parameters['httpMethod'])} ${toText(parameters['path'])}`;
  const isOpen = toText(parameters['authentication'], 'none') === 'none';
  const respond = toText(parameters['responseMode'], 'onReceived') === 'onReceived' ? 'accepted' : 'result';
  const proof = isOpen ? '' : ' The sender proves itself by "Authorization: Bearer" and the secret.';
  const trigger = {
    kind: 'webhook' as const,
    name,
    webhook: { scheme: isOpen ? 'none' : 'bearer', respond },
  };
  const need = `Who called the webhook ${way} calls the address of this trigger with POST.${proof}`;
  if (!byParts)
    return {
      out: bodyAlone,
      note: 'The body of the call is the inputs of the execution.',
      need,
      triggers: [trigger],
    };
  return {
    out: partByPart,
    note: 'The body, the query and the headers of the call are inputs of the execution.',
    inputs: Object.fromEntries(parts.map((part) => [part, { type: 'json', default: {} }])),
    need,
    triggers: [
      { ...trigger, inputs: Object.fromEntries(parts.map((part) => [part, `{{ event.${part} }}`])) },
    ],
  };
}

const partRead = /\.(?:query|headers)\b|\[["'](?:query|headers)["']\]/;

/** True when a text of these parameters reads the query or the headers of a call. */
export function readsParts(parameters: Json): boolean {
  if (typeof parameters === 'string') return partRead.test(parameters);
  return isObject(parameters) || Array.isArray(parameters)
    ? Object.values(parameters).some((value) => readsParts(value))
    : false;
}

export function startByForm(node: N8nNode): N8nStart {
  const inputs = toInputs(node);
  const started = { out: start, note: 'Its fields are the inputs of the execution.', inputs };
  if (!isForm(node))
    return {
      ...started,
      need: 'Who wrote in the chat calls execute, with the message as the input chatInput.',
    };
  return {
    ...started,
    need: 'Who filled in the form opens the address of this trigger. Its fields are the inputs; it takes no files.',
    triggers: [{ kind: 'form', name: node.name, form: toForm(node) }],
  };
}

const isForm = ({ type, parameters }: N8nNode): boolean =>
  parameters['formFields'] !== undefined || type.includes('form');

/** The texts of a form. What n8n limits to a signed-in user is for members. */
function toForm({ parameters }: N8nNode): JsonObject {
  const options = objectOf(parameters['options']);
  const [title, description, text] = [
    toText(parameters['formTitle']),
    toText(parameters['formDescription']),
    toText(options['formSubmittedText']),
  ].map((written) => (written.startsWith('=') ? '' : written));
  return {
    ...(title ? { title: clip(title) } : {}),
    ...(description ? { description } : {}),
    ...(text ? { ending: { text } } : {}),
    ...(toText(parameters['responseMode'], 'onReceived') === 'onReceived' ? {} : { respond: 'result' }),
    ...(toText(parameters['authentication'], 'none') === 'none' ? {} : { access: 'members' }),
  };
}

export function startByTime(
  { name, type, parameters }: N8nNode,
  { timezone }: Pick<N8nFileFacts, 'timezone'>,
): N8nStart {
  const schedules = readSchedules(type, parameters, timezone);
  const triggers = schedules.map((schedule, at): ImportedTrigger => ({
    kind: 'schedule',
    name: at === 0 ? name : `${name} ${at + 1}`,
    schedule,
    inputs: {},
  }));
  const rules = schedules.map(({ cron, everySeconds }) =>
    cron === undefined ? `each ${toText(everySeconds)} s` : toText(cron),
  );
  return {
    out: { ...start, members: { timestamp: { root: 'run', steps: ['startTime'] } } },
    note: 'A schedule starts the execution; its timestamp is the start of the run.',
    need: `It starts by time (${clip(rules.join('; '))}).`,
    triggers,
  };
}

/** A trigger of a service: what it gave is one input. */
export function startByEvent({ type }: N8nNode): N8nStart {
  return {
    out: { ...start, steps: ['event'] },
    note: 'Its event is the input event, in the form in which n8n gave it.',
    inputs: { event: { type: 'json', description: `What ${type} gave.` } },
    need: `A program that hears of it calls execute, with what ${type} gave as the input event.`,
  };
}

/** The fields of a form as inputs. A choice of several, a file and what is unknown take any value. */
function toInputs(node: N8nNode): JsonObject {
  const { parameters } = node;
  if (!isForm(node)) return { chatInput: { type: 'string' }, sessionId: { type: 'string' } };
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
