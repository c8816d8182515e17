import { Injectable } from '@nestjs/common';
import { Database } from '#libs/platform/database/database';
import { Conflict } from '#libs/platform/errors/errors';
import { Settings } from '#libs/platform/settings/settings';
import type { Execution } from '../execution.entity.ts';

/**
 * Thrown while a child must wait for others to end. The caller asks again later. The workflow recognises the error by
 * its name.
 */
export class ChildMustWait extends Error {
  override readonly name = 'CHILD_MUST_WAIT';

  constructor() {
    super('This run or its workspace has reached its limit of runs at once.');
  }
}

/** The number of runs below an outermost run: all, those under way, and those of one parent under way. */
interface Counted {
  total: number;
  open: number;
  own: number;
}

/** Bounds the number of runs that an outermost run may call, directly and through others. */
@Injectable()
export class Descendants {
  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /**
   * Throws `Conflict` when the outermost run has used up its calls. Throws `ChildMustWait` while too many are under
   * way, or when `admit` gives false. A parent without an open child may always start one. Otherwise runs that hold
   * all places could wait for their own children for ever. So at most ten times the bound are under way, because runs
   * nest ten deep.
   */
  async requireRoom({ workspaceId, id, rootId }: Execution, admit: () => Promise<boolean>): Promise<void> {
    const { max, openMax } = this.settings.descendants;
    const values = [rootId ?? id, id, max];
    const [counted] = await this.database.statement<Counted>(workspaceId, countDescendants, values);
    const { total = 0, open = 0, own = 0 } = counted ?? {};
    if (total >= max)
      throw new Conflict(
        `One run may call ${max} others, directly and through them; start another run for the rest.`,
        'CHILD_LIMIT_EXCEEDED',
      );
    const isAdmitted = await admit();
    if (own > 0 && (open >= openMax || !isAdmitted)) throw new ChildMustWait();
  }
}

/** $1 outermost run, $2 parent, $3 the most runs to count */
const countDescendants = /* sql */ `
select count(*)::int as total, count(*) filter (where is_open)::int as open,
  count(*) filter (where is_open and parent_id = $2)::int as own
from (
  select status in ('queued', 'running') as is_open, parent_id from executions where root_id = $1 limit $3
) below`;
