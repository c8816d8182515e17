import type { Answer, Stack } from './stack.ts';

export const columns = [
  { name: 'email', type: 'string', required: true, unique: true },
  { name: 'score', type: 'number' },
  { name: 'won', type: 'boolean', default: false },
  { name: 'met', type: 'date' },
  { name: 'notes', type: 'json' },
];

/** Tables of a stack, for tests that call their endpoints. */
export class Tables {
  /** Part of the names, which makes each unique. */
  made = 0;

  constructor(private readonly stack: () => Stack) {}

  /** Makes a table and returns its path. */
  async given(tableColumns: object[] = columns, more: object = {}): Promise<string> {
    const stack = this.stack();
    const name = `table_${this.made++}`;
    const body = { workspaceId: stack.home.id, name, schema: { columns: tableColumns }, ...more };
    const answer = await stack.post('/api/v1/tables', body);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return `/api/v1/tables/${answer.body.data.table.id}`;
  }

  /** Inserts rows and returns their ids. */
  async rows(table: string, rows: object[]): Promise<string[]> {
    const { body } = await this.stack().post(`${table}/rows`, { rows });
    return body.data.rows.map((row: { id: string }) => row.id);
  }

  list(table: string, query: Record<string, unknown> = {}): Promise<Answer> {
    const stack = this.stack();
    const text = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
    const all = { workspaceId: stack.home.id, ...query };
    const pairs = Object.entries(all).map(([name, value]): [string, string] => [name, text(value)]);
    return stack.get(`${table}/rows?${new URLSearchParams(pairs)}`);
  }
}
