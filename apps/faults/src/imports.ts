import type { Caller, Reply } from './caller.ts';

/** One sent file, and the numbers of its rows. */
export interface Imported {
  rows: number[];
  /** The outcome for each caller who sent the file. */
  outcomes: string[];
}

const rowsOfAFile = 50;
/** Higher than the number of any run. */
const firstRow = 1_000_000;

/**
 * Sends files of rows. Two callers send each file at once under one Idempotency-Key, and one sends it again after the
 * import.
 */
export class RepeatedImports {
  readonly done: Imported[] = [];
  private files = 0;

  constructor(
    private readonly caller: Caller,
    private readonly table: string,
    private readonly workspaceId: string,
  ) {}

  /** Sends two files: the call imports the first, a worker the second. */
  async sendBoth(): Promise<void> {
    await Promise.all([this.send(false), this.send(true)]);
  }

  private async send(later: boolean): Promise<void> {
    const file = this.files++;
    const rows = Array.from({ length: rowsOfAFile }, (_, i) => firstRow + file * rowsOfAFile + i);
    const body = `run\n${rows.join('\n')}\n`;
    const path = `/api/v1/tables/${this.table}/import?workspaceId=${this.workspaceId}&async=${later}`;
    const call = () => this.caller.call('POST', path, { body, idempotencyKey: `file-${file}` });
    const end = async () => this.outcome(await call());
    const outcomes = await Promise.all([end(), end()]);
    this.done.push({ rows, outcomes: [...outcomes, await end()] });
  }

  private async outcome({ status, body }: Reply): Promise<string> {
    if (status === 200) return `${body.data.insertedCount} rows`;
    if (status !== 202) return `${status} ${JSON.stringify(body)}`;
    const { id } = body.data.import;
    for (;;) {
      const path = `/api/v1/tables/${this.table}/imports/${id}?workspaceId=${this.workspaceId}&wait=10`;
      const { data } = (await this.caller.call('GET', path)).body;
      const { status: state, insertedCount, error } = data.import;
      if (!['pending', 'processing'].includes(state))
        return state === 'completed' ? `${insertedCount} rows` : `${state}: ${error}`;
    }
  }
}
