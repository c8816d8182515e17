import type { Schemas } from '../api/client.ts';
import { workflowNames } from '../api/workflow-names.svelte.ts';
import { textsOfEvents as t } from '../texts-of-events.ts';

/** Says what a hold holds: a host, a trigger of a workflow, a workflow, the whole workspace or installation. */
export function nameHeldThing({ host, workflowId, triggerId, byOperator }: Schemas['HoldView']): string {
  if (byOperator) return t.wholeInstallation;
  if (host !== null) return t.callsTo(host);
  if (workflowId === null) return t.wholeWorkspace;
  const workflow = workflowNames.of(workflowId);
  return triggerId === null ? workflow : t.triggerOf(workflow);
}

/** Says what becomes of what a hold meets. */
export const sayHowHeld = ({ host, mode, stops, waiting }: Schemas['HoldView']): string =>
  [
    mode === 'refuse' && host === null ? t.refusing : t.waiting(waiting),
    ...(stops === 'effects' && host === null ? [t.stopsRunning] : []),
  ].join(', ');
