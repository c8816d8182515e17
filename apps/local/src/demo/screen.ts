import { styleText } from 'node:util';

type ScreenCell = string | number;

const isColoured = process.stdout.isTTY && !process.env['NO_COLOR'];
const indent = ' '.repeat(10);

/** Prints the demo on stdout: steps with the seconds since its start, and their details. */
export class Screen {
  private readonly begin = performance.now();

  /** Prints an event with the time at which it happened. */
  step(what: string, about = ''): void {
    const seconds = ((performance.now() - this.begin) / 1000).toFixed(1).padStart(6);
    print(`${paint('dim', `${seconds} s`)}  ${about ? what.padEnd(24) : what}${about && `  ${about}`}`);
  }

  /** Prints a detail of the last step. */
  note(text: string): void {
    print(indent + paint('dim', text));
  }

  /** A line of the runtime below, such as a process that it starts again. */
  aside(line: string): void {
    for (const part of line.trim().split('\n')) this.note(part);
  }

  heading(text: string, about = ''): void {
    print(`\n  ${paint('bold', text)}${about && `  ${about}`}\n`);
  }

  line(text: string): void {
    print(text && indent + text);
  }

  /** Rows of one shape under the names of their members. */
  table(rows: Record<string, ScreenCell>[]): void {
    for (const [i, line] of formatLines(rows).entries())
      print(indent + (i === 0 ? paint('dim', line) : line));
  }

  check(holds: boolean, what: string): void {
    print(`  ${holds ? paint('green', 'ok    ') : paint('red', 'FAILED')}  ${what}`);
  }
}

/** The rows as aligned lines, the names of the columns first; numbers stand to the right. */
export function formatLines(rows: Record<string, ScreenCell>[]): string[] {
  const names = Object.keys(rows[0] ?? {});
  const cells = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '')))];
  const widths = names.map((_, i) => Math.max(...cells.map((line) => line[i]?.length ?? 0)));
  const isNumeric = names.map((name) => rows.every((row) => typeof row[name] === 'number'));
  return cells.map((line) =>
    line
      .map((text, i) => (isNumeric[i] ? text.padStart(widths[i] ?? 0) : text.padEnd(widths[i] ?? 0)))
      .join('   ')
      .trimEnd(),
  );
}

function paint(style: Parameters<typeof styleText>[0], text: string): string {
  return isColoured ? styleText(style, text) : text;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
