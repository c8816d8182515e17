/** Writes a PDF. Each list has the lines of a page. */
export function writePdf(pages: string[][]): Buffer {
  const objects: string[] = [];
  const add = (body: string) => objects.push(body);
  add('<< /Type /Catalog /Pages 2 0 R >>');
  const kids = pages.map((_, at) => `${4 + at * 2} 0 R`).join(' ');
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  for (const [at, lines] of pages.entries()) {
    const content = `BT /F1 10 Tf 40 800 Td 12 TL ${lines.map((line) => `(${line}) Tj T*`).join(' ')} ET`;
    const resources = '/Resources << /Font << /F1 3 0 R >> >>';
    add(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] ${resources} /Contents ${5 + at * 2} 0 R >>`);
    add(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
  }
  return writeObjects(objects);
}

/** Writes a PDF of objects, the first of which is its catalog. A content of a page is an object without angle brackets. */
export function writeObjects(bodies: string[]): Buffer {
  const objects = bodies.map((body) =>
    body.startsWith('<<') ? body : `<< /Length ${body.length} >>\nstream\n${body}\nendstream`,
  );
  let text = '%PDF-1.4\n';
  const places = objects.map((body, at) => {
    const place = text.length;
    text += `${at + 1} 0 obj\n${body}\nendobj\n`;
    return place;
  });
  const start = text.length;
  const entries = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`;
  text += `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}
