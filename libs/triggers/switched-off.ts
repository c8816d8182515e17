import { Injectable } from '@nestjs/common';
import { Database } from '#libs/platform/database/database';
import { Settings } from '#libs/platform/settings/settings';
import type { TriggerNotification } from '#libs/runs/pauses/notifications';

/** A trigger that was switched off, as people are told of it. */
export interface SwitchedOffTrigger {
  name: string;
  workflowName: string;
  reason: string;
  /** Where the console lists the triggers of the workflow. */
  consoleUrl: string;
}

/** What people are told of triggers that were switched off. The switch-off writes the notices, in its own transaction. */
@Injectable()
export class SwitchedOffTriggers {
  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /** Null when somebody has resumed, paused or removed the trigger meanwhile, or the receiver is no member any more. */
  async find({ workspaceId, triggerId, target }: TriggerNotification): Promise<SwitchedOffTrigger | null> {
    const [row] = await this.database.statement<
      Omit<SwitchedOffTrigger, 'consoleUrl'> & { workflowId: string }
    >(workspaceId, findSwitchedOff, [triggerId, target]);
    if (!row) return null;
    const { workflowId, ...trigger } = row;
    const path = `/console/w/${workspaceId}/workflows/${workflowId}?tab=triggers`;
    return { ...trigger, consoleUrl: this.settings.publicUrl + path };
  }
}

/** $1 trigger, $2 address in lower case */
const findSwitchedOff = /* sql */ `
select t.name, t.workflow_id as "workflowId", w.name as "workflowName", coalesce(t.note, '') as reason
from triggers t join workflows w on w.id = t.workflow_id
where t.id = $1 and t.status = 'disabled' and t.left_out_at is null and exists (
  select from memberships m join users u on u.id = m.user_id where m.workspace_id = t.workspace_id and lower(u.email) = $2)`;
