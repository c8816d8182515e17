import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { commitOfBuild } from '#apps/local/src/commit';
import { table } from './figures.ts';
import { type Figure, reported, reports, type ReportRow } from './reports.ts';

/** The stored result of one bench in `apps/bench/results`. */
export interface BenchResult {
  bench: string;
  date: string;
  /** The measured commit. For results from before this folder, the commit that published the figures. */
  commit: string | null;
  isPublishedIn?: true;
  cores: number;
  /** The version; null when unknown. */
  node: string | null;
  /** The options at the start of the bench. */
  options: Record<string, number>;
  /** By the paths of the report. */
  figures: Record<string, number>;
  /** Further facts for readers, in whole sentences. */
  note?: string;
}

export function buildResult(bench: string, printed: object, options: Record<string, number>): BenchResult {
  return {
    bench,
    date: new Date().toISOString().slice(0, 10),
    commit: commitOfBuild(),
    cores: cpus().length,
    node: process.version.slice(1),
    options,
    figures: reported(bench, printed),
  };
}

export function writeResult(file: string, result: BenchResult): void {
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
}

/** The report of a bench as lines for a terminal. */
export function shownReport(bench: string, printed: object): string {
  const values = reported(bench, printed);
  const { heads, rows } = reports[bench] ?? { heads: [], rows: [] };
  return table(
    ['', ...heads, 'goal'],
    measuredRows(rows, values).map(({ says, figures }) => [
      says,
      ...heads.map((_, i) => cellOf(figures[i], values)),
      figures.map(goalOf).join(' '),
    ]),
  );
}

/** The line that begins the generated part of each section of the page on benchmarks. */
export const lead = (bench: string): string => `Result of \`npm run bench -- ${bench}\``;

/** The generated part of a section: the origin of the figures, and a table of the figures in the result. */
export function renderSection(bench: string, result: BenchResult | undefined): string {
  const report = reports[bench];
  if (!report || !result) return `${lead(bench)}: none is stored yet.\n`;
  const { date, commit, cores, node, note } = result;
  const where = result.isPublishedIn ? `published in commit ${commit}` : `commit ${commit ?? 'unknown'}`;
  const machine = `${cores} cores${node ? `, Node ${node}` : ''}`;
  const rows = measuredRows(report.rows, result.figures);
  const hasGoals = rows.some(({ figures }) => figures.some((figure) => goalOf(figure) !== ''));
  const heads = ['', ...report.heads, ...(hasGoals ? ['goal'] : [])];
  const lines = rows.map(({ says, figures }) => [
    says,
    ...report.heads.map((_, i) => cellOf(figures[i], result.figures)),
    ...(hasGoals ? [[...new Set(figures.map(goalOf).filter((goal) => goal !== ''))].join(', ') || '–'] : []),
  ]);
  const text = [heads, heads.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |\n`);
  const origin = `${lead(bench)}: ${date}, ${where}, ${machine}.${note ? ` ${note}` : ''}`;
  return `${origin}\n\n${text.join('').replaceAll('|  |', '| |')}`;
}

function measuredRows(rows: ReportRow[], values: Record<string, number>): ReportRow[] {
  return rows.filter(({ figures }) => figures.some(({ path }) => path in values));
}

function cellOf(figure: Figure | undefined, values: Record<string, number>): string {
  const value = figure ? values[figure.path] : undefined;
  return figure && value !== undefined ? withUnit(value, figure) : '';
}

function goalOf(figure: Figure): string {
  const { atMost, atLeast } = figure;
  if (atMost !== undefined) return `at most ${withUnit(atMost, figure)}`;
  return atLeast === undefined ? '' : `at least ${withUnit(atLeast, figure)}`;
}

function withUnit(value: number, { unit }: Figure): string {
  if (unit === 'times') return `${value} ×`;
  if (unit === 'share') return `${Number((value * 100).toFixed(2))} %`;
  if (unit === 'score') return value.toFixed(2).replace(/^0/, '');
  return `${value.toLocaleString('en')}${unit === 'count' ? '' : ` ${unit}`}`;
}
