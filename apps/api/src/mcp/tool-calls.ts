import { Injectable } from '@nestjs/common';
import type { Json, JsonObject } from '#libs/platform/json/json';
import type { Execution } from '#libs/runs/executions/execution.entity';
import { terminal } from '#libs/runs/executions/execution.entity';
import { Executions } from '#libs/runs/executions/executions';
import type { FirstStep } from '#libs/platform/database/completion-notifier';
import { ExecutionWaiters } from '#libs/runs/executions/deliver/execution-waiters';
import { Invalid } from '#libs/platform/errors/errors';
import { Idempotency } from '#libs/workspace/idempotency/idempotency';
import { newId } from '#libs/platform/ids/ids';
import { Pauses } from '#libs/runs/pauses/pauses';
import { Execute } from '../executions/execute.ts';
import type { Admission } from '../http/caller.guard.ts';

/** An execution that a call has begun, or has found by its key; its row when it has settled already. */
export interface BegunCall {
  id: string;
  known: Execution | FirstStep;
}

export interface ToolCall {
  serverId: string;
  workflowId: string;
  inputs: JsonObject;
  waitMs: number;
  /** Repeated calls with the same key, caller and inputs begin one execution. */
  key: string | undefined;
}

/** The member of `_meta` that carries the key of a call. */
export const keyMember = 'Idempotency-Key';

/** Begins executions for agents like every other call, and waits for them. */
@Injectable()
export class ToolCalls {
  constructor(
    private readonly execute: Execute,
    private readonly executions: Executions,
    private readonly idempotency: Idempotency,
    private readonly waiters: ExecutionWaiters,
    private readonly pauses: Pauses,
  ) {}

  async beginCall(
    admission: Admission,
    { serverId, workflowId, inputs, waitMs, key }: ToolCall,
  ): Promise<BegunCall> {
    const call = {
      inputs,
      trigger: 'mcp',
      mcpServer: serverId,
      mode: 'sync',
      waitMs,
      streams: false,
      raw: false,
      traced: false,
      activeMsMax: null,
    } as const;
    if (key === undefined) {
      const id = newId('exec');
      return {
        id,
        known: (await this.execute.startExecution(admission, workflowId, { id, isRetry: false }, call)).known,
      };
    }
    if (!/^[\x20-\x7e]{1,255}$/.test(key))
      throw Invalid.field(`_meta.${keyMember}`, 'must have 1 to 255 printable characters', 'pattern');
    const { workspaceId, caller } = admission;
    const request = {
      workspaceId,
      route: `mcp ${serverId} ${workflowId}`,
      key,
      actor: caller.actor,
      body: inputs,
    };
    let known: BegunCall['known'] = 'look';
    const { answer } = await this.idempotency.once(request, 'exec', async (id, isRetry) => {
      known = (await this.execute.startExecution(admission, workflowId, { id, isRetry }, call)).known;
      return { status: 200, answer: { executionId: id } satisfies Json };
    });
    return { id: (answer as { executionId: string }).executionId, known };
  }

  /** The execution once it has settled; null when the time is over. */
  async settled(workspaceId: string, { id, known }: BegunCall, waitMs: number): Promise<Execution | null> {
    if (typeof known !== 'string') return known;
    return this.executions.waitUntilSettled(workspaceId, id, waitMs, known);
  }

  /** The execution once it has settled and waits for none of these pauses, or its current state when the time is over. */
  async settledBeyond(
    workspaceId: string,
    id: string,
    contextIds: string[],
    waitMs: number,
  ): Promise<Execution> {
    const look = async () => {
      const row = await this.executions.getExecution(workspaceId, id);
      if (terminal(row.status)) return row;
      if (row.status !== 'paused') return null;
      const open = await this.pauses.openPoints(workspaceId, id);
      return open.some(({ contextId }) => contextIds.includes(contextId)) ? null : row;
    };
    return (
      (await this.waiters.waitForExecution(id, look, waitMs)) ?? this.executions.getExecution(workspaceId, id)
    );
  }
}
