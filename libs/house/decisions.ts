/** One row of decisions.md: what we chose where the interface does not say, and the test that proves it. */
export interface Decision {
  number: string;
  point: string;
  decision: string;
  /** `path › title`. */
  test: string;
}

/** The rows of the table with the columns # | Open point | Decision | Test. */
export function decisionsOf(markdown: string): Decision[] {
  const rows = markdown.split('\n').filter((line) => line.startsWith('|'));
  const [header, rule, ...body] = rows.map(cellsOf);
  if (header?.join() !== '#,Open point,Decision,Test' || !rule?.every((cell) => /^:?-+:?$/.test(cell)))
    throw new Error('decisions.md must hold one table with the columns # | Open point | Decision | Test.');
  return body.map(([number = '', point = '', decision = '', test = '']) => ({
    number,
    point,
    decision,
    test,
  }));
}

/** The faults of a row, given the text of the files that exist. */
export function decisionFaults(row: Decision, textOf: (path: string) => string | null): string[] {
  const [path = '', title = '', ...more] = row.test.replaceAll('`', '').split(' › ');
  const place = `row ${row.number}`;
  if (!row.number || !row.point || !row.decision) return [`${place} has an empty cell`];
  if (!path.endsWith('.spec.ts') || !title || more.length > 0)
    return [`${place} must name its test as \`path › title\`: it says "${row.test}"`];
  const text = textOf(path);
  if (text === null) return [`${place} names ${path}, which does not exist`];
  return hasTest(text, title) ? [] : [`${place} names "${title}", which ${path} does not have`];
}

/** Whether a spec has a test with exactly this title; the title of a `test.each` keeps its placeholders. */
export function hasTest(text: string, title: string): boolean {
  const literal = title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<!\bdescribe)\(\s*(['"\x60])${literal}\1,\s*(async )?\(`).test(text);
}

/** A bar inside of a cell is written \|. */
function cellsOf(line: string): string[] {
  const cells = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/);
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'));
}
