import { Injectable } from '@nestjs/common';
import { Database } from '#libs/platform/database/database';
import { Settings } from '#libs/platform/settings/settings';
import { cutText, screenText } from '#libs/platform/text/whole-text';

/** The tokens that one call of a model used. */
export interface TokensUsed {
  promptTokens: number;
  completionTokens: number;
}

/** The visit of a block that causes cost. */
export interface Spender {
  workspaceId: string;
  executionId: string;
  visitPath: string;
}

interface Booked {
  kind: 'model' | 'call';
  /** The model, or the type of the block. */
  subject: string;
  cost: number;
}

/**
 * Books the cost of calls while an execution runs, for the actor who started it. Each entry has its own transaction, which also adds
 * to the cost of the execution. A call without a price gets no entry.
 */
@Injectable()
export class UsageBooking {
  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /** Books one answered call of a model. A call without a token count costs nothing. */
  async bookModelCall(spender: Spender, model: string, used: TokensUsed): Promise<void> {
    const { modelPrices } = this.settings;
    const price = Object.hasOwn(modelPrices, model) ? modelPrices[model] : modelPrices['*'];
    if (!price) return;
    const cost = (used.promptTokens * price.input + used.completionTokens * price.output) / 1_000_000;
    await this.book(spender, { kind: 'model', subject: cutText(screenText(model), 200), cost });
  }

  /** Books one call that a block of this type made. */
  async bookCall(spender: Spender, type: string): Promise<void> {
    const { callPrices } = this.settings;
    const cost = Object.hasOwn(callPrices, type) ? (callPrices[type] ?? 0) : 0;
    await this.book(spender, { kind: 'call', subject: type, cost });
  }

  private async book(
    { workspaceId, executionId, visitPath }: Spender,
    { kind, subject, cost }: Booked,
  ): Promise<void> {
    const values = [workspaceId, executionId, kind, subject, cost, visitPath];
    if (cost > 0) await this.database.statement(workspaceId, book, values);
  }
}

const book = /* sql */ `
insert into usage_entries (workspace_id, during_execution, workflow_id, actor, kind, subject, cost, visit_path)
select workspace_id, id, case when not is_test then workflow_id end, actor ->> 'id', $3, $4, $5, $6 from executions where workspace_id = $1 and id = $2`;
