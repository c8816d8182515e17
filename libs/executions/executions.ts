import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { checkInputs } from '#libs/definition/inputs';
import type { JsonObject } from '#libs/definition/values';
import { Database } from '#libs/database/database';
import { sqlState } from '#libs/database/violations';
import { Conflict, Invalid, NotFound } from '#libs/faults/faults';
import { TemporalClient } from '#libs/temporal-client/temporal-client';
import type { Live } from '#libs/workflows/deployments';
import { acceptExecution } from './accept.sql.ts';
import { Beginnings, rowOf } from './beginnings.ts';
import { Execution, terminal } from './execution.entity.ts';
import { FirstStretches } from './first-stretch.ts';
import { Handovers } from './handovers.ts';
import { pack } from './pack.ts';
import { Payloads } from './payloads.ts';
import { type FirstStep, SettledWaiters } from './settled-waiters.ts';
import { Starter, type StartRequest } from './starter.ts';

/** An execution as it is accepted. */
export interface NewExecution {
  id: string;
  workspaceId: string;
  live: Live;
  inputs: JsonObject;
  mode: 'sync' | 'async';
  trigger: string;
  actor: JsonObject;
}

/** A committed execution. When it is not new, Temporal has it already or the relay will start it. */
export interface Acceptance {
  row: StartRequest;
  live: Live;
  isNew: boolean;
  /** The execution as it was committed, when it has ended or waits for people. */
  begun?: Execution;
}

/** Executions, from acceptance to outcome. The API answers from the row, never from Temporal. */
@Injectable()
export class Executions {
  private readonly log = new Logger(Executions.name);

  constructor(
    private readonly database: Database,
    private readonly payloads: Payloads,
    private readonly starter: Starter,
    private readonly waiters: SettledWaiters,
    private readonly temporal: TemporalClient,
    private readonly stretches: FirstStretches,
    private readonly beginnings: Beginnings,
    private readonly handovers: Handovers,
  ) {}

  /**
   * The inputs as the start declares them, with defaults filled in. Throws for inputs that do not fit, and names
   * every field.
   */
  checkInputs(live: Live, inputs: JsonObject): JsonObject {
    const checked = checkInputs(live.plan.inputs, inputs);
    if (checked.details.length > 0) throw new Invalid(checked.details);
    return checked.inputs;
  }

  /**
   * Commits the execution: from then on it runs, even when this process stops. Returns null, and commits nothing,
   * when that version is no longer the live one. An id that was committed before is left unchanged.
   */
  async accept(newExecution: NewExecution): Promise<Acceptance | null> {
    const { live, inputs, ...about } = newExecution;
    const { workflowId, workflowName, version, planHash } = live;
    const packed = pack(inputs);
    const row = {
      ...about,
      ...{ workflowId, workflowName, version, planHash },
      inputs: packed.value,
      acceptedAtMs: Date.now(),
    };
    const begun = packed.payloads.length === 0 ? await this.acceptBegun(row, live) : undefined;
    if (begun !== undefined) return begun;
    const values = [...rowOf(row), JSON.stringify(packed.payloads)];
    const [accepted] = await this.database.statement(row.workspaceId, acceptExecution, values);
    return accepted ? { row, live, isNew: accepted['is_new'] === true } : null;
  }

  /**
   * The same for an execution of which nothing, or only people, stand between its start and its end: the commit holds what it
   * has done. Undefined when it is no such execution.
   */
  private async acceptBegun(row: StartRequest, live: Live): Promise<Acceptance | null | undefined> {
    const stretch = this.stretches.run(live.plan, { ...row, executionId: row.id });
    if (!stretch) return undefined;
    try {
      const accepted = await this.beginnings.accept(row, stretch);
      return accepted && { row, live, ...accepted };
    } catch (error) {
      // A value that no row can hold: the run says so itself, in Temporal.
      if (sqlState(error)?.startsWith('22')) return undefined;
      throw error;
    }
  }

  /**
   * Starts an accepted execution in Temporal. A failure is only logged, because the relay starts it then. With a
   * wait, and when the installation starts runs that way, the same call also waits for the run to settle.
   */
  async start({ row, live, begun }: Acceptance, waitMs: number): Promise<void> {
    try {
      if (begun) {
        // What has ended waits its turn.
        if (begun.status === 'paused') await this.handovers.ensure(row.workspaceId, row.id);
      } else if (waitMs > 0 && this.starter.waits) {
        await this.starter.startAndSettle(row, live.plan, waitMs);
        this.waiters.announce(row.id);
      } else await this.starter.start(row, live.plan);
    } catch (error) {
      this.log.warn(`Temporal did not take ${row.id}; the relay will start it: ${String(error)}`);
    }
  }

  /** The execution once it has settled (paused included), or null when the bound has passed. */
  async settled(
    workspaceId: string,
    id: string,
    waitMs: number,
    first: FirstStep = 'look',
  ): Promise<Execution | null> {
    const look = async () => {
      const found = await this.get(workspaceId, id);
      return terminal(found.status) || found.status === 'paused' ? found : null;
    };
    return this.waiters.wait(id, look, waitMs, first);
  }

  /** The execution once it has a final status, or as it is when the bound has passed. */
  async finished(workspaceId: string, id: string, waitMs: number): Promise<Execution> {
    const look = async () => {
      const row = await this.get(workspaceId, id);
      return terminal(row.status) ? row : null;
    };
    return (await this.waiters.wait(id, look, waitMs)) ?? this.get(workspaceId, id);
  }

  /** Found by the execution's own id or by the id of any of its resumes. Stored outputs are resolved. */
  async get(workspaceId: string, id: string): Promise<Execution> {
    const [row] = await this.database.entities(workspaceId, Execution, findExecution, [id]);
    if (!row) throw new NotFound('execution');
    row.output = await this.payloads.resolve({ workspaceId, executionId: row.id }, row.output);
    return row;
  }

  /**
   * Asks the run to end. The cancel is committed before it is sent; a run that Temporal does not have yet reads it
   * at its start. A finished execution is a conflict, a second cancel is not.
   */
  async cancel(workspaceId: string, id: string, workflowId: string): Promise<Execution> {
    const row = await this.database.within(workspaceId, async (tx) => {
      const found = await findOfWorkflow(tx, id, workflowId);
      if (found.status === 'cancelled') return found;
      if (terminal(found.status))
        throw new Conflict(`The execution is ${found.status} already.`, 'EXECUTION_FINISHED');
      await tx.query(
        `update executions set cancel_requested_at = coalesce(cancel_requested_at, now()), relay_after = now() where id = $1`,
        [found.id],
      );
      return found;
    });
    if (row.status !== 'cancelled') await this.sendCancel(workspaceId, row.id);
    return row;
  }

  /** Sends the cancel to Temporal. A failure loses nothing, because the relay sends it again. */
  private async sendCancel(workspaceId: string, id: string): Promise<void> {
    try {
      await this.handovers.ensure(workspaceId, id);
      await this.temporal.client.withDeadline(Date.now() + 3000, () =>
        this.temporal.client.workflow.getHandle(id).cancel(),
      );
    } catch (error) {
      this.log.warn(`The cancel of ${id} did not reach Temporal; the relay will send it: ${String(error)}`);
    }
  }
}

/** The execution, by its id or that of a resume; not found when it is one of another workflow. */
export async function findOfWorkflow(tx: EntityManager, id: string, workflowId: string): Promise<Execution> {
  const row = await tx
    .createQueryBuilder(Execution, 'e')
    .where(`e.id = ${executionNamed(':id')}`, { id })
    .getOne();
  if (row?.workflowId !== workflowId) throw new NotFound('execution');
  return row;
}

/**
 * Finds an execution by its id or by that of a resume, which is a further name of the run. The outer select makes
 * the name an init plan: under a row policy a coalesce counts as a function that may leak rows, and the planner
 * would test the policy on the whole table before it.
 */
export const executionNamed = (id: string) =>
  `(select coalesce((select p.root_id from resume_entries r join pause_points p using (context_id)
    where r.new_execution_id = ${id}), ${id}))`;

const findExecution = `where t.id = ${executionNamed('$1')}`;
