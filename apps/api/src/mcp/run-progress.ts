import { Injectable } from '@nestjs/common';
import { Database } from '#libs/platform/database/database';
import type { Execution } from '#libs/runs/executions/execution.entity';
import { type BegunCall, ToolCalls } from './tool-calls.ts';

/** The interval of progress reports for a client that asks for them. */
const lookMs = 500;

export interface Listener {
  tell(progress: number, message: string): void;
  signal: AbortSignal;
}

/** Reports the progress of executions to clients, by blocks. */
@Injectable()
export class RunProgress {
  constructor(
    private readonly calls: ToolCalls,
    private readonly database: Database,
  ) {}

  /** Like `ToolCalls.settled`. Also reports each block that ends meanwhile. */
  async settled(
    workspaceId: string,
    run: BegunCall,
    waitMs: number,
    { tell, signal }: Listener,
  ): Promise<Execution | null> {
    tell(0, `The execution ${run.id} was accepted.`);
    const deadline = performance.now() + waitMs;
    let { known } = run;
    for (let reported = 0; !signal.aborted;) {
      const leftMs = Math.max(0, deadline - performance.now());
      const row = await this.calls.settled(workspaceId, { id: run.id, known }, Math.min(lookMs, leftMs));
      const { count, name } = await this.look(workspaceId, run.id);
      if (count > reported) tell(count, `The block "${name}" has ended.`);
      reported = Math.max(reported, count);
      if (row || leftMs <= lookMs) return row;
      known = 'look';
    }
    return null;
  }

  private async look(workspaceId: string, id: string): Promise<{ count: number; name: string }> {
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
