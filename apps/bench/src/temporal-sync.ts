import pg from 'pg';
import { round } from './figures.ts';
import type { Installation } from './installation.ts';

const waitMs = 300_000;

const untold = `select (select count(*) from inline_start_outbox)::int
  + (select count(*) from executions where status = 'paused' and temporal_run is null and workflow_id = $1)::int
  + (select count(*) from resume_entries where acknowledged_at is null and status <> 'failed')::int as left`;

/** The runs and answers that Temporal does not have yet. */
export class TemporalSync {
  /** With a workflow, its paused runs must have begun in Temporal too. */
  constructor(
    private readonly product: Installation,
    private readonly workflowId = '',
  ) {}

  async settle(): Promise<void> {
    await this.caughtUp();
  }

  /** Waits until Temporal has every execution and every answer. Resolves to the seconds. */
  async caughtUp(): Promise<number> {
    const client = new pg.Client({ connectionString: this.product.databaseUrl });
    await client.connect();
    const begin = performance.now();
    try {
      while (performance.now() - begin < waitMs) {
        const { rows } = await client.query<{ left: number }>(untold, [this.workflowId]);
        if (rows[0]?.left === 0) return round((performance.now() - begin) / 1000);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      throw new Error('Temporal did not get all executions in time.');
    } finally {
      await client.end();
    }
  }
}
