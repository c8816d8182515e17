import { exactJson, type ExactObject } from '#libs/platform/json/exact-json';
import { Invalid } from '#libs/platform/errors/errors';
import { Exports, type ExportInput } from './exports.ts';
import { type ImportInput, Imports, type ImportMode } from './imports.ts';
import { dataByName } from '../reads/row.ts';
import { Chance, row } from '../support/random.ts';
import { types } from '../support/oracle.ts';
import { onDisk } from '../support/on-disk.ts';
import { type GivenTables, givenTables, ours } from '../support/store.ts';
import type { ColumnType } from '../schema/cells.ts';
import type { Column } from '../schema/columns.ts';
import type { ReadOptions } from './import-options.ts';
import { buildPlan } from './import-plan.ts';
import { withSource } from './import-source.ts';
import { parseRowsInput } from '../writes/row-operations.ts';

let given: GivenTables;
beforeAll(async () => {
  given = await givenTables();
});
afterAll(() => given.stop());

let made = 0;
async function givenTable(columns: Parameters<typeof given.tables.create>[1]['columns'], maxRows?: number) {
  const { id } = await given.tables.create(ours, { name: `table_${made++}`, columns, maxRows });
  return { workspaceId: ours, tableId: id };
}
type Place = Awaited<ReturnType<typeof givenTable>>;
const leads = () =>
  givenTable([
    { name: 'email', type: 'string', required: true, unique: true },
    { name: 'score', type: 'number' },
    { name: 'notes', type: 'json' },
  ]);

/** Imports a file, and returns its report without the ways in which it was read. */
async function read(
  place: Place,
  file: string | Uint8Array,
  mode: ImportMode = 'all',
  options: ReadOptions = {},
) {
  const { taken: _, tableId: _id, ...report } = await readAs(place, file, { mode, options });
  return report;
}

const asLines = { contentType: 'application/x-ndjson' };

const readAs = (
  place: Place,
  file: string | Uint8Array,
  { mode = 'all', options = {} }: Partial<ImportInput>,
) =>
  onDisk(file, (path) =>
    given.app
      .get(Imports)
      .readImport(place, { mode, options: { contentType: 'text/csv', ...options } }, path),
  );

async function rowsOf(place: Place): Promise<ExactObject[]> {
  const { columns, rows } = await given.rows.list(place, { limit: 1000, offset: 0 });
  return rows.map(({ data }) => dataByName(columns, data));
}

async function written(place: Place, wish: Partial<ExportInput>): Promise<string> {
  const parts = await given.app
    .get(Exports)
    .writeExport(place, { format: 'csv', guardFormulas: true, ...wish });
  let text = '';
  for await (const part of parts) text += part;
  return text;
}

const refusal = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Invalid)) throw new Error(`it was not refused: ${String(error)}`);
  return [error.details?.[0]?.path, error.details?.[0]?.message];
};

test('a CSV with a byte order mark, quotes, line breaks in cells and both kinds of line ends is read', async () => {
  const place = await leads();
  const csv =
    '\uFEFFemail,score,notes\r\n"a, ""b""\nc",12345678901234567890.5,"{""x"":[9007199254740993]}"\r\n\r\näöü😀,,\n';
  expect(await read(place, csv)).toEqual({ insertedCount: 2, refusedCount: 0, refused: [] });
  expect(exactJson(await rowsOf(place))).toBe(
    exactJson([
      { email: 'a, "b"\nc', score: 0, notes: 0 },
      { email: 'äöü😀', score: null, notes: null },
    ])
      .replace('"score":0', '"score":12345678901234567890.5')
      .replace('"notes":0', '"notes":{"x":[9007199254740993]}'),
  );
});

const mixed = `email,score
a,1
b,many
c,2,3
a,4
,5
d,6
`;
const refusedOfMixed = [
  { line: 3, message: 'score must be a number, not "many"' },
  { line: 4, message: 'has 3 values, and the header has 2' },
  { line: 6, message: 'email is required' },
  { line: 5, message: 'email is unique, and its value is there already' },
];

test('a file with bad lines imports nothing, and lists these lines', async () => {
  const place = await leads();
  const error: Invalid = await read(place, mixed).then(
    () => undefined as never,
    (thrown: Invalid) => thrown,
  );
  expect(error.message).toBe('4 lines are refused; nothing was imported.');
  expect(error.details?.map(({ path, message }) => ({ line: Number(path.slice(5)), message }))).toEqual(
    refusedOfMixed,
  );
  expect(await rowsOf(place)).toEqual([]);
});

test('the good lines of a file are kept in the mode good, up to the cap', async () => {
  const place = await leads();
  expect(await read(place, mixed, 'good')).toEqual({
    insertedCount: 2,
    refusedCount: 4,
    refused: refusedOfMixed,
  });
  expect((await rowsOf(place)).map(({ email }) => email)).toEqual(['a', 'd']);
  const small = await givenTable([{ name: 'n', type: 'number' }], 1500);
  const many = ['n', ...Array.from({ length: 2000 }, (_, i) => `${i}`)].join('\n');
  const report = await read(small, many, 'good');
  expect([report.insertedCount, report.refusedCount, report.refused.length]).toEqual([1500, 500, 100]);
  expect(report.refused[0]).toEqual({
    line: 1502,
    message: 'the table may have 1500 rows, and has no room for it',
  });
  expect((await rowsOf(small)).length).toBe(1000);
});

test('a file of JSON lines is read, and its bad lines are reported', async () => {
  const place = await leads();
  const records = [
    '{"email":"a","score":9007199254740993}',
    '',
    '[1]',
    '{"email":"b"',
    '{"email":"x\\u0000"}',
    '{"email":"c","nope":1}',
    '{"email":"d"}',
    '{"email":"e","notes":[1e-16000]}',
    '{"email":"f","notes":1e200000}',
    '{"email":"g","email":"h"}',
    '{"email":"i","notes":[{"x":{"y":1,"z":":","y":1}}]}',
  ];
  const report = await read(place, records.join('\n'), 'good', asLines);
  expect(report.refused.map(({ line }) => line)).toEqual([3, 4, 5, 6, 8, 9, 10, 11]);
  expect(report.refused.slice(4).map(({ message }) => message)).toEqual([
    'notes holds the number 1e-16000, which must be 0 or lie between 1e-307 and 1.7e308, without its sign',
    'notes: It is a number beyond 1.7e308, which is out of range.',
    'email: is twice in one object',
    'notes.0.x.y: is twice in one object',
  ]);
  const [path] = await refusal(read(place, records.slice(7, 8).join('\n'), 'all', asLines));
  expect(path).toBe('line 1');
  expect(exactJson((await rowsOf(place)).map(({ email, score }) => [email, score]))).toBe(
    '[["a",9007199254740993],["d",null]]',
  );
});

test('documents in a CSV are held to the same rules as in a body', async () => {
  const place = await leads();
  const cells = [
    '[1e-16000]',
    '1e200000',
    '{""a"":1,""a"":1}',
    '{""__proto__"":1}',
    '{',
    '""\\u0000""',
    '[1]',
  ];
  const csv = ['email,notes', ...cells.map((cell, i) => `${i},"${cell}"`)].join('\n');
  const report = await read(place, csv, 'good');
  expect([report.insertedCount, report.refused.map(({ line }) => line)]).toEqual([1, [2, 3, 4, 5, 6, 7]]);
  expect(await rowsOf(place)).toEqual([{ email: '6', score: null, notes: [1] }]);
  expect(await refusal(read(place, csv))).toEqual([
    'line 2',
    'notes holds the number 1e-16000, which must be 0 or lie between 1e-307 and 1.7e308, without its sign',
  ]);
});

test('a cell of a column that is named like a prototype is not lost in silence', async () => {
  // Such a column cannot be made any more.
  const named: Column[] = ['__proto__', 'b'].map((name, i) => ({
    id: `c${i}`,
    name,
    type: 'string',
    required: false,
    unique: false,
  }));
  const found = await onDisk('__proto__,b\n,1\n2,3\n', (path) =>
    withSource(path, { names: [], workspaceId: ours, options: {} }, async (source) => {
      const plan = await buildPlan(source, named, {});
      const all = [];
      for await (const records of source.read()) all.push(...plan.toLines(records));
      return all;
    }),
  );
  expect(found).toEqual([
    { line: 2, data: { b: '1' } },
    { line: 3, fault: '__proto__: __proto__ is no name for a member.' },
  ]);
});

test('a CSV tells an empty text, which has quotes, from an empty cell, also in a table of one column', async () => {
  const one = await givenTable([{ name: 's', type: 'string' }]);
  const rows = [{ s: 'x' }, { s: null }, { s: '' }, { s: 'y' }, { s: null }];
  await given.changes.insertRows(one, parseRowsInput({ rows }));
  const csv = await written(one, {});
  expect(csv).toBe('s\r\nx\r\n\r\n""\r\ny\r\n\r\n');
  const copy = await givenTable([{ name: 's', type: 'string' }]);
  await read(copy, csv);
  expect(await rowsOf(copy)).toEqual(rows);
  const place = await leads();
  await read(place, '\n"email","score","notes"\n"a","",""\n\n"","2",\n');
  expect(await rowsOf(place)).toEqual([
    { email: 'a', score: null, notes: null },
    { email: '', score: 2, notes: null },
  ]);
});

test.each<[string, string | Uint8Array, string, RegExp]>([
  ['no line', '', 'line 1', /is empty/],
  ['an unknown column', 'email,nope\na,1\n', 'line 1', /"nope", which is no column/],
  [
    '10,000 columns',
    Array.from({ length: 10_000 }, (_, i) => `c${i}`).join(','),
    'line 1',
    /a file may have 2000/,
  ],
  ['1,500 columns', Array.from({ length: 1500 }, (_, i) => `c${i}`).join(','), 'line 1', /no column/],
  ['a column twice', 'email,email\na,b\n', 'line 1', /twice/],
  [
    'a quote that nobody closes',
    'email,score\na,1\n"b,2\nc,3\n',
    'line 3',
    /opens a quote that is not closed/,
  ],
  ['a line without end', `email\n${'a'.repeat(3_000_000)}`, 'line 2', /has more than 1048576 characters/],
  [
    'a quote before a text without end',
    `email\na\n"${'a\n'.repeat(1_000_000)}`,
    'line 3',
    /more than .* may not be closed/,
  ],
  ['zeros', Buffer.from([1, 0, 0, 0, 0, 5, 200]), '', /neither text nor a workbook/],
])('a CSV with %s is refused as a whole, with the line', async (_, file, path, message) => {
  const place = await leads();
  for (const mode of ['all', 'good'] as const) {
    const [found, said] = await refusal(read(place, file, mode));
    expect(found).toBe(path);
    expect(said).toMatch(message);
  }
  expect(await rowsOf(place)).toEqual([]);
});

const manyNames = Array.from({ length: 80_000 }, (_, i) => `"n${i}":1`).join(',');
test.each<[string, string, ReadOptions]>([
  ['half a million equal names', 'a,'.repeat(500_000), {}],
  ['a record of half a million values without a header', 'a,'.repeat(500_000), { header: false }],
  ['80,000 members', `{${manyNames}}`, asLines],
])('a file with %s is refused before anything is made of them', async (_, file, options) => {
  const place = await leads();
  const [path, said] = await refusal(read(place, file, 'all', { ...options, createColumns: true }));
  expect([path, said]).toEqual(['line 1', expect.stringContaining('a file may have 2000')]);
});

test('a CSV with 900 equal names gets a column for each', async () => {
  const place = await givenTable([]);
  await read(place, `${'a,'.repeat(899)}A\n${'1,'.repeat(899)}2\n`, 'all', { createColumns: true });
  const [made = {}] = await rowsOf(place);
  expect(Object.keys(made)).toHaveLength(900);
  expect(made).toMatchObject({ a: 1, a_2: 1, a_899: 1, A_900: 2 });
});

test('exported rows are imported again unchanged, in both forms', async () => {
  const columns = Object.entries(types).map(([name, type]) => ({ name, type: type as ColumnType }));
  const chance = new Chance(11);
  const place = await givenTable(columns);
  await given.changes.insertRows(
    place,
    parseRowsInput({ rows: Array.from({ length: 300 }, () => row(chance)) }),
  );
  const before = await rowsOf(place);
  expect(before.length).toBeGreaterThan(50);
  for (const format of ['csv', 'jsonl'] as const) {
    const copy = await givenTable(columns);
    await read(copy, await written(place, { format }), 'all', format === 'csv' ? {} : asLines);
    expect(exactJson(await rowsOf(copy))).toBe(exactJson(before));
  }
});

test('an exported table with defaults, empty cells and guarded texts is imported again as the same table', async () => {
  const columns = [
    { name: 's', type: 'string' as const, default: 'new' },
    { name: 'n', type: 'number' as const, default: 7 },
    { name: 'b', type: 'boolean' as const },
  ];
  const place = await givenTable(columns);
  const texts = [
    '+49 30',
    "'+49",
    "''=1",
    '-',
    '@ann',
    "'",
    '',
    null,
    'a;b',
    '1,5',
    'TRUE',
    '=1\n',
    '\u00e4\u20ac',
  ];
  const rows = texts.map((s) => ({ s, n: null, b: true }));
  await given.changes.insertRows(place, parseRowsInput({ rows }));
  for (const [guardFormulas, options] of [
    [true, {}],
    [false, { guardFormulas: false }],
  ] as const) {
    const copy = await givenTable(columns);
    await read(copy, await written(place, { guardFormulas }), 'all', options);
    expect(await rowsOf(copy)).toEqual(rows);
  }
});

test('an exported text that a spreadsheet would take for a formula has a quote in front of it', async () => {
  const place = await givenTable([
    { name: 's', type: 'string' },
    { name: 'n', type: 'number' },
  ]);
  const texts = [
    '=1+1',
    '+1',
    '-1',
    '@x',
    '\tx',
    '\n=1',
    '＝1',
    '＋1',
    '－1',
    '＠x',
    'plain',
    '=HYPERLINK("http://x","y")',
  ];
  await given.changes.insertRows(place, parseRowsInput({ rows: texts.map((s) => ({ s, n: -1 })) }));
  const lines = [
    "'=1+1,-1",
    "'+1,-1",
    "'-1,-1",
    "'@x,-1",
    "'\tx,-1",
    '"\'\n=1",-1',
    "'＝1,-1",
    "'＋1,-1",
    "'－1,-1",
    "'＠x,-1",
    'plain,-1',
    `"'=HYPERLINK(""http://x"",""y"")",-1`,
  ];
  expect(await written(place, {})).toBe(['s,n', ...lines, ''].join('\r\n'));
  expect(await written(place, { filter: { s: { $startsWith: 'p' } }, format: 'jsonl' })).toBe(
    '{"s":"plain","n":-1}\n',
  );
});

test('an export reads no page before the previous page is taken', async () => {
  const place = await givenTable([{ name: 'n', type: 'number' }]);
  for (let from = 0; from < 3000; from += 1000)
    await given.changes.insertRows(
      place,
      parseRowsInput({ rows: Array.from({ length: 1000 }, (_, i) => ({ n: from + i })) }),
    );
  const parts = await given.app.get(Exports).writeExport(place, { format: 'jsonl', guardFormulas: true });
  await parts.next();
  // The rows are deleted while the reader pauses. A page that was read ahead would still have them.
  await given.changes.apply(place, async (writer) => writer.deleteWhere({ filter: { n: { $gte: 1000 } } }));
  const rest = [];
  for await (const part of parts) rest.push(part);
  expect(rest.join('')).toBe('');
});
