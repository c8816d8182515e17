import { strToU8, zipSync } from 'fflate';

/** Writes a zip of texts. */
export function writeZip(files: Record<string, string | Uint8Array>): Uint8Array {
  return zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, file]) => [name, typeof file === 'string' ? strToU8(file) : file]),
    ),
  );
}

/** Writes a workbook of one sheet by hand. A cell is a number with its format, or a text; `null` is no cell. */
export function writeWorkbook(
  rows: ([value: number, format: string | number] | string | null)[][],
  { isFrom1904 = false, merges = [] as string[] } = {},
): Uint8Array {
  const formats = [...new Set(rows.flat().flatMap((cell) => (Array.isArray(cell) ? [cell[1]] : [])))];
  const idOf = (format: string | number) =>
    typeof format === 'number' ? format : 200 + formats.indexOf(format);
  const escape = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  const ns = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const cells = rows.map((row, r) => {
    const written = row.map((cell, c) => {
      const at = `${String.fromCharCode(65 + c)}${r + 1}`;
      if (cell === null) return '';
      if (typeof cell === 'string') return `<c r="${at}" t="inlineStr"><is><t>${escape(cell)}</t></is></c>`;
      return `<c r="${at}" s="${formats.indexOf(cell[1]) + 1}"><v>${cell[0]}</v></c>`;
    });
    return `<row r="${r + 1}">${written.join('')}</row>`;
  });
  const custom = formats.filter((format) => typeof format === 'string');
  return writeZip({
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook ${ns} xmlns:r="${relations}"><workbookPr date1904="${isFrom1904 ? 1 : 0}"/><sheets><sheet name="Sheet" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet ${ns}><numFmts count="${custom.length}">${custom.map((code) => `<numFmt numFmtId="${idOf(code)}" formatCode="${escape(code)}"/>`).join('')}</numFmts><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${formats.length + 1}"><xf numFmtId="0"/>${formats.map((format) => `<xf numFmtId="${idOf(format)}" applyNumberFormat="1"/>`).join('')}</cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet ${ns}><sheetData>${cells.join('')}</sheetData>${merges.length > 0 ? `<mergeCells>${merges.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>` : ''}</worksheet>`,
  });
}

/** Writes a Word document from the XML of its body. */
export function writeWord(body: string, title = ''): Uint8Array {
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  return writeZip({
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${relations}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'docProps/core.xml': `<cp:coreProperties xmlns:cp="c" xmlns:dc="d"><dc:title>${title}</dc:title></cp:coreProperties>`,
    'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
  });
}

/** Writes an OpenDocument text from the XML of its body. */
export function writeOpenDocument(body: string, title = ''): Uint8Array {
  const ns = ['office', 'text', 'table', 'meta']
    .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
    .join(' ');
  return writeZip({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `<?xml version="1.0" encoding="UTF-8"?><office:document-content ${ns}><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
    'meta.xml': `<office:document-meta ${ns} xmlns:dc="http://purl.org/dc/elements/1.1/"><office:meta><dc:title>${title}</dc:title></office:meta></office:document-meta>`,
    'META-INF/manifest.xml': '<manifest/>',
  });
}

/** Writes a book of chapters, each the XHTML of its body. */
export function writeBook(chapters: string[], title: string, more: Record<string, string> = {}): Uint8Array {
  return writeZip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OPS/a book.opf"/></rootfiles></container>`,
    'OPS/a book.opf': `<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>${title}</dc:title></metadata><manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>${chapters.map((_, n) => `<item id="c${n}" href="../text/c%20${n}.xhtml" media-type="application/xhtml+xml"/>`).join('')}</manifest><spine><itemref idref="nav"/>${chapters.map((_, n) => `<itemref idref="c${n}"/>`).join('')}</spine></package>`,
    'OPS/nav.xhtml': '<html><body>Contents</body></html>',
    ...Object.fromEntries(
      chapters.map((body, n) => [
        `text/c ${n}.xhtml`,
        `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="x.js"/></head><body>${body}</body></html>`,
      ]),
    ),
    ...more,
  });
}
