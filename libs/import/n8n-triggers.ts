import { objectOf } from '#libs/platform/json/json';
import type { CelPlace } from './cel-text.ts';
import type { N8nNode } from './n8n-graph.ts';
import type { Needs } from './report.ts';
import { textOf } from './values.ts';

const start: CelPlace = { root: 'start', steps: [] };
const called = { ...start, members: { body: start, query: start } };

/** A trigger that is the start of the workflow: where its item lies, and what is different. */
export interface Trigger {
  out: CelPlace;
  note: string;
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
      return { out: start, note: 'Its fields are the inputs of the execution.' };
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
