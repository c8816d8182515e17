import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import iconv from 'iconv-lite';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decode } from './encoding.ts';
import { parseHere } from './parse-here.ts';
import { writeBook, writeOpenDocument, writeWord, writeWorkbook, writeZip } from './support/write-office.ts';
import { writeObjects, writePdf } from './support/write-pdf.ts';

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'holdfast-made-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a presentation of one slide. */
const writeSlide = (slide: string) =>
  writeZip({
    '[Content_Types].xml': '<Types/>',
    'ppt/presentation.xml': '<p:presentation><p:sldIdLst><p:sldId r:id="r1"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels':
      '<Relationships><Relationship Id="r1" Target="slides/slide1.xml"/></Relationships>',
    'ppt/slides/slide1.xml': slide,
  });

function parse(filename: string, bytes: Uint8Array | string, mimeType?: string) {
  const path = join(folder, 'upload');
  writeFileSync(path, bytes);
  return parseHere({ path, filename, mimeType });
}

const encoded = (text: string, encoding: string) => iconv.encode(text, encoding);
const page = (head: string, body: string) =>
  `<!doctype html><html><head>${head}</head><body><p>${body}</p></body></html>`;
const table = (rows: string) => `<html><body><table>${rows}</table></body></html>`;
const mailOf = (options: object) =>
  new MailComposer({ from: 'ann@example.org', to: 'bob@example.org', date: new Date(0), ...options })
    .compile()
    .build();
/** A compound file of Office before 2007 with one entry of this name. */
const compound = (entry: string) =>
  Buffer.concat([
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.alloc(1016),
    Buffer.from(entry, 'utf16le'),
    Buffer.alloc(1000),
  ]);

describe('the encoding of a text', () => {
  const words: [encoding: string, text: string][] = [
    ['windows-1251', 'Это инструкция для насоса'],
    ['koi8-r', 'Это инструкция для насоса'],
    ['iso-8859-2', 'Żółta błondynka'],
    ['windows-1250', 'Žluťoučký kůň, święto'],
    ['iso-8859-7', 'Αυτό είναι'],
    ['windows-1254', 'İstanbul’da ışık'],
    ['windows-1256', 'مضخة الماء'],
    ['windows-1255', 'משאבת מים'],
    ['iso-8859-15', '12 € für œuvre'],
    ['macintosh', 'Größe – naïve'],
    ['shift_jis', 'ポンプ取扱書'],
    ['euc-jp', 'ポンプ取扱書'],
    ['gb18030', '水泵说明书'],
    ['big5', '水泵說明書'],
    ['euc-kr', '펌프 설명서'],
    ['cp850', 'Größe für Öl'],
    ['cp866', 'Это насос'],
    ['cp949', '펌프 설명서'],
    ['euc-kr', '똠방각하'],
    ['big5', '水泵①說明書'],
  ];
  test.each(words)('%s is that of the meta of a page', async (encoding, text) => {
    const { text: read } = await parse(
      'page.html',
      encoded(page(`<!-- <meta charset="utf-7"> --><meta charset=${encoding}>`, text), encoding),
    );
    expect(read).toBe(text);
  });

  test.each(words.slice(0, 6))(
    '%s is that of the content type in a page, an XML file, a mail and a transport',
    async (encoding, text) => {
      const meta = `<META content='text/html; charset="${encoding.toUpperCase()}"' http-equiv=Content-Type>`;
      expect((await parse('page.htm', encoded(page(meta, text), encoding))).text).toBe(text);
      const xml = `<?xml version='1.0' encoding='${encoding}'?><a>${text}</a>`;
      expect((await parse('a.xml', encoded(xml, encoding))).text).toBe(xml);
      const mail = encoded(
        `From: a@b.c\nMIME-Version: 1.0\nContent-Type: text/plain; charset="${encoding}"\n\n${text}`,
        encoding,
      );
      expect((await parse('a.eml', mail)).text).toContain(`\n\n${text}`);
      const base64 = `From: a@b.c\nSubject: =?${encoding}?B?${encoded(text, encoding).toString('base64')}?=\nMIME-Version: 1.0\nContent-Type: text/html; charset=${encoding}\nContent-Transfer-Encoding: base64\n\n${encoded(page('', text), encoding).toString('base64')}`;
      expect((await parse('a.eml', base64)).text).toMatch(new RegExp(`^${text}\n\nFrom: a@b.c\n\n${text}$`));
      expect((await parse('a.txt', encoded(text, encoding), `text/plain; charset=${encoding}`)).text).toBe(
        text,
      );
    },
  );

  test.each([
    ['UTF-16 without a mark, little end first', encoded('Это насос\r\nдля воды', 'utf-16le')],
    ['UTF-16 without a mark, big end first', encoded('Это насос\r\nдля воды', 'utf-16be')],
    ['UTF-32 with a mark', encoded('\uFEFFЭто насос\r\nдля воды', 'utf-32le')],
    ['UTF-8 that declares a code page', Buffer.from('# coding: cp1251\nЭто насос\r\nдля воды')],
    [
      'a code page that a program declares',
      encoded('# -*- coding: cp1251 -*-\nЭто насос\r\nдля воды', 'cp1251'),
    ],
  ])('%s is found', async (_, bytes) => {
    expect((await parse('notes.txt', bytes)).text).toMatch(/Это насос\r\nдля воды$/);
  });

  test.each([
    ['hz-gb-2312', 'a ~{<:Ky2;~} b', 'a 己所不 b'],
    ['iso-2022-kr', '\x1b$)Ca \x0eFF\x0f b', 'a 팎 b'],
    ['iso-2022-jp', 'a \x1b$B%]%s%W\x1b(B b', 'a ポンプ b'],
  ])('%s shifts between one and two bytes a character', async (encoding, bytes, text) => {
    expect((await parse('a.html', page(`<meta charset=${encoding}>`, bytes))).text).toBe(text);
  });

  test.each([
    [
      'shift_jis',
      ['価格', 'ポンプ', '商品名,価格\nポンプ,100\nホース,200\n', '①②', '山田太郎様', 'ﾎﾟﾝﾌﾟ ﾄｳｷｮｳ'],
    ],
    ['euc-jp', ['ポンプ', '商品名,ホースの価格\nポンプ,100\n']],
    ['gbk', ['水泵', 'name\n北京\n上海\n', '商品名,价格\n水泵,100\n软管,200\n']],
    ['big5', ['台北市', '價格', '商品名,價格\n水泵,100\n軟管,200\n']],
    ['cp949', ['상품명,가격\n펌프,100\n호스,200\n']],
    ['windows-1251', ['Цена', 'name\nМосква\nКазань\n']],
    ['koi8-r', ['Цена', 'товар,цена\nнасос,100\n']],
    [
      'windows-1252',
      ['Köln', 'größe', 'café', 'naïve – “quoted”', 'it’s and don’t', 'Æblegrød', 'ÄÖÜ', '£5 – 3½ Zoll'],
    ],
    ['windows-1250', ['Łódź', 'cena\nżółty\nśruba\n', 'Příliš žluťoučký kůň']],
    ['macintosh', ['größe', 'Stück;Größe\nPümpe;100\n', 'café crème']],
    ['cp850', ['name\nKöln\nMünchen\n', 'Stück;Größe\nPümpe;100\n']],
    ['cp866', ['товар;цена\nнасос;100\nшланг;200\n']],
  ])('%s is guessed from a few words', async (encoding, texts) => {
    const read = texts.map((text) => decode(encoded(text, encoding)));
    expect(await Promise.all(read)).toEqual(texts);
  });

  test.each([
    ['shift_jis', `${'━'.repeat(30)}\n■お知らせ\n当社の新しいポンプの価格です。\n`],
    ['shift_jis', '┌──┬──┐\n│品名│価格│\n└──┴──┘\n当社の新しいポンプです。\n'],
    ['shift_jis', '株式会社ﾔﾏﾀﾞ電機,商品ﾎﾟﾝﾌﾟ一式,東京都ﾐﾅﾄ区,ｶﾌﾞｼｷ会社の価格は百円です\n'.repeat(20)],
    ['euc-jp', `${'━'.repeat(30)}\n■お知らせ\n当社の新しいポンプの価格です。\n`],
    ['gbk', '════════════\n公司新产品通知\n────────────\n各位同事，新的水泵已经上市。\n'],
    ['big5', '════════════\n公司新產品通知\n各位同事，新的水泵已經上市。\n'],
    ['cp949', '━━━━━━━━━━━━\n■ 공지사항\n신제품 펌프가 출시되었습니다.\n'],
    ['koi8-r', '┌─────┬────┐\n│товар│цена│\n└─────┴────┘\nЭто новый насос для воды.\n'],
    ['windows-1251', 'Насос центробежный 5 кВт;100\n'.repeat(9)],
    ['windows-1251', 'Мощность, кВт'],
    ['windows-1251', 'Договор с ООО «ТехноПром» и ЗАО «СтройМонтаж»\n'.repeat(9)],
    ['windows-1253', 'Αντίσταση 10kΩ και 47kΩ για το κύκλωμα\n'.repeat(9)],
    ['windows-1256', 'السلام عليكم،كيف حالكم،نحن بخير\n'.repeat(9)],
    ['windows-1252', 'part,value\nC1,10µF\nC2,47µF\nR1,5µA'],
    ['windows-1252', 'Poblacht na hÉireann'],
    ['windows-1252', 'Revenue (€m),Costs (£m)\n12,13'],
    ['windows-1252', 'Profit (€m) – 2023, salary £k, 20 m²a'],
  ])('%s is guessed where signs stand beside the words: %j', async (encoding, text) => {
    expect(await decode(encoded(text, encoding))).toBe(text);
  });

  test('several encodings fit a few signs of two bytes, and the document says which these may be', async () => {
    for (const [encoding, text] of [
      ['cp949', '서울시'],
      ['gbk', '价格'],
    ] as const)
      await expect(parse('notes.txt', encoded(text, encoding))).rejects.toMatchObject({
        code: 'UNREADABLE',
        message: expect.stringMatching(
          /too short to tell its encoding, which may be .*GB18030.* or .*name its encoding/,
        ),
      });
    const named = await parse('notes.txt', encoded('서울시', 'cp949'), 'text/plain; charset=euc-kr');
    expect(named.text).toBe('서울시');
  });

  test('UTF-8 outweighs a code page that a page declares, and a page that declares UTF-16 is UTF-8', async () => {
    expect((await parse('a.html', page('<meta charset=windows-1251>', 'für Köln'))).text).toBe('für Köln');
    expect((await parse('a.html', page('<meta charset=utf-16>', 'für Köln'))).text).toBe('für Köln');
  });

  test('a label that is of no encoding, or of UTF-8 without being it, is not believed', async () => {
    const german = 'Die Größe der Pumpe für die Küche ist schön. '.repeat(3).trim();
    for (const label of ['x-none', 'utf-8'])
      expect((await parse('a.html', encoded(page(`<meta charset=${label}>`, german), 'latin1'))).text).toBe(
        german,
      );
  });
});

describe('a rich text', () => {
  const rtf = (body: string, header = '') =>
    `{\\rtf1\\ansi${header}{\\fonttbl{\\f0\\fnil Arial;}{\\f1\\fnil\\fcharset204 Arial CYR;}{\\f2\\fnil\\fcharset128 MS Mincho;}{\\f3\\fnil\\fcharset2 Symbol;}}{\\colortbl;\\red0;}{\\stylesheet{\\s1\\outlinelevel0 heading 1;}}{\\*\\generator Word;}${body}}`;
  test.each<[string, string, string]>([
    ['escapes of the code page', rtf("M\\'fcller \\'80", '\\ansicpg1252'), 'Müller €'],
    ['another code page', rtf("\\'c4\\'ee\\'ec", '\\ansicpg1251'), 'Дом'],
    ['a code page of DOS', `{\\rtf1\\pc M\\'81ller}`, 'Müller'],
    ['the code page of the Macintosh', `{\\rtf1\\mac M\\'9fller}`, 'Müller'],
    ['a font with its own letters', rtf("\\f1 \\'c4\\'ee\\'ec\\f0  dom"), 'Дом dom'],
    ['two bytes a character', rtf("\\f2 \\'83\\'7c\\'83\\'93\\'83v"), 'ポンプ'],
    ['a font of symbols', rtf("\\f3 \\'61\\'b7"), 'α•'],
    ['Unicode with its fallback', rtf("a\\u252?b\\uc2\\u1044\\'c4\\'c4c\\uc0\\u8364 d"), 'aübДc€d'],
    ['a pair of Unicode', rtf('\\u-10179?\\u-8704?'), '😀'],
    ['no fallback beyond its group', rtf('{\\uc1\\u252}x{\\u252 \\u252 ?}'), 'üxüü'],
    [
      'signs and lines',
      rtf('a\\emdash b\\line c\\tab d\\~e\\par f'),
      'a—b\nc d\u00a0e\n\nf'.replace('\u00a0', ' '),
    ],
    [
      'no pictures, fields, hidden or deleted words',
      rtf(
        'a{\\pict\\pngblip ffd8ffe0}{\\field{\\*\\fldinst HYPERLINK "x"}{\\fldrslt link}}{\\v no}{\\deleted no}\\bin3 {{{b',
      ),
      'alinkb',
    ],
    ['no header', rtf('{\\header \\pard Page}text{\\footnote a note}'), 'text (a note)'],
    [
      'a table with merged cells',
      rtf(
        '\\trowd\\cellx1\\cellx2\\intbl City\\cell People\\cell\\row\\trowd\\clvmgf\\cellx1\\cellx2\\intbl Rome\\cell 2\\cell\\row\\trowd\\clvmrg\\cellx1\\cellx2\\intbl\\cell 3\\cell\\row\\pard end',
      ),
      'City | People\nCity: Rome; People: 2\nCity: Rome; People: 3\n\nend',
    ],
  ])('a rich text has %s', async (_, file, text) => {
    const parsed = await parse('offer.doc', Buffer.from(file, 'latin1'));
    expect(parsed).toMatchObject({ text, mediaType: 'application/rtf', warnings: [] });
  });

  test('a rich text has headings by their level, and the title of its properties', async () => {
    const parsed = await parse(
      'a.rtf',
      rtf('\\pard\\outlinelevel1 Lakes\\par\\pard deep').replace(
        '{\\colortbl',
        '{\\info{\\title Seas \\u252?ber}{\\author Ann}}{\\colortbl',
      ),
    );
    expect(parsed.headings).toEqual([
      { at: 0, level: 0, title: 'Seas über' },
      { at: 11, level: 2, title: 'Lakes' },
    ]);
    expect(parsed.text).toBe('Seas über\n\nLakes\n\ndeep');
  });

  test('a rich text that is cut short says so', async () => {
    expect(await parse('a.rtf', '{\\rtf1 some {\\b text')).toMatchObject({
      text: 'some text',
      warnings: [expect.stringMatching(/ends before/)],
    });
  });
});

describe('a mail', () => {
  test('a mail has its subject, people, text and the names of what is attached', async () => {
    const bytes = await mailOf({
      subject: 'Rechnung über Pumpen',
      text: 'Nur Text',
      html: '<h2>Größe</h2><p>Die Pumpe für die <b>Küche</b></p><table><tr><th>a<th>b<tr><td>1<td>2</table>',
      attachments: [
        { filename: 'Plän.pdf', content: Buffer.alloc(5000, 7) },
        { filename: 'x.png', content: Buffer.alloc(50), cid: 'x' },
      ],
    });
    const { text, headings, mediaType } = await parse('mail.eml', bytes);
    expect(mediaType).toBe('message/rfc822');
    expect(text).toContain('Rechnung über Pumpen\n\nFrom: ann@example.org\nTo: bob@example.org\nDate: ');
    expect(text).toContain(
      '\n\nGröße\n\nDie Pumpe für die Küche\n\na | b\na: 1; b: 2\n\nAttachments: Plän.pdf',
    );
    expect(text).not.toContain('Nur Text');
    expect(headings.map(({ at, level, title }) => [level, title, text.startsWith(title, at)])).toEqual([
      [1, 'Rechnung über Pumpen', true],
      [3, 'Größe', true],
    ]);
  });

  test('a mail inside of a mail is read', async () => {
    const inner = await mailOf({ subject: 'Inner', text: 'inner words' });
    const bytes = await mailOf({
      subject: 'Outer',
      text: 'outer words',
      attachments: [{ contentType: 'message/rfc822', content: inner }],
    });
    const { headings, text } = await parse('mail.eml', bytes);
    expect(headings.map(({ level, title }) => `${level} ${title}`)).toEqual(['1 Outer', '2 Inner']);
    expect(text).toMatch(/outer words\n\nInner\n\n[^]*inner words/);
  });

  test('a mail without a name that says so is known by its header', async () => {
    const bytes = await mailOf({ subject: 'x', text: 'für' });
    expect(await parse('a.txt', bytes)).toMatchObject({
      mediaType: 'message/rfc822',
      text: expect.stringContaining('für'),
    });
    expect(await parse('a.txt', 'Note: x\n\nfür')).toMatchObject({ mediaType: 'text/plain' });
  });

  test('a mail whose lines flow has whole sentences', async () => {
    const mail =
      'From: a@b.c\nMIME-Version: 1.0\nContent-Type: text/plain; format=flowed\n\nThe pump \nneeds water.\n';
    expect((await parse('a.eml', mail)).text).toMatch(/The pump needs water\.$/);
  });

  test('a mail that is encrypted, or has thousands of parts, is refused', async () => {
    const head = 'From: a@b.c\nMIME-Version: 1.0\nContent-Type: ';
    await expect(
      parse('a.eml', `${head}application/pkcs7-mime; smime-type=enveloped-data\n\nAAAA`),
    ).rejects.toMatchObject({ code: 'ENCRYPTED' });
    const nested = Array.from(
      { length: 3000 },
      (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\n\n--b${n}\n`,
    ).join('');
    await expect(parse('a.eml', `From: a@b.c\nMIME-Version: 1.0\n${nested}`)).rejects.toMatchObject({
      code: 'TOO_LARGE',
      message: expect.stringMatching(/1000 parts/),
    });
  });

  test('a mail in a mailbox is one of several', async () => {
    const box = `From a@b.c Thu Jan  1 00:00:00 1970\nFrom: a@b.c\nSubject: One\n\nfirst\n>From here\n\nFrom a@b.c Thu Jan  1 00:00:00 1970\nFrom: a@b.c\nSubject: Two\n\nsecond\n`;
    const { text, headings, mediaType } = await parse('all.mbox', box);
    expect([mediaType, ...headings.map(({ title }) => title)]).toEqual(['application/mbox', 'One', 'Two']);
    expect(text).toBe('One\n\nFrom: a@b.c\n\nfirst\nFrom here\n\nTwo\n\nFrom: a@b.c\n\nsecond');
  });

  test('a mail that is a saved page is the page', async () => {
    const html = encoded(
      page('<meta charset=windows-1251><title>Насос</title>', 'Это вода'),
      'cp1251',
    ).toString('base64');
    const saved = `From: <Saved by Blink>\nSnapshot-Content-Location: https://a.test/\nSubject: x\nMIME-Version: 1.0\nContent-Type: multipart/related; type="text/html"; boundary=b\n\n--b\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\n${html}\n--b\nContent-Type: image/png\nContent-Transfer-Encoding: base64\nContent-Location: https://a.test/x.png\n\nAAAA\n--b--\n`;
    expect(await parse('page.mhtml', saved)).toMatchObject({
      text: 'Насос\n\nЭто вода',
      mediaType: 'multipart/related',
    });
  });
});

describe('a book and an OpenDocument text', () => {
  test('a book and an OpenDocument text have their chapters in order, and their title', async () => {
    const { text, headings } = await parse(
      'a.epub',
      writeBook(['<h1>One</h1><p>Zürich</p>', '<h1>Two</h1><p>&#x416;</p>'], 'Two &amp; one'),
    );
    expect(text).toBe('Two & one\n\nOne\n\nZürich\n\nTwo\n\nЖ');
    expect(headings.map(({ at, level, title }) => [level, title, text.startsWith(title, at)])).toEqual([
      [0, 'Two & one', true],
      [1, 'One', true],
      [1, 'Two', true],
    ]);
    const odt = writeOpenDocument('<text:p>Zürich</text:p>', 'About lakes');
    expect((await parse('a.odt', odt)).text).toBe('About lakes\n\nZürich');
  });

  test('a book and an OpenDocument text are refused when they are locked', async () => {
    const lock =
      '<encryption><EncryptedData><EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/></EncryptedData></encryption>';
    await expect(
      parse('a.epub', writeBook(['x'], 'x', { 'META-INF/encryption.xml': lock })),
    ).rejects.toMatchObject({ code: 'ENCRYPTED' });
    const fonts = lock.replace(
      'http://www.w3.org/2001/04/xmlenc#aes128-cbc',
      'http://www.idpf.org/2008/embedding',
    );
    await expect(
      parse('a.epub', writeBook(['x y'], 'x', { 'META-INF/encryption.xml': fonts })),
    ).resolves.toMatchObject({ text: 'x y' });
    const odt = writeZip({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml': '\u0001',
      'META-INF/manifest.xml': '<manifest:encryption-data/>',
    });
    await expect(parse('a.odt', odt)).rejects.toMatchObject({ code: 'ENCRYPTED' });
  });
});

describe('a cell of a workbook', () => {
  test.each<[string, number, string | number, string]>([
    ['the short date of every country', 45358, 14, '2024-03-07'],
    ['that date with a time', 45358.75, 22, '2024-03-07 18:00:00'],
    ['two digits of the year', 8833, 'd.m.yy', '7.3.1924'],
    ['a month and two digits', 45358, 'mmm-yy', 'Mar-2024'],
    ['a German date', 45358, '[$-407]d. mmmm yyyy', '7. März 2024'],
    ['a Russian date', 45358, '[$-419]d mmmm yyyy;@', '7 марта 2024'],
    ['a Japanese date', 45358, 'yyyy"年"m"月"d"日"', '2024年3月7日'],
    ['an era', 45358, '[$-411]ge.m.d', '2024-03-07'],
    ['the long date of a system', 45358, '[$-F800]dddd, mmmm dd, yyyy', '2024-03-07'],
    ['elapsed hours', 1.5, '[h]:mm:ss', '36:00:00'],
    ['half a day', 0.75, 'h:mm AM/PM', '6:00 PM'],
    ['a time with fractions', 0.5000029, 'mm:ss.00', '00:00.25'],
    ['percent', 0.125, '0.0%', '12.5%'],
    ['money', 1234.5, '[$€-407] #,##0.00', '€ 1,234.50'],
    ['a fraction', 1.375, '# ?/?', '1 3/8'],
    ['an exponent', 1234567, '0.00E+00', '1.23E+06'],
    ['leading zeros', 42, '00000', '00042'],
    ['a long number', 4006381333931, 'General', '4006381333931'],
    ['a sum of fractions', 0.1 + 0.2, 'General', '0.3'],
  ])('a cell of a workbook has %s', async (_, value, format, text) => {
    const read = await parse(
      'a.xlsx',
      writeWorkbook([
        ['Name', 'Value'],
        ['x', [value, format]],
      ]),
    );
    expect(read.text).toBe(`Sheet\n\nName | Value\nName: x; Value: ${text}`);
  });

  test('a cell of a workbook counts its days from 1904 when the workbook does', async () => {
    const bytes = writeWorkbook(
      [
        ['Name', 'Day'],
        ['x', [45358 - 1462, 14]],
      ],
      { isFrom1904: true },
    );
    expect((await parse('a.xlsx', bytes)).text).toContain('Day: 2024-03-07');
  });

  test('a cell of a workbook that is merged is said in each row and column', async () => {
    const rows = [
      ['Costs of 2024', null, null],
      ['Region', 'City', 'Sum'],
      ['North', 'Oslo', [1, 0] as [number, number]],
      [null, 'Bergen', [2, 0] as [number, number]],
    ];
    const { text } = await parse('a.xlsx', writeWorkbook(rows, { merges: ['A1:C1', 'A3:A4'] }));
    expect(text).toBe(
      'Sheet\n\nCosts of 2024\nRegion | City | Sum\nRegion: North; City: Oslo; Sum: 1\nRegion: North; City: Bergen; Sum: 2',
    );
  });
});

describe('a table', () => {
  test.each([
    ['without a name of its first column', ',name,age\n0,Ann,30\n1,Bob,40\n', '1; name: Bob; age: 40'],
    ['of years', 'Region,2021,2022\nNorth,10,20\nSouth,30,40\n', 'Region: South; 2021: 30; 2022: 40'],
    ['of numbered columns', ',0,1,2\na,5,6,7\n', 'a; 0: 5; 1: 6; 2: 7'],
    ['below a title', 'Report of May,,\nname,age,city\nAnn,30,Oslo\n', 'name: Ann; age: 30; city: Oslo'],
    ['below a title in a cell', 'Costs in May\nname;age\nAnn;30\nTotal\n', 'name: Ann; age: 30'],
    ['in quotes', '"na, me"\t"age"\r\n"Ann, Bob"\t"3,0"\r\n', 'na, me: Ann, Bob; age: 3,0'],
    ['with a line break in a cell', '"id";"note"\n"1";"a, b\nc, d\ne"\n', 'id: 1; note: a, b c, d e'],
    ['below the line of Excel', 'sep=^\nname^age\nAnn^30\n', 'name: Ann; age: 30'],
    ['without names', 'Ann,30\nBob,40\n', 'Bob | 40'],
  ])('%s keeps the names that it has', async (_, csv, line) => {
    expect((await parse('a.csv', csv)).text.split('\n')).toContain(line);
  });

  const html: [string, string, string[]][] = [
    [
      'rows',
      '<tr><th>Day<th>Room<tr><td rowspan=2>Mon<td>A<tr><td>B',
      ['Day: Mon; Room: A', 'Day: Mon; Room: B'],
    ],
    ['columns', '<tr><th>Day<th>Am<th>Pm<tr><td>Mon<td colspan=2>shut', ['Day: Mon; Am: shut; Pm: shut']],
    [
      'names',
      '<tr><th rowspan=2>City<th colspan=2>2024<tr><th>in<th>out<tr><td>Oslo<td>1<td>2',
      ['City: Oslo; 2024 in: 1; 2024 out: 2'],
    ],
    ['a row', '<tr><th>City<th>Sum<tr><td colspan=2>North<tr><td>Oslo<td>2', ['North', 'City: Oslo; Sum: 2']],
    [
      'the rest of a group',
      '<tbody><tr><th>a<th>b<tr><td rowspan=0>x<td>1<tr><td>2</tbody><tbody><tr><td>y<td>3',
      ['a: x; b: 2', 'a: y; b: 3'],
    ],
    [
      'both ways',
      '<tr><th>a<th>b<th>c<tr><td rowspan=2 colspan=2>x<td>1<tr><td>2',
      ['a: x; b: x; c: 1', 'a: x; b: x; c: 2'],
    ],
  ];
  test.each(html)('a table of a page with a cell that spans %s keeps the columns', async (_, rows, lines) => {
    expect((await parse('a.html', table(rows))).text.split('\n')).toEqual(expect.arrayContaining(lines));
  });

  test('a table of Word keeps the columns of merged cells', async () => {
    const cell = (text: string, properties = '') =>
      `<w:tc><w:tcPr>${properties}</w:tcPr><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`;
    const row = (...cells: string[]) => `<w:tr>${cells.join('')}</w:tr>`;
    const body = `<w:tbl>${row(cell('City', '<w:vMerge w:val="restart"/>'), cell('2024', '<w:gridSpan w:val="2"/>'))}${row(cell('', '<w:vMerge/>'), cell('in'), cell('out'))}${row(cell('Oslo', '<w:vMerge w:val="restart"/>'), cell('1'), cell('2'))}${row(cell('', '<w:vMerge/>'), cell('none', '<w:gridSpan w:val="2"/>'))}</w:tbl>`;
    const { text } = await parse('a.docx', writeWord(body, 'Costs of cities'));
    expect(text.split('\n')).toEqual([
      'Costs of cities',
      '',
      'City | 2024',
      'City | in | out',
      'City: Oslo; 2024 in: 1; 2024 out: 2',
      'City: Oslo; 2024 in: none; 2024 out: none',
    ]);
  });

  test('a table of OpenDocument keeps the columns of merged cells', async () => {
    const cell = (text: string, more = '') =>
      `<table:table-cell ${more}><text:p>${text}</text:p></table:table-cell>`;
    const row = (...cells: string[]) => `<table:table-row>${cells.join('')}</table:table-row>`;
    const covered = '<table:covered-table-cell/>';
    const rows = [
      row(cell('City'), cell('Sum'), cell('Note')),
      row(
        cell('Oslo', 'table:number-rows-spanned="2"'),
        cell('1', 'table:number-columns-spanned="2"'),
        covered,
      ),
      row(covered, cell('2'), cell('x')),
    ];
    const { text } = await parse('a.odt', writeOpenDocument(`<table:table>${rows.join('')}</table:table>`));
    expect(text.split('\n').slice(1)).toEqual(['City: Oslo; Sum: 1; Note: 1', 'City: Oslo; Sum: 2; Note: x']);
  });

  test('a table of a slide keeps the columns of merged cells', async () => {
    const cell = (text: string, more = '') =>
      `<a:tc ${more}><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
    const rows = [
      [cell('City'), cell('Sum'), cell('Note')],
      [cell('Oslo', 'rowSpan="2"'), cell('none', 'gridSpan="2"'), cell('', 'hMerge="1"')],
      [cell('', 'vMerge="1"'), cell('2'), cell('x')],
    ];
    const slides = writeSlide(
      `<p:sld><a:tbl>${rows.map((row) => `<a:tr>${row.join('')}</a:tr>`).join('')}</a:tbl></p:sld>`,
    );
    const { text } = await parse('a.pptx', slides);
    expect(text.split('\n').slice(2)).toEqual([
      'City | Sum | Note',
      'City: Oslo; Sum: none; Note: none',
      'City: Oslo; Sum: 2; Note: x',
    ]);
  });

  test('a table that a program has named as a workbook is read as the page or the text that it is', async () => {
    expect((await parse('a.xls', table('<tr><th>a<th>b<tr><td>1<td>2'))).text).toContain('a: 1; b: 2');
    expect((await parse('a.xls', 'a\tb\n1\t2\n')).text).toContain('a: 1; b: 2');
  });
});

describe('a PDF', () => {
  const encodingOf = {
    Identity: '/Identity-H',
    Japan: '/90ms-RKSJ-H',
    UniJapan: '/UniJIS-UCS2-H',
    China: '/GBK-EUC-H',
    Korea: '/KSCms-UHC-H',
    Taiwan: '/ETen-B5-H',
  };
  const withFont = (encoding: string, ordering: string, hex: string) =>
    writeObjects([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
      `BT /F1 12 Tf 50 700 Td <${hex}> Tj ET`,
      `<</Type/Font/Subtype/Type0/BaseFont/Any/Encoding${encoding}/DescendantFonts[6 0 R]>>`,
      `<</Type/Font/Subtype/CIDFontType0/BaseFont/Any/CIDSystemInfo<</Registry(Adobe)/Ordering(${ordering})/Supplement 2>>/FontDescriptor 7 0 R>>`,
      '<</Type/FontDescriptor/FontName/Any/Flags 4>>',
    ]);
  test.each([
    ['Japan', 'Japan1', encoded('ポンプ取扱書', 'shift_jis'), 'ポンプ取扱書'],
    ['UniJapan', 'Japan1', encoded('ポンプ取扱書', 'utf-16be'), 'ポンプ取扱書'],
    ['China', 'GB1', encoded('水泵说明书', 'gbk'), '水泵说明书'],
    ['Korea', 'Korea1', encoded('펌프설명서', 'cp949'), '펌프설명서'],
    ['Taiwan', 'CNS1', encoded('水泵說明書', 'big5'), '水泵說明書'],
  ] as const)('a PDF with a map of characters of %s is read', async (name, ordering, bytes, text) => {
    expect((await parse('a.pdf', withFont(encodingOf[name], ordering, bytes.toString('hex')))).text).toBe(
      text,
    );
  });

  test('a PDF whose fonts do not name their letters is refused', async () => {
    const hex = [...'Hello world of pumps']
      .map((letter) => (letter.charCodeAt(0) - 29).toString(16).padStart(4, '0'))
      .join('');
    await expect(parse('a.pdf', withFont(encodingOf.Identity, 'Identity', hex))).rejects.toMatchObject({
      code: 'NO_TEXT',
    });
  });

  test('a PDF with a form has its values beside their labels', async () => {
    const widget = (more: string) => `<</Type/Annot/Subtype/Widget/F 4/P 3 0 R${more}>>`;
    const { text } = await parse(
      'form.pdf',
      writeObjects([
        '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[6 0 R 7 0 R 8 0 R 9 0 R 10 0 R]>>>>',
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Annots[6 0 R 7 0 R 8 0 R 9 0 R 10 0 R]/Resources<</Font<</F1 5 0 R>>>>>>',
        'BT /F1 12 Tf 50 700 Td (Name:) Tj 20 -40 Td (member) Tj 200 0 Td (guest) Tj ET',
        '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
        widget('/FT/Tx/T(name)/V(Johanna Vogelsang)/Rect[120 695 300 715]'),
        widget('/FT/Btn/T(member)/V/Yes/AS/Yes/AP<</N<</Yes 4 0 R/Off 4 0 R>>>>/Rect[50 655 60 670]'),
        widget('/FT/Btn/T(guest)/V/Off/AS/Off/AP<</N<</Yes 4 0 R/Off 4 0 R>>>>/Rect[250 655 260 670]'),
        widget(
          '/FT/Ch/Ff 131072/T(town)/TU(Home town)/Opt[[(osl)(Oslo)][(rom)(Rome)]]/V(osl)/Rect[50 500 200 520]',
        ),
        widget('/FT/Tx/Ff 8192/T(secret)/V(hunter2)/Rect[50 400 200 420]'),
      ]),
    );
    expect(text).toBe('Name: Johanna Vogelsang\n[x] member guest\nHome town: Oslo');
  });

  test('a PDF says which pages have no text, and is refused only when all have none', async () => {
    const line = ['This page tells about the maintenance of the pump.'];
    const some = await parse('a.pdf', writePdf([line, [], line, [], [], []]));
    expect(some).toMatchObject({
      confidence: 0.333,
      warnings: ['4 of 6 pages have no text that can be read, and searches do not find them: pages 2, 4–6.'],
    });
    expect(await parse('a.pdf', writePdf([['Cover'], [], []]))).toMatchObject({ text: 'Cover' });
    await expect(parse('a.pdf', writePdf([[], []]))).rejects.toMatchObject({ code: 'NO_TEXT' });
  });
});

describe('a file that is not read', () => {
  test.each([
    ['a message of Outlook', 'a.msg', compound('__substg1.0_0037001F'), /\.eml/],
    ['a document of Word 97', 'a.doc', compound('WordDocument'), /save it as \.docx/],
    ['slides of PowerPoint 97', 'a.ppt', compound('PowerPoint Document'), /save it as \.pptx/],
    ['a document of Pages', 'a.pages', writeZip({ 'Index/Document.iwa': 'x' }), /export it as PDF/],
    ['a zip in a zip', 'a.zip', writeZip({ 'a.zip': writeZip({ 'a.txt': 'x' }) }), /archive/],
  ])('%s gets advice', async (_, filename, bytes, message) => {
    await expect(parse(filename, bytes)).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringMatching(message),
    });
  });
});

describe('a front matter', () => {
  const yaml = 'title: Install the pump\nslug: /install\ntags:\n- a\nsidebar_position: 3\n';
  const body = 'The pump needs water.\n\n## Valve\n\nClose it.\n';
  test.each<[string, string]>([
    ['YAML', `---\n${yaml}---\n\n${body}`],
    ['YAML after a mark and blank lines', `\uFEFF\n \n---\n${yaml}---\n${body}`],
    ['YAML that ends with dots', `---\n${yaml}...\n\n${body}`],
    [
      'YAML with comments, texts of several lines and marks with spaces',
      `--- \n# made\n${yaml}text: |\n  A\n\n  ---\n  b\n--- \n${body}`,
    ],
    ['TOML', `+++\ntitle = "Install the pump" # shown\nweight = 3\n\n[menu]\nmain = true\n+++\n\n${body}`],
    ['a title of several lines', `---\ntitle: >-\n  Install\n  the pump\nog:title: x\n---\n${body}`],
  ])('a front matter of %s is no text, and its title is that of the page', async (_, markdown) => {
    for (const [ends, name] of [
      ['\n', 'a.md'],
      ['\r\n', 'a.mdx'],
    ] as const) {
      const { text, headings } = await parse(name, markdown.replaceAll('\n', ends));
      expect(text.replaceAll('\r', '')).toBe(`Install the pump\n\n${body}`);
      expect(headings.map(({ level, title, at }) => [level, title, text.slice(at, at + 8)])).toEqual([
        [0, 'Install the pump', 'Install '],
        [2, 'Valve', '## Valve'],
      ]);
    }
  });

  test.each<[string, string, string]>([
    ['that is no YAML', 'title: Pumps: a guide\nx: {{ y }}', 'Pumps: a guide'],
    ['in quotes', "title: 'The owner''s guide'", "The owner's guide"],
  ])('a front matter has a title %s', async (_, data, title) => {
    expect((await parse('a.md', `---\n${data}\n---\n${body}`)).text).toBe(`${title}\n\n${body}`);
  });

  test('a front matter has the title of the first heading, or none, and it is not said again', async () => {
    const markdown = `# Install the pump\n\n${body}`;
    for (const data of [yaml, 'draft: true\n', ''])
      expect((await parse('a.md', `---\n${data}---\n\n${markdown}`)).text).toBe(markdown);
  });

  test.each<[string, string, string[]]>([
    ['a rule in the middle', '# Top\n\nFirst.\n\n---\n\nSecond.\n', ['Top']],
    ['a rule at the beginning', '---\n\nFirst: a part.\n\n---\n\nSecond.\n', []],
    ['a rule above a text', '---\nThe pump: it is old.\nIt needs water.\n\n---\n\nSecond.\n', []],
    ['a beginning without an end', `---\n${yaml}\nText.\n`, []],
    ['an underlined heading', 'Pumps\n---\n\nText.\n', ['Pumps']],
    ['data that is too long', `---\nx: ${'a'.repeat(70_000)}\n---\n\nText.\n`, [`x: ${'a'.repeat(70_000)}`]],
    ['code', '```\n---\ntitle: x\n---\n```\n', []],
  ])('a front matter is not %s', async (_, markdown, titles) => {
    const { text, headings } = await parse('a.md', markdown);
    expect([text, headings.map(({ title }) => title)]).toEqual([markdown, titles]);
  });

  test('a front matter without a page below it stays the text', async () => {
    expect((await parse('a.md', `---\n${yaml}---\n`)).text).toContain('title: Install the pump');
    expect((await parse('a.txt', `---\n${yaml}---\n${body}`)).text).toContain('slug: /install');
  });
});

describe('a notebook', () => {
  const cell = (cell_type: string, source: unknown, more: object = {}) => ({ cell_type, source, ...more });
  const picture = 'iVBORw0KGgo'.repeat(100);
  const outputs = [
    { output_type: 'stream', name: 'stdout', text: ['five rows\n', '\u001B[31mred\u001B[0m\n'] },
    { output_type: 'execute_result', data: { 'text/plain': ['42'], 'text/html': '<b>42</b>' } },
    { output_type: 'display_data', data: { 'image/png': picture, 'text/plain': '<Figure>' } },
    { output_type: 'display_data', data: { 'text/html': '<table><tr><td>7<td>8</table>' } },
    { output_type: 'error', ename: 'KeyError', evalue: "'speed'", traceback: ['\u001B[0;31m---'] },
  ];
  const cells = [
    cell('markdown', ['# Pump curves\n', '\n', 'The pump P-100.']),
    cell('code', 'import x\n# no heading\n  y = 1\n', { outputs }),
    cell('markdown', `## Plot\n![plot](data:image/png;base64,${picture})`),
    cell('raw', 'As it is.'),
    cell('code', [], { outputs: [{ output_type: 'stream', text: 'z'.repeat(5000) }] }),
  ];
  const read =
    "# Pump curves\n\nThe pump P-100.\n\nimport x\n# no heading\n  y = 1\n\nfive rows\nred\n42\n7 | 8\nKeyError: 'speed'\n\n## Plot\n![plot]()\n\nAs it is.\n\n";

  test.each(['a.ipynb', 'a.json'])(
    'a notebook has its cells, and the beginning of their outputs: %s',
    async (name) => {
      const { text, headings, warnings, mediaType } = await parse(
        name,
        JSON.stringify({ nbformat: 4, metadata: { title: 'Curves' }, cells }),
      );
      expect(text).toBe(`Curves\n\n${read}${'z'.repeat(2000)}…`);
      expect(headings.map(({ at, title }) => [title, text.slice(at, at + 9)])).toEqual([
        ['Curves', 'Curves\n\n#'],
        ['Pump curves', '# Pump cu'],
        ['Plot', '## Plot\n!'],
      ]);
      expect(warnings).toEqual([
        'Pictures inside of the text are left out.',
        'A picture of the outputs is left out.',
      ]);
      expect(mediaType).toBe('application/x-ipynb+json');
    },
  );

  test('a notebook of nbformat 3 has its worksheets, headings and outputs', async () => {
    const old = [
      cell('heading', 'Pump *curves*', { level: 2 }),
      {
        cell_type: 'code',
        input: ['x = 1\n', 'x'],
        outputs: [
          { output_type: 'pyout', text: ['1'], metadata: {} },
          { output_type: 'display_data', png: picture, text: '<Figure>' },
          { output_type: 'pyerr', ename: 'E', evalue: 'e' },
        ],
      },
    ];
    const parsed = await parse('a.ipynb', JSON.stringify({ nbformat: 3, worksheets: [{ cells: old }] }));
    expect(parsed.text).toBe('Pump *curves*\n\nx = 1\nx\n\n1\nE: e');
    expect(parsed.headings).toEqual([{ at: 0, level: 2, title: 'Pump *curves*' }]);
  });

  test.each([
    ['broken', '{"nbformat": 4, "cells": [', '{"nbformat": 4, "cells": [', 'text/plain'],
    ['without cells', '{"nbformat":4}', '{\n  "nbformat": 4\n}', 'application/json'],
    ['no notebook', '{"cells":[]}', '{\n  "cells": [\n    \n  ]\n}', 'application/json'],
  ])('a notebook that is %s is the JSON or the text that it is', async (_, file, text, mediaType) => {
    expect(await parse('a.ipynb', file)).toMatchObject({ text, mediaType });
  });
});

describe('an equation', () => {
  const run = (text: string) => `<m:r><m:rPr><m:sty m:val="p"/></m:rPr><m:t>${text}</m:t></m:r>`;
  const part = (name: string, ...content: string[]) => `<m:${name}>${content.join('')}</m:${name}>`;
  const e = (text: string) => part('e', run(text));
  const word: [string, string, string][] = [
    ['a power', run('E=m') + part('sSup', e('c'), part('sup', run('2'))), 'E=mc^2'],
    ['an index', part('sSubSup', e('x'), part('sub', run('i+1')), part('sup', run('2'))), 'x_(i+1)^2'],
    ['a fraction', part('f', '<m:fPr/>', part('num', run('a+b')), part('den', run('2'))), '(a+b)/2'],
    ['a root', part('rad', part('deg', run('3')), e('x')) + part('rad', part('deg'), e('y')), '√[3](x)√(y)'],
    [
      'a sum',
      part(
        'nary',
        '<m:naryPr><m:chr m:val="∑"/></m:naryPr>',
        part('sub', run('i=1')),
        part('sup', run('n')),
        e('i'),
      ),
      '∑_(i=1)^n i',
    ],
    [
      'brackets',
      part('d', '<m:dPr><m:begChr m:val="|"/><m:endChr m:val="|"/></m:dPr>', e('x')) + part('d', e('y&lt;1')),
      '|x|(y<1)',
    ],
    ['a function', part('func', part('fName', run('sin')), e('x')), 'sin x'],
    ['a matrix', part('m', part('mr', e('a'), e('b')), part('mr', e('c'), e('d'))), '[a, b; c, d]'],
    [
      'a limit',
      part('func', part('fName', part('limLow', e('lim'), part('lim', run('x→0')))), e('y')),
      'lim_(x→0)y',
    ],
    ['deleted words', run('x') + `<w:del>${run('y')}</w:del>`, 'x'],
  ];
  test.each(word)('an equation of Word with %s is written in a line', async (_, content, line) => {
    const equation = `<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math">${content}</m:oMath>`;
    const text = (words: string) => `<w:r><w:t xml:space="preserve">${words}</w:t></w:r>`;
    const body = `<w:p>${text('It is ')}${equation}${text(' here.')}</w:p><w:p><m:oMathPara xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math">${equation}</m:oMathPara></w:p>`;
    expect(await parse('a.docx', writeWord(body))).toMatchObject({
      text: `It is ${line} here.\n\n${line}`,
      warnings: [],
    });
  });

  test('an equation that Word has as an object is left out with a warning', async () => {
    const object =
      '<w:object><o:OLEObject xmlns:o="urn:schemas-microsoft-com:office:office" ProgID="Equation.3"/></w:object>';
    const bytes = writeWord(`<w:p><w:r><w:t>It is</w:t>${object}</w:r></w:p>`);
    expect((await parse('a.docx', bytes)).warnings).toEqual([expect.stringMatching(/Equations/)]);
  });

  const html: [string, string, string][] = [
    ['a power', '<mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup>', 'E=mc^2'],
    ['a fraction', '<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac>', '(a+b)/2'],
    [
      'a root',
      '<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt><mroot><mi>y</mi><mn>3</mn></mroot>',
      '√(x+1)√[3](y)',
    ],
    [
      'a sum',
      '<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi>',
      '∑_(i=1)^n i',
    ],
    ['a function', '<mi>sin</mi><mo>&#x2061;</mo><mi>x</mi>', 'sin x'],
    [
      'the source beside it',
      '<semantics><mrow><mi>x</mi></mrow><annotation encoding="application/x-tex">\\x</annotation></semantics>',
      'x',
    ],
    [
      'a table',
      '<mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr><mtr><mtd><mi>c</mi></mtd></mtr></mtable>',
      '[a, b; c]',
    ],
    ['an accent', '<mover><mi>x</mi><mo>ˆ</mo></mover><msub><mi>v</mi><mi>max</mi></msub>', 'xˆ v_max'],
    ['nothing but a text beside it', '', 'the alternative'],
  ];
  test.each(html)('an equation of a page with %s is written in a line', async (_, content, line) => {
    const words = `It is <math alttext="the alternative">${content}</math> here.`;
    expect((await parse('a.html', page('', words))).text).toBe(`It is ${line} here.`);
    const book = writeBook([`<p>${words.replace(/(<\/?)(\w)/g, '$1m:$2')}</p>`], '');
    expect((await parse('a.epub', book)).text).toBe(`It is ${line} here.`);
  });

  test('an equation is said once when a page also draws its signs, and in headings and cells', async () => {
    const equation =
      '<span class="katex"><span><math><mi>x</mi></math></span><span class="katex-html" aria-hidden="true"><span>x</span><br></span></span>';
    const { text } = await parse(
      'a.html',
      page(
        '',
        `<h1>The ${equation}</h1><p>${equation} is</p><table><tr><th>a<th>b<tr><td>${equation}<td>2</table>`,
      ),
    );
    expect(text).toBe('The x\n\nx is\n\na | b\na: x; b: 2');
  });

  test('an equation that is nested deep, or long, is bounded', async () => {
    const deep = `${'<mrow><mi>x</mi>'.repeat(2000)}${'</mrow>'.repeat(2000)}`;
    expect((await parse('a.html', page('', `<math>${deep}</math>`))).text).toMatch(/^x{2000}$/);
    const long = '<mi>x</mi>'.repeat(9000);
    expect((await parse('a.html', page('', `<math><mrow>${long}</mrow></math>`))).text).toMatch(/^x{5000}…$/);
  });
});

describe('a power', () => {
  test.each([
    ['10<sup>21</sup> and 10<sup>&minus;3</sup> m<sup>2</sup>', '10^21 and 10^−3 m^2'],
    ['2<sup>n</sup> 2<sup>n+1</sup> E=mc<sup><b>2</b></sup>', '2^n 2^(n+1) E=mc^2'],
    ['H<sub>2</sub>O CO<sub>2</sub> 101<sub>2</sub> V<sub>max</sub>', 'H2O CO2 101_2 Vmax'],
    ['1<sup>st</sup> 2<sup>e</sup> Pump<sup>TM</sup> Na<sup>+</sup> <sup>14</sup>C', '1st 2e PumpTM Na+ 14C'],
    ['a note<sup>[1]</sup>.', 'a note[1].'],
  ])('a power is marked: %s', async (html, text) => {
    expect((await parse('a.html', page('', html))).text).toBe(text);
    expect((await parse('a.html', table(`<tr><td>a<td>${html}`))).text).toBe(`a | ${text}`);
  });

  test('a power of Word is marked', async () => {
    const run = (text: string, more = '') =>
      `<w:r><w:rPr>${more}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
    const up = '<w:vertAlign w:val="superscript"/>';
    const body = `<w:p>${run('10')}${run('21', up)}${run(' H')}${run('2', '<w:vertAlign w:val="subscript"/>')}${run('O')}</w:p>`;
    expect((await parse('a.docx', writeWord(body))).text).toBe('10^21 H2O');
  });
});

describe('an equation and a power', () => {
  const math =
    '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><msup><mi>c</mi><mn>2</mn></msup><annotation>c^2</annotation></semantics></math>';
  const styles =
    '<office:automatic-styles><style:style style:name="T1"><style:text-properties style:text-position="super 58%"/></style:style><style:style style:name="T2"><style:text-properties style:text-position="-33% 58%"/></style:style><style:style style:name="T3"><style:text-properties fo:color="#000000"/></style:style></office:automatic-styles>';
  const powers =
    '10<text:span text:style-name="T1"><text:span text:style-name="T3">21</text:span></text:span> of 10<text:span text:style-name="T2">2</text:span>';

  test('an equation and a power of an OpenDocument text are in the text', async () => {
    const object = '<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>';
    const body = `<text:p>${powers} is ${object} here.</text:p>`;
    const files = unzipSync(writeOpenDocument(body));
    const content = strFromU8(files['content.xml'] ?? new Uint8Array()).replace(
      '<office:body>',
      `${styles}<office:body>`,
    );
    const odt = zipSync({ ...files, 'content.xml': strToU8(content), 'Object 1/content.xml': strToU8(math) });
    expect((await parse('a.odt', odt)).text).toBe('10^21 of 10_2 is c^2 here.');
    const flat = `<?xml version="1.0"?><office:document office:mimetype="application/vnd.oasis.opendocument.text">${styles}<office:text><text:p>${powers} is <draw:object>${math}</draw:object> here.</text:p></office:text></office:document>`;
    expect((await parse('a.fodt', flat)).text).toBe('10^21 of 10_2 is c^2 here.');
  });

  test('an equation and a power of a slide are in the text', async () => {
    const run = (text: string, more = '') => `<a:r><a:rPr ${more}/><a:t>${text}</a:t></a:r>`;
    const equation = '<a14:m><m:oMath><m:r><a:rPr/><m:t>E=</m:t></m:r></m:oMath></a14:m>';
    const slides = writeSlide(
      `<p:sld><a:p>${run('10')}${run('21', 'baseline="30000"')}${run(' CO')}${run('2', 'baseline="-25000"')}<a:r><a:t> is </a:t></a:r>${equation}${run('x')}</a:p></p:sld>`,
    );
    expect((await parse('a.pptx', slides)).text).toBe('Slide 1\n\n10^21 CO2 is E=x');
  });

  test('an equation and a power of a rich text are in the text, or a warning says that they are not', async () => {
    const body = '10{\\super 21} 10\\super 3\\nosupersub 4 10\\up6 9\\plain , CO{\\sub 2}, 10\\super0 5';
    const parsed = await parse('a.rtf', `{\\rtf1 ${body}}`);
    expect(parsed).toMatchObject({ text: '10^21 10^34 10^9, CO2, 105', warnings: [] });
    const equation = await parse('a.rtf', '{\\rtf1 It is {\\mmath{\\*\\moMath{\\mr x}}}.}');
    expect(equation).toMatchObject({ text: 'It is .', warnings: ['Equations are left out.'] });
  });
});

describe('an invisible character', () => {
  const written = 'Ge\u00ADsamt\u00ADkon\u00ADzept KX\uFEFF-\u200B1042 word\u2060joiner';
  const read = 'Gesamtkonzept KX-1042 wordjoiner';
  const run = `<w:r><w:t xml:space="preserve">${written}</w:t></w:r>`;
  const slides = writeZip({
    '[Content_Types].xml': '<Types/>',
    'ppt/presentation.xml': '<p:presentation><p:sldIdLst><p:sldId r:id="r1"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels':
      '<Relationships><Relationship Id="r1" Target="slides/slide1.xml"/></Relationships>',
    'ppt/slides/slide1.xml': `<p:sld><a:p><a:r><a:t>${written}</a:t></a:r></a:p></p:sld>`,
  });
  const escaped = [...written]
    .map((sign) => (sign > '~' ? `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}` : sign))
    .join('');
  const entities = [...written].map((sign) => (sign > '~' ? `&#${sign.charCodeAt(0)};` : sign)).join('');
  test.each<[string, string, Uint8Array | string, string]>([
    ['a plain text', 'a.txt', written, read],
    ['Markdown', 'a.md', `# ${written}\n\n${written}`, `# ${read}\n\n${read}`],
    ['a page', 'a.html', page('', written), read],
    ['a page with entities', 'a.html', page('', entities), read],
    ['Markdown with entities', 'a.md', entities, read],
    ['CSV', 'a.csv', `a,b\n${written},2\n`, `a | b\na: ${read}; b: 2`],
    ['JSON', 'a.json', JSON.stringify([written]), `[\n  "${read}"\n]`],
    ['JSON with escapes', 'a.json', `["${escaped}"]`, `[\n  "${read}"\n]`],
    ['a Word document', 'a.docx', writeWord(`<w:p>${run}</w:p>`), read],
    [
      'a Word document with its own element',
      'a.docx',
      writeWord('<w:p><w:r><w:t>Ge</w:t><w:softHyphen/><w:t>samt</w:t></w:r></w:p>'),
      'Gesamt',
    ],
    ['an OpenDocument text', 'a.odt', writeOpenDocument(`<text:p>${written}</text:p>`), read],
    ['a book', 'a.epub', writeBook([`<p>${written}</p>`], ''), read],
    ['a workbook', 'a.xlsx', writeWorkbook([[written]]), `Sheet\n\n${read}`],
    ['a slide', 'a.pptx', slides, `Slide 1\n\n${read}`],
    ['a rich text', 'a.rtf', `{\\rtf1 Ge\\-samt\\u173?kon\\'adzept\\u8203?s}`, 'Gesamtkonzepts'],
    ['a mail', 'a.eml', `MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n${written}`, read],
  ])('an invisible character of %s is left out', async (_, filename, bytes, text) => {
    expect((await parse(filename, bytes)).text).toBe(text);
  });

  test('an invisible character of a PDF is left out, and a hyphen at the end of a line stays', async () => {
    const map = '1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <3d> <00ad> endbfchar';
    const font = (more: string) => `<</Type/Font/Subtype/Type1/BaseFont/Helvetica${more}>>`;
    const bytes = writeObjects([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F1 5 0 R/F2 6 0 R>>>>>>',
      'BT 14 TL 50 700 Td /F1 12 Tf (The Gesamt) Tj /F2 12 Tf (=) Tj /F1 12 Tf (konzept is well-) Tj T* (known) Tj ET',
      font(''),
      font('/ToUnicode 7 0 R'),
      map,
    ]);
    expect((await parse('a.pdf', bytes)).text).toBe('The Gesamtkonzept is well-\nknown');
  });

  test('an invisible character of a title or a heading is left out, and the headings after it begin at their lines', async () => {
    const html = `<title>Do&shy;nau</title><body><h1>Do&shy;nau</h1><p>Ge&shy;samt</p><h2>Schiff&shy;fahrt</h2><p>x</p>`;
    const { text, headings } = await parse('a.html', `<!doctype html>${html}`);
    expect(text).toBe('Donau\n\nGesamt\n\nSchifffahrt\n\nx');
    expect(headings.map(({ at, title }) => [title, text.startsWith(title, at)])).toEqual([
      ['Donau', true],
      ['Schifffahrt', true],
    ]);
  });

  test('an invisible character in code of Markdown stays as its entity', async () => {
    const markdown = 'Write `Donau&shy;dampf`:\n\n```\nDonau&shy;dampf\n```\n\nA lone &shy; too.\n';
    expect((await parse('a.md', markdown)).text).toBe(markdown);
  });

  test('an invisible character is all that a file has, and the file is empty', async () => {
    await expect(parse('a.txt', '\u200B\u00AD\u2060')).rejects.toMatchObject({ code: 'EMPTY' });
  });
});

describe('a hostile file', () => {
  test('a hostile file is a workbook with a cell in a row beyond the bound, and is refused', async () => {
    const parts = unzipSync(writeWorkbook([['a', 'b']]));
    const sheet = 'xl/worksheets/sheet1.xml';
    const far = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>';
    const bytes = strToU8(strFromU8(parts[sheet] ?? new Uint8Array()).replace('</sheetData>', far));
    await expect(parse('a.xlsx', zipSync({ ...parts, [sheet]: bytes }))).rejects.toMatchObject({
      code: 'TOO_LARGE',
    });
  });

  test('a hostile file is a table of very many columns, and the document says which it leaves out', async () => {
    const row = Array.from({ length: 1001 }, (_, n) => `c${n}`).join(',');
    const { text, warnings } = await parse('a.csv', `${row}\n${row}\n`);
    expect(warnings).toEqual(['A table has more than 1000 columns; the others are left out.']);
    expect(text).toMatch(/c999: c999$/);
  });

  test('a hostile file is a PDF whose pages or forms are inside of themselves, and ends', async () => {
    const circle = writeObjects(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[2 0 R]/Count 4>>']);
    await expect(parse('a.pdf', circle)).rejects.toMatchObject({
      code: 'UNREADABLE',
      message: expect.stringMatching(/circular/),
    });
    const form =
      '<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 6 0 R>>>>/Length 12>>stream\n/X Do /X Do \nendstream';
    const resources = '/Resources<</Font<</F1 5 0 R>>/XObject<</X 6 0 R>>>>';
    const looping = `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R${resources}>>`;
    const content = 'BT /F1 12 Tf 50 700 Td (Some words of a page) Tj ET /X Do';
    const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>';
    const pages = '<</Type/Pages/Kids[3 0 R]/Count 1>>';
    const bytes = writeObjects(['<</Type/Catalog/Pages 2 0 R>>', pages, looping, content, font, form]);
    expect((await parse('a.pdf', bytes)).text).toBe('Some words of a page');
  });
});

describe('the confidence of a read', () => {
  test.each([
    ['plain words', 'Größe für Öl – naïve “œuvre” ÀÉÎ, Ñandú, Рік, Світ.', 1, []],
    ['words in a wrong encoding', 'Die Pumpe fÃ¼r die KÃ¼che, donâ€™t', 0.8, [/wrong encoding/]],
    ['Cyrillic by a western code page', 'Ýòî èíñòðóêöèÿ äëÿ íàñîñà', 0.4, [/wrong encoding/]],
    ['Cyrillic UTF-8 by its own code page', 'РџСЂРёРІРµС‚ РјРёСЂ', 0.6, [/wrong encoding/]],
    ['damaged characters', 'The p\uFFFDmp n\uFFFD\uFFFDds water.', 0.9, [/damaged/]],
  ])('the confidence of a read of %s', async (_, text, most, warnings) => {
    const read = await parse('a.txt', text);
    expect(read.confidence).toBeLessThanOrEqual(most);
    expect(read.confidence === 1).toBe(most === 1);
    expect(read.warnings).toEqual(warnings.map((warning) => expect.stringMatching(warning)));
  });
});
