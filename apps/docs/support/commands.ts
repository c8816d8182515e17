import { spawn } from 'node:child_process';

/** A block of commands on a page, and what the page says that it prints. */
export interface Step {
  commands: string;
  /** `...` stands for anything. Nothing is said when it is undefined. */
  prints?: string;
}

/** A fenced block: the first word behind the fence, and what comes after it. */
export interface Fence {
  language: string;
  reason: string;
  text: string;
  /** The text between the block before and this one. */
  before: string;
}

export function parseFences(markdown: string): Fence[] {
  let end = 0;
  return [...markdown.matchAll(/^```(\w*) ?(.*)\n([^]*?)^```$/gm)].map((match) => {
    const [whole, language = '', reason = '', text = ''] = match;
    const before = markdown.slice(end, match.index);
    end = match.index + whole.length;
    return { language, reason, text, before };
  });
}

/** The commands of a page in order. A `text` block right behind one is what it prints. */
export function parseSteps(markdown: string): Step[] {
  const fences = parseFences(markdown);
  return fences.flatMap(({ language, text }, i) => {
    if (language !== 'sh') return [];
    const next = fences[i + 1];
    const says = next?.language === 'text' && next.before.trim() === '';
    return [says ? { commands: text, prints: next.text } : { commands: text }];
  });
}

/** Replaces the address and the keys that pages print by those of an installation. */
export function placeInstallation(
  text: string,
  { url, key, personalKey }: { url: string; key: string; personalKey: string },
): string {
  return text
    .replaceAll('http://localhost:3000', url)
    .replaceAll('sk-holdfast-...', key)
    .replaceAll('sk-holdfast-p...', personalKey);
}

/**
 * Runs the steps in one bash, as a reader would in one terminal, and gives what each printed. Throws with all that was
 * printed when a command fails or a minute and a half has passed.
 */
export async function runSteps(steps: Step[], env: Record<string, string>): Promise<string[]> {
  const mark = (i: number) => `--- step ${i}`;
  // Background processes of a page end with it.
  const lines = steps.map(({ commands }, i) => `printf '\\n%s\\n' '${mark(i)}'\n${commands}`);
  const script = `set -eo pipefail\ntrap 'kill $(jobs -p) 2>/dev/null || true; wait || true' EXIT\n${lines.join('\n')}`;
  const printed = await output(script, env);
  return steps.map((_, i) => {
    const from = printed.indexOf(`${mark(i)}\n`) + mark(i).length + 1;
    const to = printed.indexOf(`\n${mark(i + 1)}\n`);
    return printed.slice(from, to < 0 ? undefined : to).trim();
  });
}

function output(script: string, env: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', script], { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const printed: Buffer[] = [];
    // The whole group: a command that hangs would keep what it prints to open.
    const late = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), 180_000);
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => printed.push(chunk));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(late);
      const text = Buffer.concat(printed).toString();
      if (code === 0) resolve(text);
      else reject(new Error(`The commands ended with ${code ?? signal}:\n${text}`));
    });
  });
}

/** True when the printed text is the text of the page. */
export function isAsSaid(printed: string, said: string): boolean {
  const parts = said.trim().split('...');
  const pattern = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('[^]*?');
  return new RegExp(`^${pattern}$`).test(printed.trim());
}

/** The refusals of the API among what was printed: each has an error and the id of its request. */
export function refusalsIn(printed: string): string[] {
  return printed.split('\n').filter((line) => /"requestId":/.test(line) && /"error":"/.test(line));
}
