import { Injectable } from '@nestjs/common';
import { Database, send } from '#libs/platform/database/database';
import { NotFound } from '#libs/platform/errors/errors';
import type { Json } from '#libs/platform/json/json';
import { RunLog } from '../advance/run-log.ts';
import { findOfWorkflow } from '../executions.ts';
import { buildSentId, Payloads, sentPrefix } from '../record/payloads.ts';

/** The large values of executions, to which block logs have references. */
@Injectable()
export class StoredValues {
  constructor(
    private readonly database: Database,
    private readonly payloads: Payloads,
    private readonly log: RunLog,
  ) {}

  /** One stored value of an execution. Its block log has a reference to it. What was sent is only for callers who see values. */
  async readValue(
    workspaceId: string,
    { id, workflowId, payloadId }: { id: string; workflowId: string; payloadId: string },
    seesValues: boolean,
  ): Promise<Json> {
    if (payloadId.startsWith(sentPrefix) && !seesValues) throw new NotFound('value');
    const { id: executionId } = await this.database.within(workspaceId, (tx) =>
      findOfWorkflow(tx, id, workflowId),
    );
    const value =
      (await this.payloads.read({ workspaceId, executionId }, payloadId)) ??
      (payloadId.startsWith(sentPrefix)
        ? await this.readSent(workspaceId, executionId, payloadId)
        : undefined);
    if (value === undefined) throw new NotFound('value');
    return value;
  }

  /** The whole of what a visit has sent that makes no call. It follows from the log of the run, so it is not stored beside it. */
  private readSent(workspaceId: string, executionId: string, id: string): Promise<Json | undefined> {
    return this.database.within(workspaceId, async (tx) => {
      const visits = await send<{ path: string }>(tx, cutVisits, [executionId]);
      const visit = visits.find(({ path }) => buildSentId(executionId, path) === id);
      return visit && this.log.readSent(tx, executionId, visit.path);
    });
  }
}

/** $1 execution */
const cutVisits = `select path from visits where execution_id = $1 and sent ->> 'isCut' = 'true' and sent -> 'whole' is null`;
