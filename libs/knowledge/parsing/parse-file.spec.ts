import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { parseFile, type ParseLimits } from './parse-file.ts';
import { writeOpenDocument } from './support/write-office.ts';
import { writePdf } from './support/write-pdf.ts';

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'holdfast-documents-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sample = (name: string) => readFileSync(new URL(`support/files/${name}`, import.meta.url));

function parse(filename: string, bytes: Uint8Array | string, limits: Partial<ParseLimits> = {}) {
  const path = join(folder, 'upload');
  writeFileSync(path, bytes);
  return parseFile({ path, filename }, undefined, limits);
}

const titles = (parsed: { text: string; headings: { at: number; level: number; title: string }[] }) =>
  parsed.headings.map(({ at, level, title }) => {
    expect(parsed.text.slice(at).startsWith(title)).toBe(true);
    return `${level} ${title}`;
  });

describe('parseFile reads', () => {
  test('a Word document: headings, lists, tables whose rows name their columns', async () => {
    const parsed = await parse('guide.docx', sample('guide.docx'));
    expect(titles(parsed)).toEqual(['1 Field guide', '1 Rivers', '2 Tributaries', '1 Lakes']);
    expect(parsed.text).toContain(
      'The Moselle joins it at Koblenz – a long way down.\n\n- first thing\n- second thing\n',
    );
    expect(parsed.text).toContain('\nRiver: Moselle; Length: 544 km\n');
    expect(parsed.mediaType).toMatch(/wordprocessingml/);
  });

  test('an OpenDocument text', async () => {
    const parsed = await parse('guide.odt', sample('guide.odt'));
    expect(titles(parsed)).toEqual(['1 Rivers', '2 Tributaries']);
    expect(parsed.text).toContain('The Rhine rises in the Alps and flows north.');
    expect(parsed.text).toContain('- first thing\n- second thing\n');
    expect(parsed.text).toContain('River: Rhine; Length: 1233 km');
  });

  test('parseFile reads slides in the order in which they are shown', async () => {
    const parsed = await parse('guide.pptx', sample('guide.pptx'));
    expect(titles(parsed)).toEqual(['1 Slide 1', '1 Rivers', '1 Lakes & seas']);
    expect(parsed.text).toContain('The Rhine rises in the Alps.\nIt flows north.');
    expect(parsed.pages).toBe(3);
  });

  test('parseFile reads sheets, with cells as they are shown', async () => {
    const parsed = await parse('guide.xlsx', sample('guide.xlsx'));
    expect(titles(parsed)).toEqual(['1 Rivers', '1 Empty', '1 Notes']);
    expect(parsed.text).toContain(
      'River: Rhine; Length: 1233; Since: 2026-01-31\nRiver: Moselle; Length: 544.5',
    );
  });

  test('the text layer of a PDF', async () => {
    const parsed = await parse('guide.pdf', sample('guide.pdf'));
    expect(parsed).toMatchObject({ pages: 2, mediaType: 'application/pdf' });
    expect(parsed.text).toContain('\n\nLakes\nLake Constance is the largest: café, naïve.');
  });

  test('HTML as it reads, without menus and programs', async () => {
    const html = `<!doctype html><head><title>t</title><body><nav>menu</nav><script>alert(1)</script><h1>Big <b>rivers</b></h1>
      <p>One &amp; two<br>three</p><ul><li>first<li>second</ul><pre>a\n  b</pre>
      <table><tr><th>k<th>v</tr><tr><td>x<td><p>1</p></tr></table><h2>Lakes</h2>end`;
    const parsed = await parse('page.html', html);
    expect(titles(parsed)).toEqual(['0 t', '1 Big rivers', '2 Lakes']);
    expect(parsed.text).toBe(
      't\n\nBig rivers\n\nOne & two\nthree\n\n- first\n- second\n\na\n  b\n\nk | v\nk: x; v: 1\n\nLakes\n\nend',
    );
  });

  test.each([
    ['commas', 'city,people\nRome,"2,8"\nOslo,0.7\n'],
    ['semicolons', 'city;people\nRome;2,8\nOslo;0.7\n'],
    ['tabs and a byte order mark', '\ufeffcity\tpeople\r\nRome\t2,8\r\nOslo\t0.7'],
  ])('CSV with %s as lines that name their columns', async (_, csv) => {
    const { text } = await parse('cities.csv', csv);
    expect(text).toBe('city | people\ncity: Rome; people: 2,8\ncity: Oslo; people: 0.7');
  });

  test('JSON in lines, with every digit, cut between the members of its top level', async () => {
    const { text, mediaType } = await parse(
      'data.json',
      '[{"id":12345678901234567890,"a":"caf\\u00e9"},{"b":1.50}]',
    );
    expect(mediaType).toBe('application/json');
    expect(text).toBe(
      '[\n  {\n    "id": 12345678901234567890,\n    "a": "café"\n  },\n\n  {\n    "b": 1.50\n  }\n]',
    );
  });

  test('Markdown as it is, with its headings', async () => {
    const markdown = '# A [link](x) #\n\ntext\n\nB\n---\n\n```\n# no heading\n```\n\n# ##\n\n### `C`\n';
    const parsed = await parse('page.md', markdown);
    expect(parsed.text).toBe(markdown);
    expect(parsed.headings.map(({ level, title }) => `${level} ${title}`)).toEqual([
      '1 A link',
      '2 B',
      '3 C',
    ]);
  });

  test.each([
    ['UTF-16 with a mark', Buffer.from('\ufeffgrüße aus köln', 'utf16le')],
    ['UTF-16 without one', Buffer.from('grüße aus köln', 'utf16le')],
    ['UTF-8 with a mark', Buffer.from('\ufeffgrüße aus köln')],
    ['Latin-1', Buffer.from('grüße aus köln', 'latin1')],
  ])('parseFile reads text in %s', async (_, bytes) => {
    const { text } = await parse('letter.txt', bytes);
    expect(text).toBe('grüße aus köln');
  });

  test('parseFile reads characters that a database cannot keep as others', async () => {
    const { text } = await parse('a.txt', `${'a'.repeat(1000)}\0b`);
    expect(text).toBe(`${'a'.repeat(1000)} b`);
  });

  test('a file by its content when its name says something else', async () => {
    await expect(parse('report.pdf', sample('guide.docx'))).resolves.toMatchObject({
      mediaType: expect.stringContaining('wordprocessingml'),
    });
    await expect(parse('notes.txt', sample('guide.pdf'))).resolves.toMatchObject({ pages: 2 });
    await expect(parse('page.txt', '<!DOCTYPE html><p>x')).resolves.toMatchObject({ text: 'x' });
  });
});

describe('parseFile refuses', () => {
  const zip = (files: Record<string, string | Uint8Array>) =>
    zipSync(
      Object.fromEntries(
        Object.entries(files).map(([name, file]) => [name, typeof file === 'string' ? strToU8(file) : file]),
      ),
    );
  const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2);
  /** A zip that declares a much smaller unpacked size than it has. */
  const liar = () => {
    const bytes = Buffer.from(zip({ 'word/document.xml': new Uint8Array(30_000_000) }));
    const size = Buffer.alloc(4);
    size.writeUInt32LE(30_000_000);
    for (let at = bytes.indexOf(size); at !== -1; at = bytes.indexOf(size)) bytes.writeUInt32LE(1000, at);
    return bytes;
  };

  const flat = (body: string) =>
    `<?xml version="1.0"?><office:document office:mimetype="application/vnd.oasis.opendocument.text"><office:text>${body}</office:text></office:document>`;

  test.each<[string, string, Uint8Array | string, string, RegExp]>([
    ['an empty file', 'a.txt', '', 'EMPTY', /is empty/],
    ['white space', 'a.md', ' \n\t\n', 'EMPTY', /holds no text/],
    ['a page without text', 'a.html', '<html><script>x</script></html>', 'EMPTY', /holds no text/],
    ['a page of opened tags', 'a.html', '<div>'.repeat(200_000), 'UNREADABLE', /nested/],
    [
      'a document of nested sections',
      'a.fodt',
      flat('<text:section>'.repeat(500_000)),
      'UNREADABLE',
      /nested/,
    ],
    [
      'a document of unclosed tables',
      'a.odt',
      writeOpenDocument('<table:table>'.repeat(20_000)),
      'UNREADABLE',
      /nested/,
    ],
    ['a PDF behind a password', 'a.pdf', sample('locked.pdf'), 'ENCRYPTED', /password/],
    [
      'an Office file behind a password',
      'a.docx',
      Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from('EncryptedPackage', 'utf16le')]),
      'ENCRYPTED',
      /password/,
    ],
    [
      'a Word file of 1997',
      'a.doc',
      Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]),
      'UNSUPPORTED',
      /before 2007/,
    ],
    ['half a Word document', 'a.docx', half(sample('guide.docx')), 'UNREADABLE', /cut short/],
    ['half a spreadsheet', 'a.xlsx', half(sample('guide.xlsx')), 'UNREADABLE', /cut short/],
    [
      'a Word document without its text',
      'a.docx',
      zip({ 'word/document.xml': '<w:docu' }),
      'UNREADABLE',
      /damaged/,
    ],
    ['nonsense that begins as a PDF', 'a.pdf', '%PDF-1.7\nnonsense', 'UNREADABLE', /damaged/],
    ['a PDF of pictures', 'a.pdf', sample('pictures.pdf'), 'NO_TEXT', /pictures/],
    [
      'a picture',
      'a.txt',
      Buffer.from('89504e470d0a1a0a0000000d494844520000000100000001080600000000000000', 'hex'),
      'UNSUPPORTED',
      /no text/,
    ],
    ['text that is named as a PDF', 'a.pdf', 'Not found', 'MISLABELLED', /named \.pdf/],
    ['an archive', 'a.zip', zip({ 'a.txt': 'a' }), 'UNSUPPORTED', /archive/],
    [
      'a zip bomb',
      'a.docx',
      zip({ 'word/document.xml': new Uint8Array(30_000_000) }),
      'TOO_LARGE',
      /unpacks from \d+ to 30000000/,
    ],
    ['a zip bomb that lies', 'a.docx', liar(), 'UNREADABLE', /too many bytes/],
  ])('%s', async (_, filename, bytes, code, message) => {
    await expect(parse(filename, bytes)).rejects.toMatchObject({
      name: 'DocumentFault',
      code,
      message: expect.stringMatching(message),
    });
  });

  test('a file that is too large, before it is read', async () => {
    await expect(parse('a.txt', 'x'.repeat(11), { bytesMax: 10 })).rejects.toMatchObject({
      code: 'TOO_LARGE',
    });
  });

  test('a file that fills the heap in one step, and ends only its own process', async () => {
    const json = `[${'[],'.repeat(5_000_000)}[]]`;
    await expect(parse('a.json', json, { heapMegabytesMax: 64 })).rejects.toMatchObject({
      code: 'TOO_MUCH_MEMORY',
    });
  });

  test('a file that takes too long, too much heap or too much memory, and ends its process', async () => {
    const json = `[${'[],'.repeat(3_000_000)}[]]`;
    await expect(parse('a.json', json, { msMax: 100 })).rejects.toMatchObject({ code: 'TOO_SLOW' });
    await expect(parse('a.json', json, { heapMegabytesMax: 32 })).rejects.toMatchObject({
      code: 'TOO_MUCH_MEMORY',
    });
    await expect(parse('a.json', json, { growthMegabytesMax: 40 })).rejects.toMatchObject({
      code: 'TOO_MUCH_MEMORY',
    });
  });

  test('a file when its signal aborts the reading', async () => {
    const path = join(folder, 'long.pdf');
    writeFileSync(path, writePdf(Array.from({ length: 300 }, () => ['Some text.'])));
    const signal = AbortSignal.timeout(50);
    const refused = await parseFile({ path, filename: 'long.pdf' }, signal).catch((error: unknown) => error);
    expect(refused).toBe(signal.reason);
  });

  test('parseFile refuses more pages than it reads', async () => {
    const pages = Array.from({ length: 5001 }, () => ['x']);
    await expect(parse('a.pdf', writePdf(pages))).rejects.toMatchObject({ code: 'TOO_MANY_PAGES' });
  });
});

test('a crash of the thread is an error and no fault', async () => {
  copyFileSync(import.meta.filename, join(folder, 'gone.txt'));
  const reading = parseFile({ path: join(folder, 'gone.txt'), filename: 'gone.txt' });
  rmSync(join(folder, 'gone.txt'));
  await expect(reading).rejects.toThrow(/ENOENT/);
});

describe('two documents that are read at the same time', () => {
  const limits = { growthMegabytesMax: 300 };
  const givenFile = (filename: string, bytes: Uint8Array | string) => {
    const path = join(folder, filename);
    writeFileSync(path, bytes);
    return { path, filename };
  };

  test('two documents are read at the same time, and only the one that takes too much memory is refused', async () => {
    const lines = Array.from(
      { length: 10 },
      (_, n) => `Some words of the line ${n}, which is there to be read.`,
    );
    const innocent = givenFile('long.pdf', writePdf(Array.from({ length: 1500 }, () => lines)));
    const greedy = givenFile('greedy.json', `[${'[],'.repeat(6_000_000)}[]]`);
    const outcomes = await Promise.allSettled([
      parseFile(innocent, undefined, limits),
      parseFile(greedy, undefined, limits),
    ]);
    expect(outcomes).toEqual([
      { status: 'fulfilled', value: expect.objectContaining({ pages: 1500 }) },
      { status: 'rejected', reason: expect.objectContaining({ code: 'TOO_MUCH_MEMORY' }) },
    ]);
  });

  test('a document is read beside one of the many of another workspace', async () => {
    const hostile = givenFile('hostile.json', `[${'[],'.repeat(1_000_000)}[]]`);
    const innocent = givenFile('short.txt', 'Some words.');
    const children = () => process.getActiveResourcesInfo().filter((kind) => kind === 'ProcessWrap').length;
    const before = children();
    const bounds = { growthMegabytesMax: 1, workspaceId: 'ws_hostile' };
    let ended = 0;
    const tries = Array.from({ length: 5 }, () =>
      parseFile(hostile, undefined, bounds).finally(() => ended++),
    );
    const outcomes = Promise.allSettled(tries);
    for (; children() === before;) await pause(10);
    expect(await parseFile(innocent)).toMatchObject({ text: expect.stringContaining('Some words.') });
    expect(ended).toBeLessThan(5);
    expect(children()).toBeLessThanOrEqual(before + 2);
    for (const outcome of await outcomes)
      expect(outcome).toMatchObject({ reason: { code: 'TOO_MUCH_MEMORY' } });
  });
});
