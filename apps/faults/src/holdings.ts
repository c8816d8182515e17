import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from './caller.ts';

/** The stored data after all runs. */
export interface StoredData {
  /** By run number: the rows of the table. */
  rows: Map<number, number>;
  /** By file name: the statuses of documents. */
  documents: Map<string, string[]>;
  logs: Log[];
  /** The booked usage: the total cost, and the number of executions. */
  usage: { cost: number; executions: number };
}

export interface Log {
  executionId: string;
  status: string;
  trigger: string;
  cost: { total: number } | null;
}

/** A document that is not processed after this time counts as lost. */
const processedWithinMs = 180_000;

/** Reads the stored data of the runs, page by page. */
export class Holdings {
  private readonly caller: Caller;

  /** The first caller's workspace has the table and the base. */
  constructor(private readonly callers: [Caller, ...Caller[]]) {
    this.caller = callers[0];
  }

  async read(workspaceId: string, table: string, base: string): Promise<StoredData> {
    return {
      rows: await this.rows(workspaceId, table),
      documents: await this.documents(workspaceId, base),
      ...(await this.readCosts()),
    };
  }

  /** Reads logs and ledger of one moment: a call that was under way when its run was cancelled is booked later than the run has ended. */
  private async readCosts(): Promise<Pick<StoredData, 'logs' | 'usage'>> {
    for (let before = await this.readUsage(); ;) {
      const logs = (await Promise.all(this.callers.map(logsOf))).flat();
      const usage = await this.readUsage();
      if (usage.cost === before.cost) return { logs, usage };
      before = usage;
    }
  }

  private async readUsage(): Promise<StoredData['usage']> {
    const usage = await Promise.all(this.callers.map(usageOf));
    return {
      cost: usage.reduce((sum, { cost }) => sum + cost, 0),
      executions: usage.reduce((sum, { executions }) => sum + executions, 0),
    };
  }

  private async rows(workspaceId: string, table: string): Promise<Map<number, number>> {
    const counts = new Map<number, number>();
    for (let offset = 0; ; offset += 1000) {
      const { body } = await this.caller.call(
        'GET',
        `/api/v1/tables/${table}/rows?workspaceId=${workspaceId}&limit=1000&offset=${offset}`,
      );
      for (const { data } of body.data.rows) counts.set(data.run, (counts.get(data.run) ?? 0) + 1);
      if (offset + 1000 >= body.data.totalCount) return counts;
    }
  }

  /** Waits until all documents are processed or the deadline has passed. */
  private async documents(workspaceId: string, base: string): Promise<Map<string, string[]>> {
    const deadline = performance.now() + processedWithinMs;
    for (;;) {
      const statuses = new Map<string, string[]>();
      for (let offset = 0, more = true; more; offset += 100) {
        const path = `/api/v1/knowledge/${base}/documents?workspaceId=${workspaceId}&limit=100&offset=${offset}`;
        const { documents } = (await this.caller.call('GET', path)).body.data;
        for (const { filename, processingStatus } of documents)
          statuses.set(filename, [...(statuses.get(filename) ?? []), processingStatus]);
        more = documents.length === 100;
      }
      const busy = [...statuses.values()].flat().some((status) => ['pending', 'processing'].includes(status));
      if (!busy || performance.now() > deadline) return statuses;
      await pause(1000);
    }
  }
}

async function logsOf(caller: Caller): Promise<Log[]> {
  const logs: Log[] = [];
  for (let cursor = ''; ;) {
    const page = await caller.call('GET', `/api/v1/logs?limit=1000${cursor && `&cursor=${cursor}`}`);
    logs.push(...page.body.data);
    cursor = page.body.nextCursor;
    if (!cursor) return logs;
  }
}

async function usageOf(caller: Caller): Promise<StoredData['usage']> {
  const { body } = await caller.call('GET', '/api/v1/usage?groupBy=kind');
  const groups: { group: string; entries: number }[] = body.data;
  const executions = groups.find(({ group }) => group === 'execution')?.entries ?? 0;
  return { cost: body.total.cost, executions };
}
