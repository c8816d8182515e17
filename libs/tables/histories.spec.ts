import type { ExactObject } from '#libs/platform/json/exact-json';
import { Invalid } from '#libs/platform/errors/errors';
import { buildDeletions, updateWhere, buildUpsert, parseRowsInput } from './writes/row-operations.ts';
import type { ColumnInput } from './schema/columns.ts';
import { dataByName } from './reads/row.ts';
import { rowIdText } from './reads/row-ids.ts';
import { Chance } from './support/random.ts';
import { type GivenTables, givenTables, ours, repeatWhileLocked, slotTakers } from './support/store.ts';

/**
 * Many writers change a table at the same time, with every kind of change. Each change raises the version of the table, so the versions
 * give the order of the changes. A model with a single writer replays the changes in this order. Each real result must equal the result
 * of the model.
 */
const writers = 8;
const perWriter = 60;

let given: GivenTables;
beforeAll(async () => {
  given = await givenTables({ DATABASE_POOL_MAX: '16' });
  await givenLog();
});
afterAll(() => given.stop());

interface Done {
  tag: string;
  kind: 'insert' | 'upsert' | 'update' | 'delete' | 'type';
  key: string;
  n: string;
  below: string;
  /** The ids in the response, in order; null when the change was refused because of its key. */
  ids: string[] | null;
  inserted?: boolean;
  /** The version of the table before the call, and the version after its response. */
  from: number;
  to: number;
}

interface Cells {
  key: string;
  n: string | number;
  tag: string;
}

interface Logged {
  version: string;
  op: string;
  id: string;
  data: { key: string; n: string | number; tag: string } | null;
}

test.each([
  ['in slots', []],
  ['in no slots', slotTakers],
])(
  'concurrent changes of columns %s have the result of changes one after the other',
  async (_how, before) => {
    const place = await givenHistory(before);
    const done: Done[] = [];
    await Promise.all(
      Array.from({ length: writers }, async (_, writer) => {
        const chance = new Chance(writer + 1);
        for (let n = 0; n < perWriter; n++) done.push(await change(place, chance, `${writer}-${n}`));
      }),
    );
    const cells = 'json_build_object($2::text, data -> $3, $4::text, data -> $5, $6::text, data -> $7)';
    const { rows } = await given.owner.query<Logged>(
      `select version, op, id, case when data is not null then ${cells} end as data from test_log
     where table_no = $1 order by version, no`,
      [place.no, ...['key', 'n', 'tag'].flatMap((name) => [name, place.ids[name]])],
    );
    const model = new Model(done, rows);
    model.play();
    model.checkWhatChangedNothing();
    expect(model.faults).toEqual([]);
    const left = await given.rows.list(place, { limit: 1000, offset: 0 });
    const shown = (data: ExactObject) => dataByName(left.columns.slice(before.length), data);
    expect(left.rows.map(({ id, data }) => [rowIdText(id), shown(data)])).toEqual(model.stored());
    // All kinds have happened, with and without an effect.
    for (const kind of ['insert', 'upsert', 'update', 'delete', 'type']) expect(model.kinds).toContain(kind);
    expect(done.filter(({ ids }) => ids === null).length).toBeGreaterThan(10);
  },
);

async function givenHistory(before: ColumnInput[]) {
  const columns = [
    { name: 'key', type: 'string' as const, unique: true },
    { name: 'n', type: 'number' as const },
    { name: 'tag', type: 'string' as const },
  ];
  const table = await given.tables.create(ours, {
    name: `history_${before.length}`,
    columns: [...before, ...columns],
  });
  const ids = Object.fromEntries(table.columns.map(({ name, id }) => [name, id]));
  return { workspaceId: ours, tableId: table.id, no: table.no, ids };
}

async function givenLog() {
  // Writes down every row as it was written, with the version of the table.
  await given.owner.query(/* sql */ `
    create table test_log (no serial, table_no bigint, version bigint, op text, id uuid, data jsonb);
    grant insert on test_log to public;
    grant usage on sequence test_log_no_seq to public;
    create function test_logs() returns trigger language plpgsql as $$ begin
      if tg_op = 'DELETE' then
        insert into test_log (table_no, version, op, id) select t.no, t.version, tg_op, old.id from tables t where t.no = old.table_no;
      else insert into test_log (table_no, version, op, id, data) values (new.table_no, new.version, tg_op, new.id, new.data);
      end if;
      return null;
    end $$;
    create trigger test_logs after insert or update or delete on table_rows for each row execute function test_logs();`);
}

const version = async ({ tableId }: { tableId: string }) =>
  Number((await given.tables.get(ours, tableId)).version);

async function change(
  place: { workspaceId: string; tableId: string },
  chance: Chance,
  tag: string,
): Promise<Done> {
  const kind = chance.of(['insert', 'insert', 'upsert', 'upsert', 'update', 'delete', 'type'] as const);
  const [key, n, below] = [`k${chance.below(15)}`, String(chance.below(8)), String(chance.below(4))];
  const from = await version(place);
  const planned = {
    tag,
    kind,
    key,
    n,
    below,
    type: chance.of(['string', 'number'] as const),
  };
  const outcome = await repeatWhileLocked(() => act(place, planned));
  return { tag, kind, key, n, below, from, ...outcome, to: await version(place) };
}

async function act(
  place: { workspaceId: string; tableId: string },
  wish: Pick<Done, 'tag' | 'kind' | 'key' | 'n' | 'below'> & { type: 'string' | 'number' },
): Promise<{ ids: string[] | null; inserted?: boolean }> {
  const { tag, kind, key, n, below } = wish;
  try {
    if (kind === 'insert') {
      const { rows } = await given.changes.insertRows(place, parseRowsInput({ data: { key, n, tag } }));
      return { ids: rows.map(({ id }) => rowIdText(id)) };
    }
    if (kind === 'upsert') {
      const { rows, inserted } = await given.changes.apply(place, buildUpsert({ key, n, tag }, undefined));
      return { ids: rows.map(({ id }) => rowIdText(id)), inserted };
    }
    if (kind === 'update')
      return {
        ids: await given.changes.apply(place, updateWhere({ filter: { n: { $lt: below } } }, { n, tag })),
      };
    if (kind === 'delete')
      return { ids: await given.changes.apply(place, buildDeletions({ filter: { n: below } })) };
    await given.columns.changeColumn(place, 'n', { type: wish.type });
    return { ids: [] };
  } catch (error) {
    // A number for a text column: the type has changed between reading the columns and writing would be a bug, not this.
    if (error instanceof Invalid && error.details?.[0]?.code === 'duplicate') return { ids: null };
    throw error;
  }
}

class Model {
  readonly faults: string[] = [];
  readonly kinds = new Set<string>();
  private readonly rows = new Map<string, Cells>();
  /** The state after each version. */
  private readonly states = new Map<number, Cells[]>([[0, []]]);
  private readonly byTag: Map<string, Done>;
  private readonly byVersion = new Map<number, Logged[]>();
  private readonly deletedBy = new Map<string, Done>();

  constructor(
    private readonly done: Done[],
    logged: Logged[],
  ) {
    this.byTag = new Map(done.map((one) => [one.tag, one]));
    for (const one of done)
      if (one.kind === 'delete') for (const id of one.ids ?? []) this.deletedBy.set(id, one);
    for (const one of logged) {
      const at = Number(one.version);
      this.byVersion.set(at, [...(this.byVersion.get(at) ?? []), one]);
    }
  }

  play(): void {
    for (const [at, lines] of this.byVersion) {
      const first = lines[0];
      const id = rowIdText(first?.id ?? '');
      const one = first?.op === 'DELETE' ? this.deletedBy.get(id) : this.byTag.get(first?.data?.tag ?? '');
      const isType = first?.op === 'UPDATE' && typeof this.rows.get(id)?.n !== typeof first.data?.n;
      if (isType) this.convert(at, lines);
      else if (one) this.apply(at, one, lines);
      else this.faults.push(`nobody has written version ${at}`);
      this.states.set(
        at,
        [...this.rows.values()].map((cells) => ({ ...cells })),
      );
    }
  }

  /** A change that was refused or changed nothing must have had a reason at some moment between its call and its response. */
  checkWhatChangedNothing(): void {
    for (const { kind, ids, key, below, from, to, tag } of this.done) {
      const seen = [...this.states].filter(([at]) => at >= from && at <= to).map(([, state]) => state);
      const reason =
        ids === null
          ? (state: Cells[]) => state.some((cells) => cells.key === key)
          : (state: Cells[]) => !state.some((cells) => this.reaches(kind, below, cells));
      const nothing = ids === null || ((kind === 'update' || kind === 'delete') && ids.length === 0);
      if (nothing && seen.length > 0 && !seen.some(reason)) this.faults.push(`${tag} ${kind} had no reason`);
    }
  }

  stored(): unknown[] {
    return [...this.rows].map(([id, { key, n, tag }]) => [id, { key, n, tag }]);
  }

  private apply(at: number, one: Done, lines: Logged[]): void {
    const { kind, key, n, tag, below } = one;
    this.kinds.add(kind);
    const holder = [...this.rows].find(([, cells]) => cells.key === key)?.[0];
    const ids = lines.map(({ id }) => rowIdText(id));
    const expect = (what: string, is: unknown, wanted: unknown) => {
      if (JSON.stringify(is) !== JSON.stringify(wanted))
        this.faults.push(
          `${at} ${tag} ${kind}: ${what} ${JSON.stringify(is)}, not ${JSON.stringify(wanted)}`,
        );
    };
    const cells = { key, n: lines[0]?.data?.n ?? n, tag };
    expect('answered', one.ids?.toSorted(), ids.toSorted());
    if (kind === 'insert' || (kind === 'upsert' && holder === undefined)) {
      expect('found its key at', holder, undefined);
      if (kind === 'upsert') expect('inserted', one.inserted, true);
      this.rows.set(ids[0] ?? '', cells);
    } else if (kind === 'upsert') {
      expect('changed', ids, [holder]);
      this.rows.set(holder ?? '', cells);
    } else {
      const reached = [...this.rows].filter(([, row]) => this.reaches(kind, below, row)).map(([id]) => id);
      expect('reached', one.ids, reached);
      for (const id of reached) {
        const row = this.rows.get(id);
        if (kind === 'delete') this.rows.delete(id);
        else if (row) Object.assign(row, { n: cells.n, tag });
      }
    }
  }

  private reaches(kind: Done['kind'], below: string, { n }: Cells): boolean {
    if (kind === 'delete') return String(n) === below;
    return typeof n === 'number' ? n < Number(below) : n < below;
  }

  private convert(at: number, lines: Logged[]): void {
    this.kinds.add('type');
    for (const cells of this.rows.values())
      cells.n = typeof cells.n === 'number' ? String(cells.n) : Number(cells.n);
    const text = (one: unknown) => JSON.stringify(one);
    const wanted = new Set(this.stored().map(text));
    const found = new Set(lines.map(({ id, data }) => text([rowIdText(id), data])));
    if (found.size !== wanted.size || [...found].some((one) => !wanted.has(one)))
      this.faults.push(`${at}: a change of the type has not changed each row`);
  }
}
