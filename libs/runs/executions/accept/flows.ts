import { Injectable, Logger } from '@nestjs/common';
import { enterFlow, type FlowEntry } from '#libs/language/definition/flow';
import type { PlanFlow } from '#libs/language/definition/plan';
import type { EntityManager } from 'typeorm';
import { Database, send } from '#libs/platform/database/database';
import { candidatesInTurn, isAnyDue } from '#libs/platform/database/fair-claim';
import { Conflict, Invalid } from '#libs/platform/errors/errors';
import type { JsonObject } from '#libs/platform/json/json';
import { type Execution, isKeptBack } from '../execution.entity.ts';
import { Executions } from '../executions.ts';

/** The place of an execution that waits in a line. */
export interface FlowPlace {
  /** Null when all executions of the workflow are in one line. */
  key: string | null;
  /** From 1, which is next. */
  place: number;
  /** The moment before which it does not start; null when another one must end. The time may be text of Postgres. */
  notBefore: Date | string | null;
}

interface Line {
  workspace_id: string;
  workflow_id: string;
  key: string;
}

/** A turn looks at so many lines, and cancels so many executions, at most. */
const batch = 100;

/** The refusal of an execution, a retry or a fork for which a line has no place. */
export const toFullRefusal = () =>
  new Conflict(
    'As many executions of this key run as the workflow allows, and it lets none wait.',
    'FLOW_FULL',
  );

/** Finds the line of an execution. Throws when an expression of the flow fails on the inputs. */
export function requireEntry(flow: PlanFlow, inputs: JsonObject): FlowEntry {
  const { entry, details } = enterFlow(flow, inputs);
  if (details.length > 0) throw new Invalid(details);
  return entry;
}

/**
 * Lets an execution that goes on, or was made from another one, into its line, in the transaction that does it. With `wait` its start
 * comes with its turn. Throws when the line takes no more.
 */
export async function placeInFlow(
  tx: EntityManager,
  executionId: string,
  startInput: string,
): Promise<'start' | 'wait'> {
  const [placed] = await send(tx, 'select place_in_flow($1, $2::json) as verdict', [executionId, startInput]);
  if (placed?.['verdict'] === 'reject') throw toFullRefusal();
  return placed?.['verdict'] === 'wait' ? 'wait' : 'start';
}

/** Returns the place of an execution in its line; null when it does not wait there. */
export async function explainPlace(tx: EntityManager, row: Execution): Promise<FlowPlace | null> {
  if (!isKeptBack(row)) return null;
  const [place] = await send<FlowPlace>(tx, findPlace, [row.id]);
  return place ?? null;
}

/** The lines in which executions of workflows with flow control wait. The functions of the migration decide. */
@Injectable()
export class Flows {
  readonly due = `${isAnyDue(timers)} or ${isAnyDue(leavingPlaces)}`;
  private readonly log = new Logger(Flows.name);

  constructor(
    private readonly database: Database,
    private readonly executions: Executions,
  ) {}

  /** Like `explainPlace`, for an execution whose row is not read. */
  async findPlace(workspaceId: string, executionId: string): Promise<FlowPlace | null> {
    const rows = await this.database.statement<FlowPlace>(workspaceId, findPlace, [executionId]);
    return rows[0] ?? null;
  }

  /** Looks at the lines whose time has come, and cancels what newer executions have replaced. */
  async turn(): Promise<void> {
    for (const line of await this.database.system<Line>(dueLines))
      await this.database.system(advanceLine, [line.workspace_id, line.workflow_id, line.key]);
    const replaced = await this.database.system<{ id: string; workspace_id: string; workflow_id: string }>(
      replacedPlaces,
    );
    for (const { id, workspace_id: workspaceId, workflow_id: workflowId } of replaced)
      await this.executions.cancelExecution(workspaceId, id, workflowId).catch((error: unknown) => {
        // It has ended meanwhile, or a later turn tries again.
        this.log.warn(`${id}, which a newer execution replaces, is not cancelled yet: ${String(error)}`);
      });
  }
}

/** $1 execution */
const findPlace = /* sql */ `
select nullif(p.key, '') as key, coalesce(p.batch_until, p.not_before) as "notBefore", (
  select count(*) from (
    select from flow_places o where o.workflow_id = p.workflow_id and o.key = p.key and o.state = 'waiting' and o.leaving is null
      and (o.priority, o.no) < (p.priority, p.no) limit 10000) ahead
)::int + 1 as place
from flow_places p where p.execution_id = $1 and p.state = 'waiting' and p.leaving is null`;

const timers = { table: 'flow_timers', id: 'line', at: 'due_at', waits: ['true'] };
const leavingPlaces = { table: 'flow_places', id: 'execution_id', at: 'at', waits: [`leaving = 'due'`] };

const dueLines = /* sql */ `
select t.workspace_id, t.workflow_id, t.key from (${candidatesInTurn(timers)}) fair
join flow_timers t on t.line = fair.fair_id order by fair.place, fair.fair_at limit ${batch}`;

/** Passes over a line that another process decides about, because that one leaves it as it should be. $1 workspace, $2 workflow, $3 key */
const advanceLine = /* sql */ `
select case when pg_try_advisory_xact_lock(hashtextextended('flow ' || $2 || ' ' || $3, 0)) then advance_flow_line($1, $2, $3) end`;

const replacedPlaces = /* sql */ `
select p.execution_id as id, p.workspace_id, p.workflow_id
from (${candidatesInTurn(leavingPlaces)}) fair
join flow_places p on p.execution_id = fair.fair_id order by fair.place, fair.fair_at limit ${batch}`;
