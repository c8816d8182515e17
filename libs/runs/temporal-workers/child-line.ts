import { Injectable } from '@nestjs/common';
import { WorkflowNotFoundError } from '@temporalio/client';
import { Database } from '#libs/platform/database/database';
import { lagOver, Outbox } from '#libs/platform/database/outbox';
import { TemporalClient } from '#libs/platform/temporal-client/temporal-client';
import { ChildMustWait, Descendants } from '#libs/runs/executions/accept/descendants';
import type { Execution } from '#libs/runs/executions/execution.entity';
import { Executions } from '#libs/runs/executions/executions';
import { Limits } from '#libs/workspace/limits/limits';
import { roomSignal } from '#temporal/messages';

interface Row {
  id: string;
  workspace_id: string;
  next_delivery_at: Date;
}

/** The longest time between two signals to a run that has found no room, in seconds. */
const delaySMax = 900;

/**
 * The runs that wait until another child of theirs may begin. A worker asks for them and signals a run once there is
 * room, so that the wait of a run costs it no events.
 */
@Injectable()
export class ChildLine extends Outbox<Row> {
  readonly due = 'exists (select from child_line where next_delivery_at <= now())';
  protected readonly claim = claimRuns;
  protected readonly lagOf = lineLag;

  constructor(
    database: Database,
    private readonly executions: Executions,
    private readonly descendants: Descendants,
    private readonly limits: Limits,
    private readonly temporal: TemporalClient,
  ) {
    super(database);
  }

  /** Throws `ChildMustWait` when the parent may start no further child now, and other errors when it never may. */
  requireRoom(parent: Execution): Promise<void> {
    const { workspaceId, actor } = parent;
    const owner = actor.kind === 'user' ? String(actor.id) : workspaceId;
    return this.descendants.requireRoom(parent, () => this.limits.admitChild(workspaceId, owner));
  }

  /** Puts a run into the line. After `tries` signals in vain it gets the next one later. */
  async enter({ id, workspaceId, rootId }: Execution, tries: number): Promise<void> {
    const delayS = tries === 0 ? 0 : Math.min(delaySMax, 2 ** Math.min(tries, 20));
    await this.database.statement(workspaceId, enterLine, [id, workspaceId, rootId ?? id, delayS]);
  }

  /** Signals the run when there is room. Without room the run stays in the line until the next turn. */
  protected async deliver({ id, workspace_id: workspaceId, next_delivery_at: until }: Row): Promise<void> {
    const parent = await this.executions.getExecution(workspaceId, id);
    try {
      await this.requireRoom(parent);
    } catch (error) {
      if (error instanceof ChildMustWait) return;
      // The run gets any other refusal itself when it tries.
    }
    try {
      await this.temporal.client.workflow.getHandle(id).signal(roomSignal);
    } catch (error) {
      // A run that has ended waits no longer.
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
    await this.database.system(leaveLine, [id, until]);
  }
}

/** $1 run, $2 workspace, $3 outermost run, $4 seconds until it may be signalled */
const enterLine = /* sql */ `
insert into child_line (execution_id, workspace_id, root_id, next_delivery_at)
values ($1, $2, $3, now() + $4 * interval '1 second')
on conflict (execution_id) do update set next_delivery_at = excluded.next_delivery_at`;

/** One run of an outermost run, and four of a workspace: no more of them will find room in the same second. */
const claimRuns = /* sql */ `
with due as (
  select execution_id, workspace_id, next_delivery_at,
    row_number() over (partition by root_id order by next_delivery_at) as in_root
  from child_line where next_delivery_at <= now()
), placed as (
  select execution_id, next_delivery_at,
    row_number() over (partition by workspace_id order by next_delivery_at) as in_workspace
  from due where in_root = 1
), chosen as (
  select execution_id from child_line where execution_id in (
    select execution_id from placed where in_workspace <= 4 order by next_delivery_at limit $1)
  for update skip locked
)
update child_line l set next_delivery_at = now() + interval '1 second'
from chosen c where c.execution_id = l.execution_id
returning l.execution_id as id, l.workspace_id, l.next_delivery_at`;

/** Leaves a run in the line that has entered it again meanwhile. */
const leaveLine = 'delete from child_line where execution_id = $1 and next_delivery_at = $2';

const lineLag = lagOver('select next_delivery_at as since from child_line limit 10000');
