/** One row of decisions.md: what we chose where the interface does not say, and the test that proves it. */
export interface Decision {
  number: string;
  question: string;
  decision: string;
  /** `path › title`. */
  test: string;
}

/** The rows of all its tables, each with the columns # | Question | Decision | Test. */
export function decisionsOf(markdown: string): Decision[] {
  return [...markdown.matchAll(/(?:^\|.*\n?)+/gm)].flatMap(([table]) => {
    const [header, rule, ...body] = table.trim().split('\n').map(cellsOf);
    if (header?.join() !== '#,Question,Decision,Test' || !rule?.every((cell) => /^:?-+:?$/.test(cell)))
      throw new Error('A table of decisions.md must have the columns # | Question | Decision | Test.');
    return body.map(([number = '', question = '', decision = '', test = '']) => ({
      number,
      question,
      decision,
      test,
    }));
  });
}

/** The faults of a row, given the text of the files that exist. */
export function decisionFaults(row: Decision, textOf: (path: string) => string | null): string[] {
  const [path = '', title = '', ...more] = row.test.replaceAll('`', '').split(' › ');
  const place = `row ${row.number}`;
  if (!row.number || !row.question || !row.decision) return [`${place} has an empty cell`];
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
