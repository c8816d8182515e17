import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Code that differs is written by hand in both. */
const written = new Set(['flavour.py']);

/** The words of asynchronous Python and their replacements in the synchronous client. The order counts. */
const words: [RegExp, string][] = [
  [/^from \.\._async\.flavour import AsyncPageCall$/gm, 'from .._sync.page import Page'],
  [/\basync (def|for|with)\b/g, '$1'],
  [/\bawait /g, ''],
  [/\bAwaitable\[(AsyncPage\[T, Body\]|T)\]/g, '$1'],
  [/, Awaitable\b|\bAwaitable, /g, ''],
  [/\b__a(iter|next|enter|exit)__/g, '__$1__'],
  [/\ba(iter_bytes|iter_sse|close)\b/g, '$1'],
  [/\basync_resources\b/g, 'resources'],
  [/\b_async\b/g, '_sync'],
  [/\bAsyncPageCall, /g, ''],
  [/\bAsyncPageCall\b/g, 'Page'],
  [/\bAsync([A-Z]\w*)/g, '$1'],
];

/** Asynchronous Python as the same synchronous one. */
export function toSync(source: string): string {
  return words.reduce((text, [word, other]) => text.replace(word, other), source);
}

/** The files of the synchronous client by their names, made of those of the asynchronous one in a folder. */
export async function readSync(folder: string): Promise<Map<string, string>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.py') && !written.has(name));
  const files = names.toSorted().map(async (name) => {
    if (name === '__init__.py') return [name, '"""The synchronous client."""\n'] as const;
    const source = await readFile(join(folder, name), 'utf8');
    return [
      name,
      `# This file is made of _async/${name}: change that, and run \`npm run clients\`.\n${toSync(source)}`,
    ] as const;
  });
  return new Map(await Promise.all(files));
}
