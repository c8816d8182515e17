import { Injectable } from '@nestjs/common';
import { Database } from '#libs/platform/database/database';
import type { Execution } from '#libs/runs/executions/execution.entity';
import { Executions, unknownState } from '#libs/runs/executions/executions';
import type { StartedCall } from './tool-calls.ts';

/** The interval of progress reports for a client that asks for them. */
const reportMs = 500;

export interface Listener {
  report(progress: number, message: string): void;
  signal: AbortSignal;
}

/** Reports the progress of executions to clients, by blocks. */
@Injectable()
export class RunProgress {
  constructor(
    private readonly executions: Executions,
    private readonly database: Database,
  ) {}

  /** Like `Executions.waitUntilSettled`. Also reports each block that ends meanwhile. */
  async waitUntilSettled(
    workspaceId: string,
    { id, state: firstState }: StartedCall,
    waitMs: number,
    { report, signal }: Listener,
  ): Promise<Execution | null> {
    report(0, `The execution ${id} was accepted.`);
    const deadline = performance.now() + waitMs;
    let state = firstState;
    for (let reported = 0; !signal.aborted;) {
      const leftMs = Math.max(0, deadline - performance.now());
      const row = await this.executions.waitUntilSettled(workspaceId, id, Math.min(reportMs, leftMs), state);
      const { count, name } = await this.lastEnded(workspaceId, id);
      if (count > reported) report(count, `The block "${name}" has ended.`);
      reported = Math.max(reported, count);
      if (row || leftMs <= reportMs) return row;
      state = unknownState;
    }
    return null;
  }

  private async lastEnded(workspaceId: string, id: string): Promise<{ count: number; name: string }> {
    const [row] = await this.database.statement<{ count: number; name: string | null }>(
      workspaceId,
      endedBlocks,
      [id],
    );
    return { count: row?.count ?? 0, name: row?.name ?? '' };
  }
}

/** Counts committed outputs whose visits are not recorded yet, too. */
const endedBlocks = /* sql */ `
select count(*)::int as count, (array_agg(name order by ended_at desc))[1] as name
from visits where execution_id = $1 and ended_at is not null`;
