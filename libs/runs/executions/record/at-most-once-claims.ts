import { Injectable } from '@nestjs/common';
import { Database } from '#libs/platform/database/database';
import type { RunKey } from '#temporal/activities';

/** The claims of calls that must not be repeated. One sender claims each call, for ever, before it sends it. */
@Injectable()
export class AtMostOnceClaims {
  constructor(private readonly database: Database) {}

  /**
   * Commits that `sender` sends the call now. False when another sender has claimed it. The owner of a claim may
   * claim again.
   */
  async claimCall({ workspaceId, executionId }: RunKey, call: string, sender: string): Promise<boolean> {
    const values = [executionId, call, workspaceId, sender];
    return (await this.database.statement(workspaceId, claimCall, values)).length > 0;
  }
}

const claimCall = /* sql */ `
insert into call_claims as s (execution_id, call, workspace_id, sender) values ($1, $2, $3, $4)
on conflict (execution_id, call) do update set sender = excluded.sender where s.sender = excluded.sender
returning 1`;
