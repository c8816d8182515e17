import { Injectable } from '@nestjs/common';
import type { Json, JsonObject } from '#libs/platform/json/json';
import type { Execution } from '#libs/runs/executions/execution.entity';
import { terminal } from '#libs/runs/executions/execution.entity';
import { ExecutionStarter } from '#libs/runs/executions/accept/start-execution';
import { Executions, type StartedState, unknownState } from '#libs/runs/executions/executions';
import { Invalid } from '#libs/platform/errors/errors';
import { Idempotency } from '#libs/workspace/idempotency/idempotency';
import { newId } from '#libs/platform/ids/ids';
import { Pauses } from '#libs/runs/pauses/pauses';
import type { Admission } from '../http/caller.guard.ts';

/** An execution that a call has started, or has found by its key. */
export interface StartedCall {
  id: string;
  state: StartedState;
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
    private readonly starter: ExecutionStarter,
    private readonly executions: Executions,
    private readonly idempotency: Idempotency,
    private readonly pauses: Pauses,
  ) {}

  async startCall(
    admission: Admission,
    { serverId, workflowId, inputs, waitMs, key }: ToolCall,
  ): Promise<StartedCall> {
    const call = {
      inputs,
      trigger: 'mcp',
      mcpServer: serverId,
      mode: 'sync',
      waitMs,
      streams: false,
      raw: false,
      wantsSpans: false,
      activeMsMax: null,
    } as const;
    if (key === undefined) {
      const id = newId('exec');
      const { state } = await this.starter.startExecution(
        admission,
        workflowId,
        { id, isRetry: false },
        call,
      );
      return { id, state };
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
    let state = unknownState;
    const { answer } = await this.idempotency.once(request, 'exec', async (id, isRetry) => {
      ({ state } = await this.starter.startExecution(admission, workflowId, { id, isRetry }, call));
      return { status: 200, answer: { executionId: id } satisfies Json };
    });
    return { id: (answer as { executionId: string }).executionId, state };
  }

  /** The execution once it has settled and waits for none of these pauses, or its current state when the time is over. */
  async waitBeyondPauses(
    workspaceId: string,
    id: string,
    contextIds: string[],
    waitMs: number,
  ): Promise<Execution> {
    const isBeyond = async ({ status }: Execution) => {
      if (status !== 'paused') return terminal(status);
      const open = await this.pauses.openPoints(workspaceId, id);
      return !open.some(({ contextId }) => contextIds.includes(contextId));
    };
    const row = await this.executions.waitUntil(workspaceId, id, waitMs, isBeyond);
    return row ?? this.executions.getExecution(workspaceId, id);
  }
}
