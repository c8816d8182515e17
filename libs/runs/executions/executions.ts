import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager, ObjectLiteral } from 'typeorm';
import { checkInputs } from '#libs/language/definition/inputs';
import type { JsonObject } from '#libs/platform/json/json';
import { Database, send, type Selection } from '#libs/platform/database/database';
import { Conflict, Invalid, NotFound } from '#libs/platform/errors/errors';
import type { Live } from '#libs/runs/workflows/deployments';
import { Execution, terminal } from './execution.entity.ts';
import { DirectRecovery } from './direct/direct-recovery.ts';
import { lockRunOfAny } from './direct/direct-runs.sql.ts';
import { InlineStartOutbox } from './deliver/inline-start-outbox.ts';
import { Payloads } from './record/payloads.ts';
import type { FirstRead } from '#libs/platform/database/completion-notifier';
import { ExecutionWaiters } from './deliver/execution-waiters.ts';

/** A started execution: its row when it has settled already, otherwise when a waiter reads its row first. */
export type StartedState =
  | { kind: 'settled'; row: Execution }
  /** This process carries the run out. Null when it goes on elsewhere. */
  | { kind: 'begun'; settled: Promise<Execution | null> }
  | { kind: 'running'; firstRead: FirstRead };

/** An unknown state: the row must be read first. */
export const unknownState: StartedState = { kind: 'running', firstRead: 'at-once' };

/** Executions, from acceptance to outcome. The API answers from the row, never from Temporal. */
@Injectable()
export class Executions {
  private readonly log = new Logger(Executions.name);

  constructor(
    private readonly database: Database,
    private readonly payloads: Payloads,
    private readonly waiters: ExecutionWaiters,
    private readonly inlineStarts: InlineStartOutbox,
    private readonly directRecovery: DirectRecovery,
  ) {}

  /**
   * Checks the inputs against the start block and fills in defaults. Throws for inputs that do not fit, and names
   * every wrong field.
   */
  checkInputs(live: Live, inputs: JsonObject): JsonObject {
    const checked = checkInputs(live.plan.inputs, inputs);
    if (checked.details.length > 0) throw new Invalid(checked.details);
    return checked.inputs;
  }

  /** The execution once it has settled (paused included), or null when the bound has passed. */
  async waitUntilSettled(
    workspaceId: string,
    id: string,
    waitMs: number,
    state: StartedState = unknownState,
  ): Promise<Execution | null> {
    if (state.kind === 'settled') return state.row;
    const hasSettled = ({ status }: Execution) => terminal(status) || status === 'paused';
    const endsAtMs = performance.now() + waitMs;
    if (state.kind === 'begun') {
      const row = await withinTime(state.settled, waitMs);
      if (row) return row;
    }
    const firstRead = state.kind === 'begun' ? 'at-once' : state.firstRead;
    return this.waitUntil(workspaceId, id, endsAtMs - performance.now(), hasSettled, firstRead);
  }

  /** The execution once it has a final status, or as it is when the bound has passed. */
  async waitUntilEnded(workspaceId: string, id: string, waitMs: number): Promise<Execution> {
    const ended = await this.waitUntil(workspaceId, id, waitMs, ({ status }) => terminal(status));
    return ended ?? this.getExecution(workspaceId, id);
  }

  /** The execution once `isDone` accepts it, or null when the bound has passed. */
  async waitUntil(
    workspaceId: string,
    id: string,
    waitMs: number,
    isDone: (row: Execution) => boolean | Promise<boolean>,
    firstRead: FirstRead = 'at-once',
  ): Promise<Execution | null> {
    const readDone = async () => {
      const row = await this.getExecution(workspaceId, id);
      return (await isDone(row)) ? row : null;
    };
    return this.waiters.waitForExecution(id, readDone, waitMs, firstRead);
  }

  /** True when an execution was accepted under this id. */
  async isCommitted(workspaceId: string, id: string): Promise<boolean> {
    const rows = await this.database.statement(workspaceId, 'select 1 from executions where id = $1', [id]);
    return rows.length > 0;
  }

  /** Finds the execution by its own id or by the id of any of its resumes. Stored outputs are there, unread: see `unread`. */
  async getExecution(workspaceId: string, id: string): Promise<Execution> {
    const [row] = await this.database.entities(workspaceId, Execution, findExecution, [id]);
    return this.readOutput(row);
  }

  /** Reads the execution and rows of another table in one round trip. */
  async getExecutionWith<E extends ObjectLiteral>(
    workspaceId: string,
    id: string,
    others: Selection<E>,
  ): Promise<{ row: Execution; beside: E[] }> {
    const own = { entity: Execution, rest: findExecution, values: [id] };
    const [[row], beside] = await this.database.bothEntities(workspaceId, own, others);
    return { row: await this.readOutput(row), beside };
  }

  /** Fills in the output of a row if it is stored apart. Throws without a row. */
  async readOutput(row: Execution | undefined): Promise<Execution> {
    if (!row) throw new NotFound('execution');
    const { workspaceId } = row;
    row.output = await this.payloads.resolveUnread({ workspaceId, executionId: row.id }, row.output);
    return row;
  }

  /**
   * Cancels the run. The cancel is committed before it is sent, and with the end of a run that a process carries out; a run that Temporal does
   * not have yet reads it at its start. A finished execution is a conflict; a second cancel is not. `along` writes in the transaction of the cancel.
   */
  async cancelExecution(
    workspaceId: string,
    id: string,
    workflowId: string,
    along?: (tx: EntityManager) => Promise<void>,
  ): Promise<Execution> {
    const row = await this.database.within(workspaceId, async (tx) => {
      await send(tx, lockRunOfAny, [id]);
      const execution = await findOfWorkflow(tx, id, workflowId, 'for_no_key_update');
      if (execution.status !== 'cancelled' && terminal(execution.status))
        throw new Conflict(`The execution is ${execution.status} already.`, 'EXECUTION_FINISHED');
      await along?.(tx);
      if (execution.status === 'cancelled') return execution;
      await send(
        tx,
        `update executions set cancel_requested_at = coalesce(cancel_requested_at, now()), next_delivery_at = now() where id = $1`,
        [execution.id],
      );
      await send(tx, leaveLine, [execution.id]);
      if (await this.directRecovery.cancelWithin(tx, execution.id)) execution.status = 'cancelled';
      return execution;
    });
    if (row.status !== 'cancelled') await this.sendCancel(workspaceId, row.id);
    return row;
  }

  /** Sends the cancel to Temporal. A failure loses nothing, because the outbox sends it again. */
  private async sendCancel(workspaceId: string, id: string): Promise<void> {
    try {
      await this.inlineStarts.cancelExecution(workspaceId, id, 3000);
    } catch (error) {
      this.log.warn(`The cancel of ${id} did not reach Temporal; the outbox will send it: ${String(error)}`);
    }
  }
}

/**
 * Finds the execution of a workflow by its id or that of a resume, and locks it if asked. Throws `NotFound` when it belongs to another
 * workflow.
 */
export async function findOfWorkflow(
  tx: EntityManager,
  id: string,
  workflowId: string,
  lock?: 'for_no_key_update',
): Promise<Execution> {
  const query = tx.createQueryBuilder(Execution, 'e').where(`e.id = ${executionNamed(':id')}`, { id });
  const row = await (lock ? query.setLock(lock) : query).getOne();
  if (row?.workflowId !== workflowId) throw new NotFound('execution');
  return row;
}

/**
 * SQL for the id of an execution, from its own id or that of a resume. The outer select makes the name an init plan.
 * Under a row policy a coalesce counts as a function that may leak rows, so the planner would first test the policy
 * on the whole table.
 */
export const executionNamed = (id: string) =>
  `(select coalesce((select p.root_id from resume_entries r join pause_points p using (context_id)
    where r.new_execution_id = ${id}), ${id}))`;

/** Lets Temporal begin what waits in a line, so that it is cancelled there. $1 execution */
const leaveLine = /* sql */ `
with left_line as (
  update flow_places set leaving = 'asked' where execution_id = $1 returning execution_id, workspace_id, state, start_input
)
insert into inline_start_outbox (execution_id, workspace_id, ended, start_input, due_at)
select execution_id, workspace_id, false, start_input, now() from left_line where state <> 'running'
on conflict (execution_id) do nothing`;

/** Resolves to null when the work takes longer, in milliseconds. */
async function withinTime<T>(work: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), ms)));
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

const findExecution = `where t.id = ${executionNamed('$1')}`;
