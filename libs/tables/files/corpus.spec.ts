import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { utils, write, type WorkSheet } from '@e965/xlsx';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { exactJson, type ExactObject } from '#libs/platform/json/exact-json';
import { Invalid } from '#libs/platform/errors/errors';
import { buildColumn, type ColumnInput } from '../schema/columns.ts';
import { onDisk } from '../support/on-disk.ts';
import { RowParser } from '../writes/row-parser.ts';
import { booleanWords } from './cell-texts.ts';
import type { ReadOptions } from './import-options.ts';
import { buildPlan } from './import-plan.ts';
import { withSource } from './import-source.ts';

/** Reads a file as an import does, without a database: its rows by column name, the refused lines, and what was found. */
async function readFile(bytes: string | Uint8Array, known: ColumnInput[] = [], options: ReadOptions = {}) {
  const wish = { createColumns: known.length === 0, ...options };
  const names = known.map(({ name }) => name);
  return onDisk(bytes, (path) =>
    withSource(path, { names, workspaceId: 'ws_a', options: wish }, async (source) => {
      const { taken, columns, create, toLines } = await buildPlan(source, known, wish);
      const all = [...known, ...create].map((column) => buildColumn(column, column.name));
      const rows: ExactObject[] = [];
      const refused: string[] = [];
      for await (const records of source.read())
        for (const { line, data, fault } of toLines(records)) {
          const parser = new RowParser(all);
          const row = data && parser.parseRow(data, '');
          try {
            parser.throwFaults();
            if (row) rows.push(row);
            else refused.push(`${line}: ${fault}`);
          } catch (error) {
            if (!(error instanceof Invalid)) throw error;
            refused.push(`${line}: ${error.details?.[0]?.path.slice(1)} ${error.details?.[0]?.message}`);
          }
        }
      const types = Object.fromEntries(create.map(({ name, type }) => [name, type]));
      return { rows: exactJson(rows), refused, taken, columns, types };
    }),
  );
}

const refusalOf = (bytes: string | Uint8Array, known?: ColumnInput[], options?: ReadOptions) =>
  readFile(bytes, known, options).then(
    () => 'was not refused',
    (error: Invalid) => `${error.details?.[0]?.path} ${error.details?.[0]?.message}`.trim(),
  );

const text = (name: string): ColumnInput => ({ name, type: 'string' });
const number = (name: string): ColumnInput => ({ name, type: 'number' });
const people = [text('name'), text('city'), number('score')];
const rows = [
  ['Müller, "Jo"', 'Köln', '1.5'],
  ['Ann\nLee', 'Zürich;West', '-20'],
  ['=1|2\tx', '', '12345678901234567890'],
];
const expected =
  '[{"name":"Müller, \\"Jo\\"","city":"Köln","score":1.5},{"name":"Ann\\nLee","city":"Zürich;West","score":-20},{"name":"=1|2\\tx","score":12345678901234567890}]';

/** Where each value has quotes, the empty one is an empty text. */
const quotedEmpty = expected.replace('\\tx"', '\\tx","city":""');

/** Python writes these files, so that no code of ours decides what a CSV is. */
const script = `
import csv, io, json, sys
rows, foreign = json.load(sys.stdin)
for codec in ('cp850', 'cp437'):
  open(sys.argv[1] + '/' + codec, 'wb').write('name\\nKöln\\nMünchen\\n'.encode(codec))
for codec, words in foreign.items():
  out = io.StringIO()
  csv.writer(out).writerows([[word, 'x'] for word in words.split(' ')])
  open(sys.argv[1] + '/' + codec, 'wb').write(out.getvalue().encode(codec))
kinds = {'comma': ',', 'semicolon': ';', 'tab': '\\t', 'pipe': '|'}
encodings = {'utf-8': 'utf-8', 'utf-8-sig': 'utf-8-sig', 'cp1252': 'cp1252', 'utf-16': 'utf-16', 'utf-16-le': 'utf-16-le', 'mac': 'mac-roman'}
for kind, delimiter in kinds.items():
  for end, terminator in {'crlf': '\\r\\n', 'lf': '\\n', 'cr': '\\r'}.items():
    for encoding, codec in encodings.items():
      for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_ALL):
        out = io.StringIO()
        writer = csv.writer(out, delimiter=delimiter, lineterminator=terminator, quoting=quoting)
        writer.writerows([['Name', 'CITY', 'score ']] + rows)
        name = f'{kind} {end} {encoding} {"all" if quoting else "minimal"}'
        open(sys.argv[1] + '/' + name, 'wb').write(out.getvalue().encode(codec))
`;
const foreign: Record<string, string> = {
  'windows-1251':
    'Москва Казань Новосибирск Екатеринбург Воронеж Самара Ростов Владивосток Красноярск Волгоград',
  'koi8-r': 'Москва Казань Новосибирск Екатеринбург Воронеж Самара Ростов Владивосток Красноярск Волгоград',
  shift_jis:
    '東京都千代田区 大阪府大阪市 ひらがなのぶん カタカナのぶん これはてすとです ありがとうございます',
  'euc-kr': '서울특별시 부산광역시 대한민국의 안녕하세요 감사합니다 이것은 시험입니다',
};
const folder = mkdtempSync(join(tmpdir(), 'corpus-'));
beforeAll(() => {
  execFileSync('python3', ['-c', script, folder], { input: JSON.stringify([rows, foreign]) });
});
afterAll(() => rmSync(folder, { recursive: true }));

const delimiters = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' };
const encodings = {
  'utf-8': 'utf-8',
  'utf-8-sig': 'utf-8',
  cp1252: 'windows-1252',
  'utf-16': 'utf-16le',
  'utf-16-le': 'utf-16le',
};

test.each(Object.entries(encodings))(
  'a CSV of Python in %s is read value by value with each delimiter, line end and quoting',
  async (codec, encoding) => {
    for (const [kind, delimiter] of Object.entries(delimiters))
      for (const end of ['crlf', 'lf', 'cr'])
        // Python quotes no line feed where a line ends by a carriage return.
        for (const quoting of end === 'cr' ? ['all'] : ['minimal', 'all']) {
          const bytes = readFileSync(join(folder, `${kind} ${end} ${codec} ${quoting}`));
          for (const [packed, known] of [
            [bytes, people],
            [gzipSync(bytes), people],
            [bytes, [] as ColumnInput[]],
          ] as const) {
            const read = await readFile(packed, known);
            expect({ kind, end, quoting, ...read }).toMatchObject({
              refused: [],
              taken: { delimiter, encoding, header: 1 },
            });
            const inNew = read.rows.replaceAll('"Name"', '"name"').replaceAll('"CITY"', '"city"');
            expect({ kind, end, quoting, rows: inNew }).toEqual({
              kind,
              end,
              quoting,
              rows: quoting === 'all' ? quotedEmpty : expected,
            });
          }
        }
  },
);

test('a named encoding is taken from the option, else from the type, and an unknown one is refused', async () => {
  const bytes = readFileSync(join(folder, 'comma lf mac minimal'));
  for (const options of [{ encoding: 'macintosh' }, { contentType: 'text/csv; charset=macintosh' }]) {
    const read = await readFile(bytes, people, options);
    expect([read.rows, read.taken.encoding]).toEqual([expected, 'macintosh']);
  }
  for (const encoding of ['cp850', 'CP437']) {
    const dos = await readFile(readFileSync(join(folder, encoding.toLowerCase())), [text('name')], {
      encoding,
    });
    expect([dos.rows, dos.taken.encoding]).toEqual([
      '[{"name":"Köln"},{"name":"München"}]',
      encoding.toLowerCase(),
    ]);
  }
  expect(await refusalOf(bytes, people, { encoding: 'klingon' })).toMatch(
    /^encoding names an encoding that is not known/,
  );
  const latin = Buffer.from('name\nBonn\nK\xf6ln\n', 'latin1');
  expect(await refusalOf(latin, [text('name')], { encoding: 'utf-8' })).toMatch(
    /^line 3 has bytes that are not UTF-8 \(byte 11/,
  );
});

test.each(['windows-1251', 'koi8-r', 'shift_jis', 'euc-kr'])(
  'a CSV in %s without a label is read in it',
  async (encoding) => {
    const { rows: found, taken } = await readFile(readFileSync(join(folder, encoding)), [], {
      header: false,
    });
    const lines = foreign[encoding]?.split(' ') ?? [];
    expect(taken.encoding).toBe(encoding);
    expect(found).toBe(exactJson(lines.map((column_1) => ({ column_1, column_2: 'x' }))));
  },
);

test('one delimiter within values of another is no delimiter, and a named one counts', async () => {
  const read = await readFile('note;city\n"a,b",x\nc,d;y\n'.replace('"a,b",x', '"a,b;c";x'), [
    text('note'),
    text('city'),
  ]);
  expect(read.rows).toBe('[{"note":"a,b;c","city":"x"},{"note":"c,d","city":"y"}]');
  expect((await readFile('s\nhello, world\na;b\n', [text('s')])).refused).toEqual([
    '2: has 2 values, and the header has 1',
  ]);
  expect((await readFile('s\n"hello, world"\na;b\n', [text('s')])).rows).toBe(
    '[{"s":"hello, world"},{"s":"a;b"}]',
  );
  expect((await readFile('sep=^\na^b\n1^2\n', [text('a'), number('b')])).rows).toBe('[{"a":"1","b":2}]');
  expect(await refusalOf('a;b\n1;2\n', [text('a'), text('b')], { delimiter: ',' })).toBe(
    'line 1 names "a;b", which is no column of this table; the values were separated by commas, and the line has semicolons: say delimiter=;',
  );
});

test.each<[string, string, ReadOptions, string]>([
  ['a header of R', '"","mpg","name"\n"1",21,"Fiat"\n', {}, '[{"column_1":1,"mpg":21,"name":"Fiat"}]'],
  [
    'a header of R for one column',
    '"","mpg"\n"1",21\n"2",9\n',
    {},
    '[{"column_1":1,"mpg":21},{"column_1":2,"mpg":9}]',
  ],
  [
    'a title',
    'Report of May\nname;age\nAnn;5\nBob;6\n',
    {},
    '[{"name":"Ann","age":5},{"name":"Bob","age":6}]',
  ],
  [
    'other names',
    '"id";"label"\n"1";"a"\n',
    { mapping: { id: 'name', label: 'city' } },
    '[{"name":"1","city":"a"}]',
  ],
  [
    'other names and a title',
    'May\nid;label\n1;a\n',
    { mapping: { id: 'name', label: 'city' } },
    '[{"name":"1","city":"a"}]',
  ],
])('a file with %s becomes rows', async (_, csv, options, found) => {
  const read = await readFile(csv, options.mapping ? [text('name'), text('city')] : [], options);
  expect([read.rows, read.refused]).toEqual([found, []]);
});

test('a delimiter that is not found by itself is named when it is the reason', async () => {
  const known = [text('a'), text('b')];
  expect(await refusalOf('a:b\n1:2\n', known)).toMatch(
    /separated by commas, and the line has ":": say delimiter=:$/,
  );
  expect((await readFile('a:b\n1:2\n', known, { delimiter: ':' })).rows).toBe('[{"a":"1","b":"2"}]');
});

test('columns are found without regard to case, blanks and punctuation, and by a mapping', async () => {
  const known = [text('e_mail'), number('order_total'), text('note')];
  const csv = ' E-Mail ;Order Total;Notiz;;\nann@x;5;hi;;\n';
  const read = await readFile(csv, known, { mapping: { Notiz: 'note' } });
  expect([read.rows, read.refused]).toEqual(['[{"e_mail":"ann@x","order_total":5,"note":"hi"}]', []]);
  expect(read.taken.mapping).toEqual({
    'E-Mail': 'e_mail',
    'Order Total': 'order_total',
    Notiz: 'note',
    'column 4': null,
    'column 5': null,
  });
  expect((await readFile(csv, known, { mapping: { Notiz: null } })).rows).toBe(
    '[{"e_mail":"ann@x","order_total":5}]',
  );
  expect(await refusalOf(csv, known)).toMatch(
    /^line 1 names "Notiz", which is no column of this table; map it/,
  );
  expect(await refusalOf(csv, known, { mapping: { Notes: 'note' } })).toMatch(
    /^mapping.Notes is no column of the file; it has "E-Mail"/,
  );
  expect(await refusalOf(csv, known, { mapping: { Notiz: 'nope' } })).toMatch(
    /^mapping.Notiz names "nope", which is no column/,
  );
});

test('a value under no name refuses its line, and pandas’ column of numbers can be left out', async () => {
  const csv = ',name,city\n0,Ann,Bonn\n1,Bob,Rome\n';
  const known = [text('name'), text('city')];
  expect((await readFile(csv, known)).refused[0]).toBe(
    '2: has a value in column 1, which has no name; name the column, or leave it out with mapping={"column 1":null}',
  );
  expect((await readFile(csv, known, { mapping: { 'column 1': null } })).rows).toBe(
    '[{"name":"Ann","city":"Bonn"},{"name":"Bob","city":"Rome"}]',
  );
  expect((await readFile(csv)).rows).toBe(
    '[{"column_1":0,"name":"Ann","city":"Bonn"},{"column_1":1,"name":"Bob","city":"Rome"}]',
  );
});

test('a file has its header in the first line, below a title, where it is said, or nowhere', async () => {
  const known = [text('name'), number('n')];
  const titled = 'Report of May,\n,\nname,n\nAnn,5\n';
  const read = await readFile(titled, known);
  expect([read.rows, read.taken.header]).toEqual(['[{"name":"Ann","n":5}]', 3]);
  expect((await readFile('x,y\nname,n\nAnn,5\n', known, { header: 2 })).rows).toBe('[{"name":"Ann","n":5}]');
  const none = await readFile('Ann,5\nBob,6\n', known, { header: false });
  expect([none.rows, none.taken.header]).toEqual(['[{"name":"Ann","n":5},{"name":"Bob","n":6}]', null]);
  expect(await refusalOf('name,n\n', known, { header: 9 })).toMatch(/^header names line 9/);
});

test.each([
  ['1,5;-0,25;1.234.567,89', '[{"a":1.5,"b":-0.25,"c":1234567.89}]', ','],
  ['1.5;-0.25;1,234,567.89', '[{"a":1.5,"b":-0.25,"c":1234567.89}]', '.'],
  ['12,5%;7 %;-0,125 %', '[{"a":0.125,"b":0.07,"c":-0.00125}]', ','],
  ['1 234,5;7;1,5E+10', '[{"a":1234.5,"b":7,"c":15000000000}]', ','],
  ["1'234.50;7; 8 ", '[{"a":1234.5,"b":7,"c":8}]', '.'],
])('numbers such as %s are read by the decimal sign that they show', async (line, found, decimal) => {
  const known = [number('a'), number('b'), number('c')];
  const read = await readFile(`a;b;c\n${line}\n`, known);
  expect([read.rows, read.taken.decimal, read.refused]).toEqual([found, decimal, []]);
});

test('a number that may have either decimal sign is refused until the sign is said', async () => {
  const known = [number('a'), text('b')];
  const csv = 'a;b\n1,234;x\n';
  expect((await readFile(csv, known)).refused).toEqual([
    '2: a must be a number, not "1,234"; say decimal=, or decimal=. to name the decimal sign',
  ]);
  expect((await readFile(csv, known, { decimal: ',' })).rows).toBe('[{"a":1.234,"b":"x"}]');
  expect((await readFile(csv, known, { decimal: '.' })).rows).toBe('[{"a":1234,"b":"x"}]');
  expect((await readFile('a;b\n007;x\n', known)).refused[0]).toMatch(/^2: a must be a number/);
});

test.each([
  ['31.12.2024', undefined, '2024-12-31T00:00:00.000Z', 'DD.MM.YYYY'],
  ['12/31/2024', undefined, '2024-12-31T00:00:00.000Z', 'MM/DD/YYYY'],
  ['31/12/2024 14:05', undefined, '2024-12-31T14:05:00.000Z', 'DD/MM/YYYY'],
  ['2024/12/31', undefined, '2024-12-31T00:00:00.000Z', 'YYYY/MM/DD'],
  ['20241231', undefined, '2024-12-31T00:00:00.000Z', 'YYYYMMDD'],
  ['3/4/24 1:05 PM', 'M/D/YY h:mm A', '2024-03-04T13:05:00.000Z', 'M/D/YY h:mm A'],
  ['03-04-1969', 'DD-MM-YYYY', '1969-04-03T00:00:00.000Z', 'DD-MM-YYYY'],
  ['2024-12-31', 'DD.MM.YYYY', '2024-12-31T00:00:00.000Z', 'DD.MM.YYYY'],
])('a date such as %s is read in the form %s', async (date, dateFormat, iso, taken) => {
  const read = await readFile(
    `d\n${date}\n`,
    [{ name: 'd', type: 'date' }],
    dateFormat ? { dateFormat } : {},
  );
  expect([read.rows, read.taken.dateFormat]).toEqual([`[{"d":"${iso}"}]`, taken]);
});

test('a date that may be of two forms is refused until another date or an option decides', async () => {
  const known: ColumnInput[] = [{ name: 'd', type: 'date' }];
  expect((await readFile('d\n3/4/2024\n', known)).refused).toEqual([
    '2: d must be a date, not "3/4/2024"; say its form, such as dateFormat=DD/MM/YYYY',
  ]);
  expect((await readFile('d\n3/4/2024\n5/31/2024\n', known)).rows).toBe(
    '[{"d":"2024-03-04T00:00:00.000Z"},{"d":"2024-05-31T00:00:00.000Z"}]',
  );
  expect(
    (await readFile('d\n31/02/2024\n30/01/2024\n', known, { dateFormat: 'DD/MM/YYYY' })).refused,
  ).toEqual(['2: d must be a day and a time that exist']);
  expect(await refusalOf('d\n1\n', known, { dateFormat: 'dd.mm' })).toMatch(/^dateFormat must have YYYY/);
});

test('every word of the list is a boolean in each case, and no other word', async () => {
  const known: ColumnInput[] = [{ name: 'b', type: 'boolean' }];
  for (const [value, words] of Object.entries(booleanWords)) {
    const forms = words.flatMap((word) => [word, word.toLocaleUpperCase('en'), ` ${word} `]);
    const { rows: found } = await readFile(`b\n${forms.join('\n')}\n`, known);
    expect(found).toBe(`[${forms.map(() => `{"b":${value}}`).join(',')}]`);
  }
  const page = readFileSync('apps/docs/pages/tables.md', 'utf8');
  for (const [value, words] of Object.entries(booleanWords)) {
    const listed = words.map((word) => `\`${word === 'yanliş' ? 'yanlış' : word}\``).join(' ');
    expect(page).toContain(`| ${value} | ${listed} |`);
  }
  expect((await readFile('b\nmaybe\n', known)).refused).toEqual(['2: b must be true or false, not "maybe"']);
});

test('an empty cell is empty, or gets the default of its column when that is said', async () => {
  const known: ColumnInput[] = [text('name'), { name: 'stage', type: 'string', default: 'new' }];
  const csv = 'name,stage\nAnn,\nBob,""\n';
  expect((await readFile(csv, known)).rows).toBe('[{"name":"Ann"},{"name":"Bob","stage":""}]');
  expect((await readFile(csv, known, { nulls: 'default' })).rows).toBe(
    '[{"name":"Ann","stage":"new"},{"name":"Bob","stage":""}]',
  );
  const json = '[{"name":"Ann","stage":null},{"name":"Bob"}]';
  expect((await readFile(json, known)).rows).toBe('[{"name":"Ann"},{"name":"Bob","stage":"new"}]');
  expect((await readFile(json, known, { nulls: 'default' })).rows).toBe(
    '[{"name":"Ann","stage":"new"},{"name":"Bob","stage":"new"}]',
  );
});

test('a misplaced quote refuses its line alone, and lines are counted where a record begins', async () => {
  const known = [text('item'), number('n')];
  const csv = 'item,n\r\n"two\r\nlines",1\r\n6" nail,2\r\n"6"" nail",3\r\n"6" nail",4\r\nbolt,x\r\n';
  const read = await readFile(csv, known);
  expect(read.rows).toBe('[{"item":"two\\r\\nlines","n":1},{"item":"6\\" nail","n":3}]');
  expect(read.refused).toEqual([
    '4: has a quote inside of a value; write the value in quotes, and the quote twice, such as "6"" nail"',
    '6: has text behind a closing quote; write a quote in a value twice, such as "6"" nail"',
    '7: n must be a number, not "x"',
  ]);
  expect(await refusalOf('item,n\nbolt,1\na,"2\nb,3\n', known)).toMatch(
    /^line 3 opens a quote that is not closed/,
  );
});

test('a quoted text of an export loses its guard, and keeps it when that is said', async () => {
  const csv = "s\n'+49\n''=1\n'plain\n'\n";
  expect((await readFile(csv, [text('s')])).rows).toBe(`[{"s":"+49"},{"s":"'=1"},{"s":"'plain"},{"s":"'"}]`);
  expect((await readFile(csv, [text('s')], { guardFormulas: false })).rows).toBe(
    `[{"s":"'+49"},{"s":"''=1"},{"s":"'plain"},{"s":"'"}]`,
  );
});

test.each([
  ['lines', '{"a":"x","n":9007199254740993}\r\n\r\n{"A":"y","n":"1e3"}\n', 'jsonl'],
  ['a list', '\uFEFF[{"a":"x","n":9007199254740993},\n {"A":"y","n":"1e3"}]', 'json'],
  [
    'a list over lines',
    '[\n  {\n    "a": "x",\n    "n": 9007199254740993\n  },\n  {"A": "y", "n": "1e3"}\n]\n',
    'json',
  ],
])('JSON as %s is read by the names of its members', async (_, json, format) => {
  for (const contentType of ['application/x-ndjson', 'application/json', 'application/octet-stream', '']) {
    const read = await readFile(json, [text('a'), number('n')], { contentType });
    expect([read.rows, read.taken.format, read.refused]).toEqual([
      '[{"a":"x","n":9007199254740993},{"a":"y","n":1000}]',
      format,
      [],
    ]);
  }
});

test('an element of a JSON list that is no row is refused with the line where it begins', async () => {
  const json = '[\n{"a":"x]"},\n5,\n{"a":"x",\n"a":"y"},\n[{"a":"x"}],\n{"b":1},,\n{"a":"\\u0000"}]';
  const { refused, rows: found } = await readFile(json, [text('a')], { contentType: 'application/json' });
  expect(found).toBe('[{"a":"x]"}]');
  expect(refused).toEqual([
    '3: is no JSON object',
    '4: a: is twice in one object',
    '6: is no JSON object',
    '7: b is not a column of this table',
    '7: has an empty element in the JSON list',
    expect.stringMatching(/^8: a/),
  ]);
  expect(await refusalOf('[{"a":"x"},', [text('a')], { contentType: 'application/json' })).toMatch(
    /^line 1 ends before the JSON list does/,
  );
  expect(await refusalOf('[{"a":"x"}] x', [text('a')], { contentType: 'application/json' })).toMatch(
    /^line 1 has text outside/,
  );
});

test('a new table has the types that all first values have, and names that columns may have', async () => {
  const csv = [
    'E-Mail;Größe;2024;paid;met;doc;id;Größe ;Имя;mixed;nothing',
    'a@x;1,5;7;TRUE;31.12.2024;"{""a"":1}";007;x;y;1;',
    'b@x;2,25;8;WAHR;01.02.2024;[1];008;x;y;z;',
  ].join('\n');
  const read = await readFile(csv);
  expect(read.types).toEqual({
    E_Mail: 'string',
    Grosse: 'number',
    _2024: 'number',
    paid: 'boolean',
    met: 'date',
    doc: 'json',
    id: 'string',
    Grosse_2: 'string',
    column_9: 'string',
    mixed: 'string',
    nothing: 'string',
  });
  expect(read.columns[1]).toEqual({
    name: 'Größe',
    type: 'number',
    samples: ['1,5', '2,25'],
    stored: ['1.5', '2.25'],
    column: 'Grosse',
  });
  expect(read.rows).toContain(
    '"Grosse":1.5,"_2024":7,"paid":true,"met":"2024-12-31T00:00:00.000Z","id":"007"',
  );
});

test.each<[string, string, string[]]>([
  ['phone numbers beside a price with a point', 'v,price\n', ['+491701234567,1.50', '+33612345678,22.75']],
  ['phone numbers beside a price with a comma', 'v;price\n', ['+491701234567;1,50', '+33612345678;22,75']],
  ['phone numbers alone', 'v\n', ['+491701234567', '+33612345678']],
  ['phone numbers in groups', 'v\n', ['+49 170 123 456', '+33 612 345 678']],
  ['one phone number among others', 'v\n', ['0301234', '+33612345678', '612345678']],
  ['rates of change with a sign', 'v\n', ['+1.5%', '-2.0%']],
  ['the country NO', 'v\n', ['NO', 'NO']],
  ['the countries NO and the province ON', 'v\n', ['NO', 'ON']],
  ['answers that are all YES', 'v\n', ['YES', 'yes']],
  ['materials', 'v\n', ['sand', 'Sand']],
  ['numbers too small for a double', 'v\n', ['1e-400', '0.5']],
  ['part numbers with an E', 'v\n', ['1E5', '2E10', '3e7']],
  ['genes and dates of nobody', 'v\n', ['SEPT2', 'MARCH1']],
  ['versions', 'v\n', ['1.9', '1.10', '2.0']],
  ['postcodes', 'v\n', ['01067', '10115']],
  ['phone numbers in full groups', 'v\n', ['612 345 678', '699 123 456']],
  ['phone numbers with points', 'v\n', ['612.345.678', '699.123.456']],
  ['moments with microseconds', 'v\n', ['2026-01-31 10:00:00.123456+02', '2026-01-31 10:00:01+02']],
  ['moments that are none', 'v\n', ['0000-00-00 00:00:00', '2026-01-31 10:00:01']],
  ['bank numbers', 'v\n', ['DE02 1203 0000', 'DE89 3704 0044']],
  ['one number of thousands or thousandths beside a price', 'v;price\n', ['1.234;1,50', '52.520;22,75']],
  ['the same with the other signs', 'v;price\n', ['1,234;1.50', '52,520;22.75']],
])('a column of %s becomes texts, as they are in the file', async (_, head, lines) => {
  const read = await readFile(head + lines.join('\n'));
  const texts = lines.map((line) => line.split(/[,;](?=[\d.,]+$)/)[0]);
  const values = head === 'v\n' ? lines : texts;
  expect(read.types['v']).toBe('string');
  expect((JSON.parse(read.rows) as { v: string }[]).map(({ v }) => v)).toEqual(values);
  if (head !== 'v\n') expect(read.types['price']).toBe('number');
  expect(read.columns[0]?.stored).toEqual(values.slice(0, 3));
});

test.each<[string, string[], ColumnInput['type'], unknown[]]>([
  ['prices', ['1.50', '22.75', '3.00'], 'number', [1.5, 22.75, 3]],
  [
    'what programs write for numbers',
    ['1.0', '2.25', '1e+20', '1.5E-7', '-3'],
    'number',
    [1, 2.25, 1e20, 1.5e-7, -3],
  ],
  ['prices as people type them', ['19.90', '5', '3.5'], 'number', [19.9, 5, 3.5]],
  ['positions', ['48.137154', '11.5', '52.520'], 'number', [48.137154, 11.5, 52.52]],
  ['weights', ['0.750', '1.25', '10'], 'number', [0.75, 1.25, 10]],
  ['changes', ['12.50%', '-3.2%', '7%'], 'number', [0.125, -0.032, 0.07]],
  ['numbers in groups', ['1 234', '56', '1 234 567'], 'number', [1234, 56, 1234567]],
  ['numbers in groups, some of them full', ['123 456 789', '1 234 567'], 'number', [123456789, 1234567]],
  ['answers of both kinds', ['yes', 'NO', 'Yes'], 'boolean', [true, false, true]],
  ['switches', ['on', 'off'], 'boolean', [true, false]],
  ['true alone', ['TRUE', 'true'], 'boolean', [true, true]],
  ['booleans of a German spreadsheet', ['WAHR', 'FALSCH'], 'boolean', [true, false]],
])('a column of %s has their type', async (_, lines, type, values) => {
  const read = await readFile(`v\n${lines.join('\n')}\n`);
  expect(read.types['v']).toBe(type);
  expect((JSON.parse(read.rows) as { v: unknown }[]).map(({ v }) => v)).toEqual(values);
});

test('thousands between commas are numbers beside a price with a point', async () => {
  const read = await readFile('v,price\n"1,234",12.50\n"45,678",3.25\n');
  expect(read.rows).toBe('[{"v":1234,"price":12.5},{"v":45678,"price":3.25}]');
});

test('versions do not decide the decimal sign of prices', async () => {
  const read = await readFile('version;price\n1.9;1,50\n1.10;22,75\n');
  expect(read.rows).toBe('[{"version":"1.9","price":1.5},{"version":"1.10","price":22.75}]');
});

test('a line after the first thousand that a guessed type would change is refused', async () => {
  const lines = [...Array.from({ length: 1000 }, (_, n) => `${n}.5`), '+49170', '7.5'];
  const { refused, types } = await readFile(`v\n${lines.join('\n')}\n`);
  expect([types, refused]).toEqual([
    { v: 'number' },
    ['1002: v was taken for numbers, and "+49170" would change; add it as a column of texts first'],
  ]);
  // A column whose type a person has chosen takes it.
  expect((await readFile('v\n+49170\n1.5\n', [number('v')])).rows).toBe('[{"v":49170},{"v":1.5}]');
});

// --- workbooks

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** Writes an XLSX as openpyxl and Excel lay it out: only the XML that the cells need. Styles: 1 a day, 2 a time, 3 percent, 4 a duration. */
function xlsx(sheets: Record<string, string>, { date1904 = false } = {}): Uint8Array {
  const names = Object.keys(sheets);
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const parts: Record<string, string> = {
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>${names.map((_, n) => `<Override PartName="/xl/worksheets/sheet${n + 1}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`).join('')}<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><workbookPr${date1904 ? ' date1904="1"' : ''}/><sheets>${names.map((name, n) => `<sheet name="${name}" sheetId="${n + 1}" r:id="rId${n + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${names.map((_, n) => `<Relationship Id="rId${n + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${n + 1}.xml"/>`).join('')}<Relationship Id="rId99" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="10"/><xf numFmtId="46"/></cellXfs></styleSheet>`,
  };
  for (const [n, name] of names.entries())
    parts[`xl/worksheets/sheet${n + 1}.xml`] =
      `<worksheet xmlns="${main}"><sheetData>${sheets[name]}</sheetData></worksheet>`;
  return zipSync(
    Object.fromEntries(Object.entries(parts).map(([path, xml]) => [path, strToU8(declaration + xml)])),
  );
}

/** A row of an XLSX. A text is inline; anything else is the XML of a cell without its place. */
const row = (n: number, cells: (string | { xml: string } | null)[]) =>
  `<row r="${n}">${cells
    .map((cell, at) => {
      const place = `r="${String.fromCharCode(65 + at)}${n}"`;
      if (cell === null) return '';
      return typeof cell === 'string'
        ? `<c ${place} t="inlineStr"><is><t xml:space="preserve">${cell}</t></is></c>`
        : `<c ${place} ${cell.xml}</c>`;
    })
    .join('')}</row>`;
const plain = (value: string, style = 0) => ({ xml: `s="${style}"><v>${value}</v>` });
const typed = (type: string, value: string) => ({ xml: `t="${type}"><v>${value}</v>` });

const head = ['name', 'n', 'long', 'share', 'day', 'at', 'paid', 'sum', 'span'];
const bookTypes = {
  name: 'string',
  n: 'number',
  long: 'number',
  share: 'number',
  day: 'date',
  at: 'date',
  paid: 'boolean',
  sum: 'number',
  span: 'string',
};
const bookRow = [
  'Ä &amp; B',
  plain('0.1'),
  plain('12345678901234567890'),
  plain('0.125', 3),
  plain('45658', 1),
  plain('45658.604178240741', 2),
  typed('b', '1'),
  { xml: '><f>B2*30</f><v>3</v>' },
  plain('1.5', 4),
];

test('a sheet of an XLSX is read value by value, with long numbers, percent, dates, booleans and formulas', async () => {
  const book = xlsx({
    Empty: '',
    Data: row(1, head) + row(2, bookRow) + row(4, ['x', null, plain('1234567890123456')]),
  });
  const read = await readFile(book);
  expect(read.types).toEqual(bookTypes);
  expect(read.rows).toBe(
    '[{"name":"Ä & B","n":0.1,"long":12345678901234567890,"share":0.125,"day":"2025-01-01T00:00:00.000Z","at":"2025-01-01T14:30:01.000Z","paid":true,"sum":3,"span":"36:00:00"},{"name":"x","long":1234567890123456}]',
  );
  expect(read.taken).toMatchObject({
    format: 'xlsx',
    sheet: 'Data',
    header: 1,
    delimiter: null,
    encoding: null,
  });
});

test('dates of a workbook count from 1904 when the workbook says so', async () => {
  const cells =
    row(1, ['day', 'at']) + row(2, [plain('44196', 1), plain('44196.5', 2)]) + row(3, [plain('0', 1), null]);
  const read = await readFile(xlsx({ One: cells }, { date1904: true }));
  expect(read.rows).toBe(
    '[{"day":"2025-01-01T00:00:00.000Z","at":"2025-01-01T12:00:00.000Z"},{"day":"1904-01-01T00:00:00.000Z"}]',
  );
  const first =
    row(1, ['day']) + [1, 59, 61].map((serial, n) => row(n + 2, [plain(`${serial}`, 1)])).join('');
  expect((await readFile(xlsx({ One: first }))).rows).toBe(
    '[{"day":"1900-01-01T00:00:00.000Z"},{"day":"1900-02-28T00:00:00.000Z"},{"day":"1900-03-01T00:00:00.000Z"}]',
  );
});

test('an error of a workbook refuses its row by its name, and numbers go into columns of texts', async () => {
  const cells =
    row(1, ['s', 'n']) +
    row(2, [plain('0.5'), typed('e', '#DIV/0!')]) +
    row(3, [plain('45658', 1), plain('1')]) +
    row(4, [typed('b', '0'), typed('e', '#N/A')]);
  const read = await readFile(xlsx({ One: cells }), [text('s'), number('n')]);
  expect(read.refused).toEqual([
    '2: n holds the error #DIV/0! of the workbook',
    '4: n holds the error #N/A of the workbook',
  ]);
  expect(read.rows).toBe('[{"s":"2025-01-01","n":1}]');
});

test('a sheet is chosen by its name, and another name is refused with those that are there', async () => {
  const book = xlsx({
    One: row(1, ['a']) + row(2, ['x']),
    Two: row(1, ['Report']) + row(3, ['a', 'b']) + row(4, ['y', 'z']),
  });
  expect((await readFile(book)).rows).toBe('[{"a":"x"}]');
  const second = await readFile(book, [], { sheet: 'Two' });
  expect([second.rows, second.taken.header]).toEqual(['[{"a":"y","b":"z"}]', 3]);
  expect(await refusalOf(book, [], { sheet: 'Three' })).toBe(
    'The workbook has no sheet of this name. It has "One", "Two".',
  );
  expect(await refusalOf('a\nx\n', [], { sheet: 'One' })).toBe(
    'sheet is for workbooks, and the file is none',
  );
});

test.each([false, true])('an XLS with dates from 1904: %s is read value by value', async (date1904) => {
  const sheet = utils.aoa_to_sheet([
    head.slice(0, 7),
    ['Ä', 0.1, 1234567890123456, 0.125, 45658, 45658.5, true],
  ]);
  for (const [cell, z] of [
    ['D2', '0.0%'],
    ['E2', 'm/d/yy'],
    ['F2', 'yyyy-mm-dd hh:mm'],
  ] as const)
    Object.assign(sheet[cell], { z });
  Object.assign(sheet, { A3: { t: 's', v: 'bad' }, B3: { t: 'e', v: 0x07 }, '!ref': 'A1:G3' });
  const book = { SheetNames: ['One'], Sheets: { One: sheet }, Workbook: { WBProps: { date1904 } } };
  const known = head.slice(0, 7).map((name): ColumnInput => ({
    name,
    type: bookTypes[name as keyof typeof bookTypes] as ColumnInput['type'],
  }));
  const read = await readFile(write(book, { type: 'buffer', bookType: 'xls' }), known);
  const [day, at] = date1904 ? ['2029-01-02', '2029-01-02'] : ['2025-01-01', '2025-01-01'];
  expect(read.rows).toBe(
    `[{"name":"Ä","n":0.1,"long":1234567890123456,"share":0.125,"day":"${day}T00:00:00.000Z","at":"${at}T12:00:00.000Z","paid":true}]`,
  );
  expect([read.taken.format, read.refused]).toEqual([
    'xls',
    ['3: n holds the error #DIV/0! of the workbook'],
  ]);
});

const writeSheets = (sheets: Record<string, WorkSheet>) =>
  new Uint8Array(
    write({ SheetNames: Object.keys(sheets), Sheets: sheets }, { type: 'buffer', bookType: 'xlsx' }),
  );

/** Gives the first sheet of an XLSX another declared size, and rows at its end. */
function redeclared(workbook: Uint8Array, { ref, more }: { ref: string; more: string }): Uint8Array {
  const path = 'xl/worksheets/sheet1.xml';
  const parts = unzipSync(workbook);
  const xml = strFromU8(parts[path] ?? new Uint8Array())
    .replace(/<dimension ref="[^"]*"/, `<dimension ref="${ref}"`)
    .replace('<sheetData/>', '<sheetData></sheetData>')
    .replace('</sheetData>', `${more}</sheetData>`);
  expect(xml).toContain(`<dimension ref="${ref}"`);
  expect(xml).toContain(more);
  return zipSync({ ...parts, [path]: strToU8(xml) });
}

const emptyRow = (row: number) => `<row r="${row}"><c r="A${row}" s="0"/></row>`;

test.each([
  ['all rows and columns of Excel', 'A1:XFD1048576', ''],
  ['its first cell alone', 'A1', ''],
  ['all rows, of which the last has a format only', 'A1:B1048576', emptyRow(1_048_576)],
  [
    'the rows after the bound, each with a format only',
    'A1:B200009',
    Array.from({ length: 9 }, (_, n) => emptyRow(200_001 + n)).join(''),
  ],
])('a workbook that declares %s is read by its values', async (_, ref, more) => {
  const sheet = utils.aoa_to_sheet([
    ['name', 'n'],
    ['a', 1],
    ['b', 2],
  ]);
  const read = await readFile(redeclared(writeSheets({ One: sheet }), { ref, more }), [
    text('name'),
    number('n'),
  ]);
  expect([read.rows, read.refused]).toEqual(['[{"name":"a","n":1},{"name":"b","n":2}]', []]);
});

test('a workbook whose first sheet has a format and no value is read from the sheet with values', async () => {
  const bytes = writeSheets({ Cover: utils.aoa_to_sheet([[]]), Data: utils.aoa_to_sheet([['name'], ['a']]) });
  const read = await readFile(redeclared(bytes, { ref: 'A1:B2', more: emptyRow(1) + emptyRow(2) }), [
    text('name'),
  ]);
  expect([read.taken.sheet, read.rows]).toEqual(['Data', '[{"name":"a"}]']);
});

/** Writes an ODS as LibreOffice lays it out. */
function ods(rowsXml: string): Uint8Array {
  const spaces =
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0" office:version="1.3"';
  const content = `${declaration}<office:document-content ${spaces}><office:body><office:spreadsheet><table:table table:name="Blatt1">${rowsXml}</table:table></office:spreadsheet></office:body></office:document-content>`;
  const manifest = `${declaration}<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`;
  return zipSync({
    mimetype: strToU8('application/vnd.oasis.opendocument.spreadsheet'),
    'styles.xml': strToU8(`${declaration}<office:document-styles ${spaces}/>`),
    'content.xml': strToU8(content),
    'META-INF/manifest.xml': strToU8(manifest),
  });
}

const odsCell = (type: string, attributes: string, shownText: string) =>
  `<table:table-cell office:value-type="${type}" ${attributes}><text:p>${shownText}</text:p></table:table-cell>`;
const odsText = (value: string) => odsCell('string', '', value);

test('an ODS whose format reaches to the last row and column is read by its values', async () => {
  const rest = '<table:table-cell table:number-columns-repeated="16382"/>';
  const row = (...cells: string[]) => `<table:table-row>${cells.join('')}${rest}</table:table-row>`;
  const rows = [
    row(odsText('name'), odsText('n')),
    row(odsText('a'), odsCell('float', 'office:value="1"', '1')),
  ];
  const empty = `<table:table-row table:number-rows-repeated="1048574">${rest}</table:table-row>`;
  const read = await readFile(ods(rows.join('') + empty), [text('name'), number('n')]);
  expect([read.rows, read.refused]).toEqual(['[{"name":"a","n":1}]', []]);
});

test('an ODS is read value by value, and its errors by their names', async () => {
  const header = ['name', 'n', 'share', 'day', 'at', 'paid'].map(odsText).join('');
  const values = [
    odsText('Ä &amp; B'),
    odsCell('float', 'office:value="0.1"', '0,10'),
    odsCell('percentage', 'office:value="0.125"', '12,5%'),
    odsCell('date', 'office:date-value="2025-01-01"', '01.01.25'),
    odsCell('date', 'office:date-value="2025-01-01T14:30:01"', '01.01.25 14:30'),
    odsCell('boolean', 'office:boolean-value="true"', 'WAHR'),
  ].join('');
  const wrong =
    odsText('bad') +
    odsCell('string', 'calcext:value-type="error" table:formula="of:=1/0" office:string-value=""', '#DIV/0!');
  const read = await readFile(
    ods([header, values, wrong].map((xml) => `<table:table-row>${xml}</table:table-row>`).join('')),
    [
      text('name'),
      number('n'),
      number('share'),
      { name: 'day', type: 'date' },
      { name: 'at', type: 'date' },
      { name: 'paid', type: 'boolean' },
    ],
  );
  expect(read.rows).toBe(
    '[{"name":"Ä & B","n":0.1,"share":0.125,"day":"2025-01-01T00:00:00.000Z","at":"2025-01-01T14:30:01.000Z","paid":true}]',
  );
  expect([read.refused, read.taken.format, read.taken.sheet]).toEqual([
    ['3: n holds the error #DIV/0! of the workbook'],
    'ods',
    'Blatt1',
  ]);
});

// --- files that are refused

const bomb = () => {
  const sheet = `<worksheet xmlns="${main}"><sheetData>${' '.repeat(60 * 1024 * 1024)}</sheetData></worksheet>`;
  return zipSync(
    { 'xl/workbook.xml': strToU8('<workbook/>'), 'xl/worksheets/sheet1.xml': strToU8(sheet) },
    { level: 1 },
  );
};

test.each<[string, () => Uint8Array, RegExp]>([
  [
    'a workbook that unpacks to 60 MB',
    bomb,
    /unpacks from \d+ to \d+ bytes, which no document of its kind does/,
  ],
  [
    'a zip in a zip',
    () => zipSync({ 'rows.zip': zipSync({ 'rows.csv': strToU8('a\n1\n') }) }),
    /an archive of other files; send each/,
  ],
  ['a gzip in a gzip', () => gzipSync(gzipSync('a\n1\n')), /packed with gzip twice/],
  [
    'a gzip that unpacks to 200 MB',
    () => gzipSync(Buffer.alloc(200 * 1024 * 1024, 'a')),
    /unpacks to more than 104857600 bytes/,
  ],
  [
    'a gzip that is cut off',
    () => gzipSync(Buffer.from('a\n1\n'.repeat(99))).subarray(0, 20),
    /damaged or cut off/,
  ],
  [
    'a gzip of one line of 90 MB',
    () => gzipSync(Buffer.concat([Buffer.from('a\n'), Buffer.alloc(90 * 1024 * 1024, 'x')])),
    /line 2 has more than 1048576 characters/,
  ],
  ['a workbook that is cut off', () => xlsx({ One: row(1, ['a']) }).subarray(0, 900), /damaged or cut short/],
  [
    'an old binary that is no workbook',
    () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2000)]),
    /a format of Office before 2007/,
  ],
  ['a picture', () => Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), /neither text nor a workbook/],
])('%s is refused in a sentence, within bounds', async (_, bytes, sentence) => {
  const before = process.memoryUsage().rss;
  expect(await refusalOf(bytes(), [text('a')])).toMatch(sentence);
  expect(process.memoryUsage().rss - before).toBeLessThan(1.5e9);
});
