const linesPerPage = 40;

/** A PDF with `pages` pages and text on each, made without a package. */
export function buildPdf(pages: number): Buffer<ArrayBuffer> {
  const objects: string[] = [];
  const kids = Array.from({ length: pages }, (_, page) => `${4 + page * 2} 0 R`).join(' ');
  objects.push('<< /Type /Catalog /Pages 2 0 R >>');
  objects.push(`<< /Type /Pages /Count ${pages} /Kids [${kids}] >>`);
  objects.push('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  for (let page = 0; page < pages; page++) {
    const content = contentOf(page);
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + page * 2} 0 R >>`,
    );
    objects.push(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
  }
  const parts = ['%PDF-1.4\n'];
  const offsets: number[] = [];
  let at = parts[0]?.length ?? 0;
  for (const [i, object] of objects.entries()) {
    const part = `${i + 1} 0 obj\n${object}\nendobj\n`;
    offsets.push(at);
    at += part.length;
    parts.push(part);
  }
  const lines = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${lines}`);
  parts.push(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`);
  return Buffer.from(parts.join(''), 'latin1');
}

function contentOf(page: number): string {
  const lines = Array.from(
    { length: linesPerPage },
    (_, line) =>
      `(Page ${page + 1}, line ${line + 1}: the machine number ${page * 31 + line} is looked at once a week.) Tj T*`,
  );
  return `BT /F1 11 Tf 40 760 Td 16 TL\n${lines.join('\n')}\nET`;
}
