import { Injectable } from '@nestjs/common';
import { Database } from '#libs/platform/database/database';
import { Settings } from '#libs/platform/settings/settings';

/** The tokens of one call of a model. */
export interface TokensUsed {
  promptTokens: number;
  completionTokens: number;
}

interface Booked {
  kind: 'model' | 'call';
  /** The model, or the type of the block. */
  subject: string;
  cost: number;
}

/**
 * Books what is paid for while an execution runs, under whoever started it. Each entry is a transaction of its own, which
 * also adds it to what the execution has cost; what has no price is not booked.
 */
@Injectable()
export class UsageBooking {
  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /** A turn that a model has answered. One that was not counted costs nothing. */
  async bookDueUsage(
    workspaceId: string,
    executionId: string,
    model: string,
    used: TokensUsed,
  ): Promise<void> {
    const { modelPrices } = this.settings;
    const price = Object.hasOwn(modelPrices, model) ? modelPrices[model] : modelPrices['*'];
    if (!price) return;
    const cost = (used.promptTokens * price.input + used.completionTokens * price.output) / 1_000_000;
    await this.book(workspaceId, executionId, { kind: 'model', subject: model.slice(0, 200), cost });
  }

  /** A block that has made its call. */
  async call(workspaceId: string, executionId: string, type: string): Promise<void> {
    const { callPrices } = this.settings;
    const cost = Object.hasOwn(callPrices, type) ? (callPrices[type] ?? 0) : 0;
    await this.book(workspaceId, executionId, { kind: 'call', subject: type, cost });
  }

  private async book(
    workspaceId: string,
    executionId: string,
    { kind, subject, cost }: Booked,
  ): Promise<void> {
    if (cost > 0)
      await this.database.statement(workspaceId, book, [workspaceId, executionId, kind, subject, cost]);
  }
}

const book = /* sql */ `
insert into usage_entries (workspace_id, during_execution, workflow_id, actor, kind, subject, cost)
select workspace_id, id, workflow_id, actor ->> 'id', $3, $4, $5 from executions where workspace_id = $1 and id = $2`;
