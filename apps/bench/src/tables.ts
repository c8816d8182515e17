import pg from 'pg';
import type { JsonObject } from '#libs/platform/json/json';
import { quantile, round } from './figures.ts';
import type { Ground } from './ground.ts';
import type { Installation, Neighbour } from './installation.ts';
import { goalsHold } from './reports.ts';

interface TablesOptions {
  runs: number;
  rows: number;
  say(line: string): void;
}

const columns = [
  { name: 'email', type: 'string', required: true, unique: true },
  { name: 'points', type: 'number' },
  { name: 'stage', type: 'string' },
  { name: 'won', type: 'boolean' },
  { name: 'met', type: 'date' },
  { name: 'amount', type: 'number' },
  { name: 'note', type: 'string' },
  { name: 'city', type: 'string' },
  { name: 'visits', type: 'number' },
  { name: 'rank', type: 'number' },
  // The fifth number has no slot.
  { name: 'spent', type: 'number' },
];
const perCall = 1000;
/** A filter on each column, with and without a slot, in turn. */
const anyFilters: ((n: number) => object)[] = [
  (n) => ({ email: `user${n * 7919}@example.org` }),
  () => ({ points: { $gte: 990_000 } }),
  (n) => ({ stage: `stage${n % 20}` }),
  (n) => ({ won: n % 2 === 0 }),
  (n) => ({ met: { $gte: dayOf(n), $lt: dayOf(n + 30) } }),
  (n) => ({ city: `city${n}` }),
  (n) => ({ spent: { $gte: 99_000 - n } }),
];

/** The numbers of clients that insert single rows. */
const widths = [1, 8, 32, 64];
/** The goal for single inserts is checked at the highest number of clients. */
const writers = Math.max(...widths);
/** Tables beside raw Postgres on the same server: a table of a million rows, and its effect on its neighbours. */
export async function tables(
  ground: Ground,
  { runs, rows, say }: TablesOptions,
): Promise<Record<string, unknown>> {
  const installation = await ground.another('tables');
  const bench = new TablesBench(installation, await rawOf(ground), { runs, rows, say });
  try {
    const figures = await bench.run();
    return { bench: 'tables', rows, ...figures, goalsHold: goalsHold('tables', figures) };
  } finally {
    await bench.end();
  }
}

/** Typed tables in the same server, without the product. */
async function rawOf({ cluster }: Ground): Promise<pg.Pool> {
  const raw = new pg.Pool({ connectionString: cluster.databaseUrl, max: writers });
  await raw.query('drop table if exists bench_typed, bench_single');
  await raw.query(`create table bench_typed (id bigint generated always as identity primary key, email text unique, points numeric,
    stage text, won boolean, met timestamptz, amount numeric, note text, city text, visits numeric, rank numeric, spent numeric)`);
  await raw.query('create table bench_single (like bench_typed including all)');
  return raw;
}

const dayOf = (n: number) => new Date(Date.UTC(2026, 0, 1 + (n % 365), 8)).toISOString();

const rowOf = (n: number): JsonObject => ({
  email: `user${n}@example.org`,
  points: (n * 7919) % 1_000_000,
  stage: `stage${n % 20}`,
  won: n % 2 === 0,
  met: dayOf(n),
  amount: ((n * 31) % 100_000) / 100,
  note: `some text of a certain length that is there to be carried along, number ${n}`,
  city: `city${n % 1000}`,
  visits: n % 50,
  rank: n % 7,
  spent: (n * 17) % 100_000,
});

class TablesBench {
  private path = '';
  private nextSingle = 10_000_000;

  constructor(
    private readonly installation: Installation,
    private readonly raw: pg.Pool,
    private readonly options: TablesOptions,
  ) {}

  async run(): Promise<Record<string, number>> {
    const { say, rows } = this.options;
    this.path = await this.given('bench');
    say(`Inserting ${rows} rows, ${perCall} a call ...`);
    const bulkInsertRowsPerS = await this.bulk();
    await this.rawRows();
    say('Inserting single rows, here and in raw Postgres ...');
    const singles = await this.singles();
    say('Reading pages without an index ...');
    const anyPageP95Ms = await this.pages(84, (n) => anyFilters[n % anyFilters.length]?.(n) ?? {});
    const containsPageP95Ms = await this.pages(10, (n) => ({ note: { $contains: `number ${n}99` } }));
    say('Building an index ...');
    await this.index('points');
    const indexedPageP95Ms = await this.pages(100, (n) => ({
      points: n % 2 ? { $gte: 990_000 + n } : (n * 7919) % rows,
    }));
    const renameMs = await this.rename();
    say('Adding up ...');
    const aggregateRatioToTyped = await this.aggregate('stage', 'amount');
    // Neither column has a slot.
    const aggregateRatioWithoutSlots = await this.aggregate('won', 'spent');
    say('A neighbour, without and beside changes of 10,000 rows ...');
    const neighbourRatio = await this.neighbour();
    const figures = {
      bulkInsertRowsPerS,
      ...singles,
      indexedPageP95Ms,
      anyPageP95Ms,
      containsPageP95Ms,
      renameMs,
      neighbourRatio,
      aggregateRatioToTyped,
      aggregateRatioWithoutSlots,
    };
    return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, round(value)]));
  }

  end(): Promise<void> {
    return this.raw.end();
  }

  private async given(name: string, home: Neighbour = this.installation): Promise<string> {
    const { data } = await home.post('/api/v1/tables', { name, schema: { columns } }, 200);
    const { table: created } = data as { table: { id: string } };
    return `/api/v1/tables/${created.id}`;
  }

  private async bulk(): Promise<number> {
    const { rows } = this.options;
    const begun = performance.now();
    await spread(rows / perCall, 2, (call) => {
      const part = Array.from({ length: perCall }, (_, i) => rowOf(call * perCall + i));
      return this.installation.post(`${this.path}/rows`, { rows: part }, 201);
    });
    return (rows * 1000) / (performance.now() - begun);
  }

  private async rawRows(): Promise<void> {
    await this.raw.query(
      `insert into bench_typed (email, points, stage, won, met, amount, note, city, visits, rank, spent)
       select 'user' || g || '@example.org', (g::bigint * 7919) % 1000000, 'stage' || g % 20, g % 2 = 0,
         timestamptz '2026-01-01T08:00:00Z' + make_interval(days => g % 365), ((g::bigint * 31) % 100000) / 100.0,
         'some text of a certain length that is there to be carried along, number ' || g, 'city' || g % 1000, g % 50, g % 7,
         (g::bigint * 17) % 100000
       from generate_series(0, $1::int - 1) g`,
      [this.options.rows],
    );
    await this.raw.query('vacuum analyze bench_typed');
  }

  /**
   * The ratio at each number of clients. With few clients the groups of rows are small, and each group costs a
   * transaction.
   */
  private async singles(): Promise<Record<string, number>> {
    const path = `${await this.given('single')}/rows`;
    const { runs } = this.options;
    // Opens the raw connections and compiles our code.
    await this.turn(path, runs * 100, writers);
    const figures: Record<string, number> = {};
    for (const width of widths) {
      const ratios: number[] = [];
      // Long enough that a short stop of the disk does not decide a turn.
      for (let turn = 0; turn < 3; turn++) ratios.push(await this.turn(path, runs * (40 + 4 * width), width));
      const name = width === writers ? 'singleInsertRatioToRaw' : `singleInsertRatioAt${width}`;
      figures[name] = quantile(ratios, 0.5);
    }
    return figures;
  }

  /** Commits single rows with the same number of clients, first raw, then through the product. */
  private async turn(path: string, count: number, width: number): Promise<number> {
    const sql = `insert into bench_single (${columns.map(({ name }) => name).join()}) values (${columns.map((_, i) => `$${i + 1}`).join()})`;
    const from = this.nextSingle;
    this.nextSingle += count;
    const rawMs = await timed(() =>
      spread(count, width, (n) =>
        this.raw.query({ name: 'single', text: sql, values: Object.values(rowOf(from + n)) }),
      ),
    );
    const ownMs = await timed(() =>
      spread(count, width, (n) => this.installation.post(path, { data: rowOf(from + n) }, 201)),
    );
    return rawMs / ownMs;
  }

  private async pages(count: number, filterOf: (n: number) => object): Promise<number> {
    const durations: number[] = [];
    for (let n = 0; n < count; n++) {
      const { workspaceId } = this.installation;
      const query = new URLSearchParams({ workspaceId, filter: JSON.stringify(filterOf(n)) });
      durations.push(await timed(() => this.installation.get(`${this.path}/rows?${query}`)));
    }
    return quantile(durations, 0.95);
  }

  private async index(columnName: string): Promise<void> {
    await this.installation.patch(`${this.path}/columns`, { columnName, updates: { indexed: true } });
    for (;;) {
      const { data } = await this.installation.get(this.path);
      const answer = data as { table: { schema: { columns: { name: string; index?: string }[] } } };
      if (answer.table.schema.columns.some(({ name, index }) => name === columnName && index === 'ready'))
        return;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  private async rename(): Promise<number> {
    const names = ['note', 'remark', 'note', 'remark', 'note', 'remark'];
    const durations: number[] = [];
    for (const [i, columnName] of names.slice(0, -1).entries()) {
      const body = { columnName, updates: { name: names[i + 1] } };
      durations.push(await timed(() => this.installation.patch(`${this.path}/columns`, body)));
    }
    return Math.max(...durations);
  }

  private async aggregate(by: string, of: string): Promise<number> {
    const body = { groupBy: [by], aggregates: { n: { count: '*' }, total: { sum: of } } };
    const sql = `select ${by}, count(*), sum(${of}) from bench_typed group by ${by} order by ${by}`;
    const [own, typed]: [number[], number[]] = [[], []];
    for (let n = 0; n < 7; n++) {
      typed.push(await timed(() => this.raw.query(sql)));
      own.push(await timed(() => this.installation.post(`${this.path}/rows/aggregate`, body, 200)));
    }
    this.options.say(`aggregate: ${round(quantile(own, 0.5))} ms, typed ${round(quantile(typed, 0.5))} ms`);
    return quantile(own, 0.5) / quantile(typed, 0.5);
  }

  /** Single inserts into a small table of another workspace, alone and beside changes of 10,000 rows here, in turn. */
  private async neighbour(): Promise<number> {
    const home = await this.installation.neighbour();
    const path = await this.given('neighbour', home);
    let next = 0;
    const work = async () => {
      const durations: number[] = [];
      const until = performance.now() + 2000;
      while (performance.now() < until)
        durations.push(await timed(() => home.post(`${path}/rows`, { data: rowOf(next++) }, 201)));
      return quantile(durations, 0.5);
    };
    const ratios: number[] = [];
    // Many turns, because a vacuum can spoil one.
    for (let turn = 0; turn < 9; turn++) {
      const alone = await work();
      ratios.push((await this.whileChanging(work)) / alone);
    }
    return quantile(ratios, 0.5);
  }

  /** Does the work while calls change 10,000 rows each, one after the other. */
  private async whileChanging<T>(work: () => Promise<T>): Promise<T> {
    const state = { going: true };
    const changing = (async () => {
      for (let n = 0; state.going; n++) {
        const body = {
          filter: { position: { $gte: n * 10_000, $lt: (n + 1) * 10_000 } },
          data: { city: `moved ${n}` },
        };
        await this.installation.put(`${this.path}/rows`, body);
      }
    })();
    const result = await work();
    state.going = false;
    await changing;
    return result;
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** Runs the work for each number, with `width` clients. */
async function spread(count: number, width: number, work: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let n = next++; n < count; n = next++) await work(n);
    }),
  );
}
