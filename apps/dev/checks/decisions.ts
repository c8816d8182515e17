import { posix } from 'node:path';

/** One row of decisions.md: what we chose where the interface does not say, and the test that proves it. */
export interface Decision {
  number: string;
  question: string;
  decision: string;
  /** `path › title`. */
  test: string;
}

/** The rows of all its tables, each with the columns # | Question | Decision | Test. */
export function parseDecisions(markdown: string): Decision[] {
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
  const rows = [text, ...importsOf(path, text).flatMap((file) => textOf(file) ?? [])].join('\n');
  return hasTest(text, title, rows) ? [] : [`${place} names "${title}", which ${path} does not have`];
}

/** The files beside a spec that it imports: the rows of a `test.each` may stand there. */
function importsOf(path: string, text: string): string[] {
  return [...text.matchAll(/ from '(\.[^']+)'/g)].map(([, file = '']) =>
    posix.join(posix.dirname(path), file),
  );
}

/** The values that Jest fills in a title of `test.each`: a text as it is, or a value as JSON or by its number. */
const placeholder = /%[sjp#]/g;

/**
 * True when a spec has a test that runs under this title. A title of `test.each` must have its placeholders filled, as Jest prints it, and
 * a text that fills one must stand in the rows.
 */
export function hasTest(text: string, title: string, rows = text): boolean {
  const titles = text.matchAll(/(?<!\bdescribe)\(\s*(['"\x60])((?:(?!\1).)+)\1,\s*(?:async )?\(/g);
  return [...titles].some(([, , written = '']) => {
    const pattern = written
      .split(placeholder)
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join('(.*)');
    const filled = new RegExp(`^${pattern}$`).exec(title)?.slice(1);
    const kinds = written.match(placeholder) ?? [];
    return filled?.every((value, i) => isFilled(value, kinds[i], rows)) ?? false;
  });
}

function isFilled(value: string, kind: string | undefined, rows: string): boolean {
  if (value.search(placeholder) >= 0) return false;
  return (
    kind !== '%s' || value === '' || [`'`, '"', '`'].some((quote) => rows.includes(quote + value + quote))
  );
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
