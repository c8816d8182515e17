import { delimiters, detectDelimiter } from './delimiter.ts';

/** Files in which `;` stands for any delimiter. */
const files = {
  'names in quotes and bare values': '"id";"name"\n1;"a"\n2;"b"\n',
  'all in quotes': '"id";"name"\r\n"1";"a"\r\n"2";"b"\r\n',
  'bare names and values in quotes': 'id;name\n"1";"a"\n"2";"b"\n',
  'an empty first name': '"";"mpg";"name"\n"1";21;"Mazda"\n"2";22.8;"Datsun"\n',
  'a single record in quotes': '"a";"b"\n',
  'a single record': 'a;b',
  'line breaks and other delimiters in quotes': '"a";"b"\r\n"x, y; z|\tw\r\np, q; r";1\r\n"s, t; u";2\r\n',
  'a title': 'Report of May\nname;city\nAnn;Bonn\n',
  'a title of a word, above numbers': 'Report\nname;age\nAnn;5\n',
  'a title and an empty line': 'Report\n\nname;city\nAnn;Bonn\n',
  'lines of comments and a last line': '# May\n# June\n# July\nname;n\nAnn;5\nBob;6\nTotal\n',
  'lone quotes and apostrophes': 'item;n\n6" nail;2\nO\'Neil\'s;3\n"two" words;4\n',
  'short lines': 'a;b;c\n1;2\n1;2;3\n1;2;3;4\n',
  'empty lines and empty values': '\na;b\n\n;\n1;\n',
};

test.each(Object.entries(files))('detectDelimiter finds each delimiter in a file with %s', (_, file) => {
  for (const delimiter of delimiters)
    for (const begin of ['', '\ufeff'])
      expect([delimiter, detectDelimiter(begin + file.replaceAll(';', delimiter))]).toEqual([
        delimiter,
        delimiter,
      ]);
});

test.each([
  ['numbers with a comma', 'name;a;b\nAnn;1,5;2,5\nBob;3,5;4,5\n', ';'],
  ['numbers with a comma and no names', '1,5;2,5\n3,5;4,5\n', ';'],
  ['commas in the title and in numbers', 'Costs, in May\nname;n\nAnn;1,5\nBob;2,5\n', ';'],
  ['commas in texts', 'name\tnote\na\tone, two\nb\tthree, four\n', '\t'],
  ['commas in values with quotes and without', 'p, q;"b, c"\nx, y;"d, e"\n', ';'],
  ['lists in a column', 'id,tags\n1,a|b\n2,c|d\n', ','],
  ['a title with another delimiter', 'May; June\n"id","name"\n"1","a"\n', ','],
])('detectDelimiter finds the delimiter of a file with %s', (_, file, delimiter) => {
  expect(detectDelimiter(file)).toBe(delimiter);
});

test.each([
  ['of words', 'name\nAnn\nBob\n', []],
  ['of lists', 'tags\nred;green\nblue;red\n', []],
  ['of texts in quotes', 's\n"hello; world"\na;b\n', ['s']],
  ['whose name the table has', 's\na; b\nc; d\n', ['s']],
  ['without a value', '', []],
])('detectDelimiter takes a comma for one column %s', (_, file, names) => {
  expect(detectDelimiter(file, { names })).toBe(',');
});

test('detectDelimiter prefers the delimiter that makes known names of the header', () => {
  const file = 'a,b;c\n1,2;3\n';
  expect(detectDelimiter(file, { names: ['A,B', 'c'] })).toBe(';');
  expect(detectDelimiter(file, { names: ['a', 'B;c'] })).toBe(',');
});

test('detectDelimiter counts all records of its bounded sample but the one that is cut', () => {
  const begin = 'Report, of May\nname;n\n'.padEnd(2000, 'Ann, Bob;5\nBob;6\nCid;7\n');
  expect(detectDelimiter(begin)).toBe(';');
  expect(detectDelimiter(`${begin}\n"${'x,\n'.repeat(30_000)}`)).toBe(';');
  expect(detectDelimiter('"id";"a, b', { isWhole: false })).toBe(';');
  expect(detectDelimiter(`${'a\n'.repeat(32_768)}${'a;b\n'.repeat(99_999)}`)).toBe(',');
});
