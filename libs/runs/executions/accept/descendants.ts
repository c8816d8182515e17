import { Injectable } from '@nestjs/common';
import { Database } from '#libs/platform/database/database';
import { Conflict } from '#libs/platform/errors/errors';
import { Settings } from '#libs/platform/settings/settings';
import type { Execution } from '../execution.entity.ts';

/** Thrown while a child must wait for others to end; it is asked for again. Its name is the code that the workflow looks for. */
export class ChildMustWait extends Error {
  override readonly name = 'CHILD_MUST_WAIT';

  constructor() {
    super('As many runs are under way as this one, or its workspace, may have at once.');
  }
}

/** The runs below an outermost one: all, those under way, and those of one parent under way. */
interface Counted {
  total: number;
  open: number;
  own: number;
}

/** The most runs that an outermost run may call, directly and through others. */
@Injectable()
export class Descendants {
  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /**
   * Throws `Conflict` when the outermost run has called as many as it may, and `ChildMustWait` while too many are under way, or
   * `admit` gives false. A parent without an open child may always have one: else runs that hold all places could wait for their own
   * children for ever. So at most ten times the bound are under way, which is how deep runs nest.
   */
  async requireRoom({ workspaceId, id, rootId }: Execution, admit: () => Promise<boolean>): Promise<void> {
    const { max, openMax } = this.settings.descendants;
    const values = [rootId ?? id, id, max];
    const [counted] = await this.database.statement<Counted>(workspaceId, countDescendants, values);
    const { total = 0, open = 0, own = 0 } = counted ?? {};
    if (total >= max)
      throw new Conflict(
        `One run may call ${max} others, with those that they call; start another run for the rest.`,
        'CHILD_LIMIT_EXCEEDED',
      );
    const isAdmitted = await admit();
    if (own > 0 && (open >= openMax || !isAdmitted)) throw new ChildMustWait();
  }
}

/** $1 outermost run, $2 parent, $3 how many are counted at most */
const countDescendants = /* sql */ `
select count(*)::int as total, count(*) filter (where is_open)::int as open,
  count(*) filter (where is_open and parent_id = $2)::int as own
from (
  select status in ('queued', 'running') as is_open, parent_id from executions where root_id = $1 limit $3
) below`;
