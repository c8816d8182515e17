import { Injectable } from '@nestjs/common';
import { Database } from '#libs/platform/database/database';
import { Settings } from '#libs/platform/settings/settings';
import { cutText, screenText } from '#libs/platform/text/whole-text';

/** The tokens that one call of a model used. */
export interface TokensUsed {
  promptTokens: number;
  completionTokens: number;
}

/** The visit of a block that causes cost, and when. */
export interface Spender {
  workspaceId: string;
  executionId: string;
  visitPath: string;
  at: Date;
}

/**
 * Books the cost of models while an execution runs, for the actor who started it. Each entry has its own transaction, which also adds
 * to the cost of the execution. A call without a price gets no entry.
 */
@Injectable()
export class UsageBooking {
  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /** Books one answered call of a model; the same call twice once. A call without a token count costs nothing. */
  async bookModelCall(
    { workspaceId, executionId, visitPath, at }: Spender,
    model: string,
    used: TokensUsed,
  ): Promise<void> {
    const { modelPrices } = this.settings;
    const price = Object.hasOwn(modelPrices, model) ? modelPrices[model] : modelPrices['*'];
    if (!price) return;
    const cost = (used.promptTokens * price.input + used.completionTokens * price.output) / 1_000_000;
    if (cost <= 0) return;
    const values = [workspaceId, executionId, cutText(screenText(model), 200), cost, visitPath, at];
    await this.database.batch(workspaceId, [
      [lock, [executionId]],
      [book, values],
    ]);
  }
}

/** A booking whose answer was lost may still be under way while it is repeated. */
const lock = 'select from executions where id = $1 for no key update';

const book = /* sql */ `
insert into usage_entries (workspace_id, during_execution, workflow_id, actor, kind, subject, cost, visit_path, created_at)
select workspace_id, id, case when not is_test then workflow_id end, actor ->> 'id', 'model', $3, $4, $5, $6
from executions where workspace_id = $1 and id = $2 and not exists (
  select from usage_entries u where u.during_execution = $2 and u.visit_path = $5 and u.kind = 'model' and u.created_at = $6)`;
