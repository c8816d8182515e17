import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';
import { foreignText } from '#libs/platform/text/foreign-text';
import { UsageError } from './exit.ts';

type Style = Parameters<typeof styleText>[0];

/** The input and output of a command. Results go to `out`, all else to `err`, so that a result can be piped. */
export interface Terminal {
  env: NodeJS.ProcessEnv;
  isInteractive: boolean;
  out: (text: string) => void;
  err: (text: string) => void;
  /** Colours a text for `out` or `err`, when it is a terminal. */
  paint: (style: Style, text: string) => string;
  /** A line that is written over by the next one; nothing where no terminal is. */
  progress: (text: string) => void;
  ask: (question: string, options?: { isSecret?: boolean }) => Promise<string>;
  readInput: () => Promise<string>;
}

export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  const hasColour = stdout.isTTY && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  const isInteractive = stdin.isTTY && stderr.isTTY;
  let shown = false;
  const clear = () => {
    if (shown) stderr.write('\r\u001B[2K');
    shown = false;
  };
  // While a question is asked nothing else is written: it would hide the question and what is typed.
  let held: string[] | null = null;
  const uncovered = async (question: () => Promise<string>) => {
    clear();
    held = [];
    try {
      return await question();
    } finally {
      const lines = held;
      held = null;
      stderr.write(lines.join(''));
    }
  };
  return {
    env,
    isInteractive,
    out(text) {
      clear();
      stdout.write(text);
    },
    err(text) {
      if (held) return void held.push(text);
      clear();
      stderr.write(text);
    },
    paint: (style, text) => (hasColour ? styleText(style, text) : text),
    progress(text) {
      if (!stderr.isTTY || held) return;
      clear();
      stderr.write([...text].slice(0, (stderr.columns || 80) - 1).join(''));
      shown = text !== '';
    },
    async ask(question, { isSecret = false } = {}) {
      if (!isInteractive)
        throw new UsageError(`${question} There is no terminal to ask on; give it as an option.`);
      return uncovered(() => (isSecret ? askSecret(question) : askLine(question)));
    },
    async readInput() {
      const chunks: Buffer[] = [];
      for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
      return foreignText(Buffer.concat(chunks));
    },
  };
}

/** Reads a line. Ctrl-C and Ctrl-D leave the question without an answer. */
async function askLine(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await new Promise<string>((resolve, reject) => {
      const leave = () => reject(new UsageError('Nothing was entered.'));
      lines.once('close', leave);
      lines.question(`${question} `).then((text) => resolve(text.trim()), leave);
    });
  } catch (error) {
    process.stderr.write('\n');
    throw error;
  } finally {
    lines.close();
  }
}

/** Reads a line that is not shown. */
function askSecret(question: string): Promise<string> {
  const { stdin, stderr } = process;
  // In this order: who types at once is not shown either.
  stdin.setRawMode(true);
  stderr.write(`${question} `);
  stdin.resume();
  return new Promise((resolve, reject) => {
    let typed = '';
    const end = (finish: () => void) => {
      stdin.off('data', onData);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write('\n');
      finish();
    };
    const onData = (data: Buffer) => {
      for (const character of data.toString('utf8')) {
        if (character === '\r' || character === '\n') return end(() => resolve(typed.trim()));
        if (character === '\u0003') return end(() => reject(new UsageError('Nothing was entered.')));
        typed = character === '\u007F' || character === '\b' ? typed.slice(0, -1) : typed + character;
      }
    };
    stdin.on('data', onData);
  });
}

/** A table for people: columns of equal width, two spaces apart. */
export function formatTable(
  terminal: Terminal,
  head: string[],
  rows: (string | number | null | undefined)[][],
): string {
  const cells = [head, ...rows.map((row) => row.map((cell) => oneLine(cell)))];
  const widths = head.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  const lines = cells.map((row, line) => {
    const text = row
      .map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)))
      .join('  ');
    return line === 0 ? terminal.paint('bold', text) : text;
  });
  return `${lines.join('\n')}\n`;
}

function oneLine(value: string | number | null | undefined): string {
  return safeText(String(value ?? '')).replaceAll('\n', ' ');
}

/**
 * Returns a text of somebody else as it may be shown: its lines stay. A control character must not move the cursor, and a
 * mark of direction must not show a name in another order.
 */
export function safeText(value: string): string {
  return value.replaceAll(/[^\P{Cc}\n]|\p{Bidi_Control}/gu, ' ');
}
