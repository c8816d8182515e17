import type { Schemas } from '../api/client.ts';
import { workflowNames } from '../api/workflow-names.svelte.ts';
import { textsOfEvents as t } from '../texts-of-events.ts';
import type { NamedHold } from './holds.svelte.ts';

/** Says what a hold holds: a host, a trigger of a workflow, a workflow, the whole workspace or installation. */
export function nameHeldThing({ host, workflowId, triggerId, triggerName, byOperator }: NamedHold): string {
  if (byOperator) return t.wholeInstallation;
  if (host !== null) return t.callsTo(host);
  if (workflowId === null) return t.wholeWorkspace;
  const workflow = workflowNames.of(workflowId);
  return triggerId === null ? workflow : t.triggerOf(triggerName, workflow);
}

/** Says what becomes of what a hold meets, and whether it is being released. */
export const sayHowHeld = ({ host, mode, stops, waiting, releasedAt }: Schemas['HoldView']): string =>
  [
    mode === 'refuse' && host === null ? t.refusing : t.waiting(waiting),
    ...(stops === 'effects' && host === null ? [t.stopsRunning] : []),
    ...(releasedAt === null ? [] : [t.releasing]),
  ].join(', ');
