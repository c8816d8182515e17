import iconv from 'iconv-lite';
import { toPower } from './equation.ts';
import { DocumentError, type ParsedText } from './parsed-document.ts';
import { type TableCell, RowText } from './row-text.ts';
import { TextBuilder } from './text-builder.ts';

const depthMax = 5000;

const pairs = (list: string) =>
  new Map(
    list.split(/\s+/).map((one): [string, string] => [one.split(':')[0] ?? '', one.split(':')[1] ?? '']),
  );

/** Code pages by the character set of a font. The set 2 is of symbols. */
const charsets =
  pairs(`0:cp1252 2:symbol 77:macroman 78:cp932 79:cp949 80:cp936 81:cp950 83:macintosh 85:macgreek 86:macturkish
  87:macthai 88:maccenteuro 89:maccyrillic 128:cp932 129:cp949 130:cp949 134:cp936 136:cp950 161:cp1253 162:cp1254 163:cp1258
  177:cp1255 178:cp1256 186:cp1257 204:cp1251 222:cp874 238:cp1250 254:cp437 255:cp850`);
/** Code pages whose numbers the decoder does not know. */
const pages =
  pairs(`0:cp1252 42:symbol 1200:utf-16le 10000:macroman 10006:macgreek 10007:maccyrillic 10029:maccenteuro
  10081:macturkish 20127:cp1252 20866:koi8-r 21866:koi8-u 28591:cp1252 28592:iso-8859-2 28605:iso-8859-15 51932:eucjp
  51949:euckr 54936:gb18030 65001:utf-8`);
const toCodePage = (number: number) => pages.get(String(number)) ?? `cp${number}`;

/** The letters of the font Symbol, from `A` and from `a`. */
const greek = ['ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ', 'αβχδεφγηιϕκλμνοπθρστυϖωξψζ'];

/** Groups that are no text of the document. */
const silent = new Set(
  `fonttbl colortbl stylesheet info pict objdata fldinst header headerl headerr headerf footer footerl footerr footerf xe tc
  filetbl listtable listoverridetable revtbl nonshppict sp sn sv bkmkstart bkmkend themedata colorschememapping latentstyles
  datastore annotation atnid atnauthor comment author operator company subject keywords doccomm upr template`.split(
    /\s+/,
  ),
);
/** Groups that are marked as optional and hold text all the same. */
const optional = new Set(['shpinst', 'ud', 'nesttableprops']);
const signs = new Map(
  Object.entries({
    '~': '\u00a0',
    _: '\u2011',
    '\\': '\\',
    '{': '{',
    '}': '}',
    '-': '',
    tab: '\t',
    emdash: '—',
    endash: '–',
  }).concat(
    Object.entries({
      bullet: '•',
      lquote: '‘',
      rquote: '’',
      ldblquote: '“',
      rdblquote: '”',
      emspace: ' ',
      enspace: ' ',
      qmspace: ' ',
    }),
  ),
);

interface RtfGroup {
  isSilent: boolean;
  /** True for words that the document holds and does not show. */
  isHidden: boolean;
  destination: string;
  /** True for raised words, false for lowered ones. */
  isRaised?: boolean | undefined;
  font: number;
  /** The number of characters after `\u` that stand in for readers without Unicode. */
  fallback: number;
}

/** The text of a rich text file: paragraphs, headings and tables. A text that was deleted or hidden is left out. */
export function parseRtf(bytes: Buffer): ParsedText {
  const file = new RtfFile();
  file.readTokens(bytes.toString('latin1'));
  return file.finish();
}

class RtfFile {
  private readonly to = new TextBuilder();
  private title = '';
  private page = 'cp1252';
  private readonly fonts = new Map<number, { page?: string; name: string }>();
  private definedFont = 0;
  private defaultFont = -1;
  private readonly outer: RtfGroup[] = [];
  private group: RtfGroup = { isSilent: false, isHidden: false, destination: '', font: -1, fallback: 1 };
  /** The characters to skip after a `\u`. */
  private toSkip = 0;
  private isOptional = false;
  private run: number[] = [];
  private paragraph = '';
  /** The last character of the paragraph. */
  private tail = '';
  private level = 0;
  private isInTable = false;
  private table: RowText | null = null;
  private cell = '';
  private cells: string[] = [];
  /** The cells of a table inside of a cell. */
  private readonly nested: string[] = [];
  private readonly row = {
    merges: [] as { across: boolean; down: boolean }[],
    next: { across: false, down: false },
    isHeader: false,
  };
  private above: string[] = [];
  private isCut = false;
  private hasEquations = false;

  readTokens(text: string): void {
    const token = /\\(?:([a-zA-Z]+)(-?\d+)? ?|'([0-9a-fA-F]{2})|([^]))|([{}])|[\r\n]+|([^\\{}\r\n]+)/g;
    for (let found; (found = token.exec(text));) {
      const [, word, number, hex, symbol, brace, run] = found;
      if (brace === '{') this.open();
      else if (brace) this.close();
      else if (word === 'bin') token.lastIndex += Math.max(0, Number(number ?? 0));
      else if (word !== undefined)
        this.control(
          word.toLowerCase() === word ? word : '',
          number === undefined ? undefined : Number(number),
        );
      else if (hex !== undefined) this.characters([parseInt(hex, 16)]);
      else if (symbol !== undefined) this.symbol(symbol);
      else if (run !== undefined) this.characters(Buffer.from(run, 'latin1'));
    }
    this.isCut = this.outer.length > 0;
  }

  finish(): ParsedText {
    this.endParagraph();
    const { text, headings } = this.to;
    const warnings = this.isCut ? ['The file ends before its text does; its end may be missing.'] : [];
    if (this.hasEquations) warnings.push('Equations are left out.');
    return { text, headings, title: this.title, warnings };
  }

  private open(): void {
    this.flush();
    this.toSkip = 0;
    if (this.outer.length >= depthMax)
      throw new DocumentError('UNREADABLE', `The file is nested more than ${depthMax} deep.`);
    this.outer.push(this.group);
    this.group = { ...this.group };
  }

  private close(): void {
    this.flush();
    this.toSkip = 0;
    if (this.group.destination === 'footnote' && this.outer.at(-1)?.destination !== 'footnote')
      this.say(') ');
    this.group = this.outer.pop() ?? this.group;
  }

  private symbol(symbol: string): void {
    if (symbol === '*') this.isOptional = true;
    else if (symbol === '\n' || symbol === '\r') this.control('par', undefined);
    else if (this.toSkip > 0) this.toSkip--;
    else this.say(signs.get(symbol) ?? '');
  }

  private control(word: string, value: number | undefined): void {
    const isOptional = this.isOptional;
    this.isOptional = false;
    if (word === 'u' && value !== undefined) return this.unicode(value);
    if (this.toSkip > 0) {
      this.toSkip--;
      return;
    }
    if (isOptional || silent.has(word) || word === 'footnote' || word === 'title')
      return this.begin(word, isOptional);
    if (this.group.destination === 'fonttbl') this.font(word, value);
    // Styles have the words of paragraphs too.
    else if (!this.group.isSilent || this.group.destination === 'title') this.format(word, value);
  }

  /** Begins a destination: a group with a purpose of its own. */
  private begin(word: string, isOptional: boolean): void {
    this.flush();
    if (word === 'footnote' && !this.group.isSilent) this.say(' (');
    if (word === 'title' && this.group.destination !== 'info') return;
    this.group.isSilent = optional.has(word)
      ? this.group.isSilent && this.group.destination !== 'upr'
      : silent.has(word) || isOptional || this.group.isSilent;
    this.group.destination = word;
  }

  private font(word: string, value = 0): void {
    const font = this.fonts.get(this.definedFont);
    if (word === 'f') this.fonts.set((this.definedFont = value), { name: '' });
    else if (word === 'fcharset' && font && value !== 1 && !font.page)
      font.page = charsets.get(String(value));
    else if (word === 'cpg' && font) font.page = toCodePage(value);
  }

  private format(word: string, value: number | undefined): void {
    const sign = signs.get(word);
    if (sign !== undefined) return this.say(sign);
    const isOn = value !== 0;
    const { row } = this;
    if (word === 'f') {
      this.flush();
      this.group.font = value ?? 0;
    } else if (word === 'plain') {
      this.flush();
      this.group.font = this.defaultFont;
      this.group.isHidden = false;
      this.group.isRaised = undefined;
    } else if (word === 'v' || word === 'deleted') {
      this.flush();
      this.group.isHidden = isOn;
    } else if (/^(super|sub|nosupersub|up|dn)$/.test(word)) {
      this.flush();
      const isShifted = word !== 'nosupersub' && isOn;
      this.group.isRaised = isShifted ? /^(super|up)$/.test(word) : undefined;
    } else if (word === 'uc') this.group.fallback = Math.max(0, value ?? 1);
    else if (word === 'ansicpg') this.page = toCodePage(value ?? 0);
    else if (word === 'mmath') this.hasEquations = true;
    else if (word === 'mac') this.page = 'macroman';
    else if (word === 'pc') this.page = 'cp437';
    else if (word === 'pca') this.page = 'cp850';
    else if (word === 'deff') this.group.font = this.defaultFont = value ?? 0;
    else if (/^(par|sect|page)$/.test(word)) this.endParagraph();
    else if (word === 'line') this.say('\n');
    else if (word === 'pard') {
      this.flush();
      this.level = 0;
      this.isInTable = false;
    } else if (word === 'outlinelevel') this.level = (value ?? 0) + 1;
    else if (word === 'intbl') this.isInTable = true;
    else if (word === 'cell' || word === 'nestcell') this.endCell(word === 'cell' ? this.cells : this.nested);
    else if (word === 'row') this.endRow();
    else if (word === 'nestrow') this.cell += `${this.nested.splice(0).join(' | ')} `;
    else if (word === 'trowd')
      Object.assign(row, { merges: [], next: { across: false, down: false }, isHeader: false });
    else if (word === 'trhdr') row.isHeader = true;
    else if (word === 'clmrg') row.next.across = true;
    else if (word === 'clvmrg') row.next.down = true;
    else if (word === 'cellx') {
      row.merges.push(row.next);
      row.next = { across: false, down: false };
    }
  }

  private unicode(value: number): void {
    this.flush();
    // Numbers above 32,767 are written as negative ones. Symbol fonts have their signs from U+F000.
    const code = value < 0 ? value + 65_536 : value;
    if (code >= 0xf000 && code <= 0xf0ff)
      this.say(symbolAt(code - 0xf000, this.fonts.get(this.group.font)?.name ?? ''));
    else if (code <= 0x10ffff) this.say(String.fromCodePoint(code));
    this.toSkip = this.group.fallback;
  }

  private characters(bytes: Iterable<number> & { length: number }): void {
    const skipped = Math.min(this.toSkip, bytes.length);
    this.toSkip -= skipped;
    // The digits of pictures are long, and are no text.
    if (this.group.isSilent && this.group.destination !== 'fonttbl' && this.group.destination !== 'title')
      return;
    let at = 0;
    for (const byte of bytes) if (at++ >= skipped) this.run.push(byte);
  }

  /** Decodes the bytes since the last change of the font. A character may have two of them. */
  private flush(): void {
    if (this.run.length === 0) return;
    const bytes = Buffer.from(this.run);
    this.run = [];
    const font = this.fonts.get(this.group.destination === 'fonttbl' ? this.definedFont : this.group.font);
    if (this.group.destination === 'fonttbl') {
      if (font) font.name += bytes.toString('latin1');
      return;
    }
    const page = font?.page ?? this.page;
    if (page === 'symbol') this.say([...bytes].map((byte) => symbolAt(byte, font?.name ?? '')).join(''));
    else this.say(iconv.encodingExists(page) ? iconv.decode(bytes, page) : bytes.toString('latin1'));
  }

  private say(text: string): void {
    if (this.run.length > 0) this.flush();
    if (this.group.destination === 'title') this.title += text;
    else if (!this.group.isSilent && !this.group.isHidden) {
      const { isRaised } = this.group;
      const said = isRaised === undefined ? text : toPower(this.tail, text, isRaised);
      this.tail = said.slice(-1);
      this.paragraph += said;
    }
  }

  private endParagraph(): void {
    this.flush();
    const text = this.paragraph;
    this.paragraph = this.tail = '';
    if (this.isInTable) {
      this.cell += `${text} `;
      return;
    }
    this.table = null;
    this.above = [];
    if (this.level > 0 && this.level < 10) this.to.heading(this.level, text);
    else {
      this.to.block();
      for (const line of text.split('\n')) this.to.flowing(line).line();
      this.to.block();
    }
  }

  private endCell(cells: string[]): void {
    this.isInTable = true;
    this.endParagraph();
    cells.push(this.cell.trim());
    this.cell = '';
  }

  private endRow(): void {
    this.flush();
    const { merges, isHeader } = this.row;
    const texts = this.cells.map((text, column) =>
      merges[column]?.down && text === '' ? (this.above[column] ?? '') : text,
    );
    this.cells = [];
    this.above = texts;
    const cells: TableCell[] = [];
    for (const [column, text] of texts.entries()) {
      const last = cells.at(-1);
      if (merges[column]?.across && last) last.columns = (last.columns ?? 1) + 1;
      else cells.push({ text, isName: isHeader });
    }
    this.table ??= new RowText(this.to.block());
    this.table.row(cells);
  }
}

/** The character of a font of symbols. Only the font Symbol has letters. */
function symbolAt(byte: number, font: string): string {
  if (!font.startsWith('Symbol')) return byte > 32 ? '•' : ' ';
  const letter = byte < 0x60 ? greek[0]?.[byte - 0x41] : greek[1]?.[byte - 0x61];
  return letter ?? (byte < 0x7f ? String.fromCharCode(byte) : '•');
}
