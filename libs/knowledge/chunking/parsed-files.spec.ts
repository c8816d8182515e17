import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseFile } from '../parsing/parse-file.ts';
import { chunkText } from './chunk-text.ts';

const folder = fileURLToPath(new URL('../parsing/support/files', import.meta.url));
const samples = readdirSync(folder)
  .filter((name) => name.startsWith('guide.'))
  .map((name) => join(folder, name));
const texts = {
  'page.html': '<h1>Rivers</h1><p>The Rhine 😀 rises &amp; falls.<table><tr><th>a<th>b<tr><td>1<td>2</table>',
  'table.csv': `name,note\n${Array.from({ length: 200 }, (_, n) => `n${n},"some, note ${n}"`).join('\n')}`,
  'data.json': JSON.stringify(Array.from({ length: 100 }, (_, id) => ({ id, text: 'Zürich 😀' }))),
  'plain.txt': 'One sentence.\r\n\r\nAnother one.\u2028And one more.',
  'page.md': '# Title\n\nText. More text.\n\n## Below\n\n```\ncode\n```\n',
};
let place: string;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'holdfast-chunks-'));
  for (const [name, text] of Object.entries(texts)) {
    writeFileSync(join(place, name), text);
    samples.push(join(place, name));
  }
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

test('the chunks of every kind of file are pieces of its text, below the cap, and leave nothing out', async () => {
  const count = (text: string) => text.match(/\S+/g)?.length ?? 0;
  expect(samples.length).toBeGreaterThanOrEqual(10);
  for (const path of samples) {
    const parsed = await parseFile({ path, filename: path });
    const chunks = chunkText(parsed, { maxSize: 30, minSize: 10, overlap: 10 }, count);
    expect(chunks.length).toBeGreaterThan(0);
    let reached = 0;
    for (const { start, end, content, tokenCount } of chunks) {
      expect(parsed.text.slice(start, end)).toBe(content);
      expect(tokenCount).toBeLessThanOrEqual(30);
      expect(parsed.text.slice(reached, start).trim()).toBe('');
      reached = end;
    }
    expect(parsed.text.slice(reached).trim()).toBe('');
    for (const { at, title } of parsed.headings)
      expect(parsed.text.slice(at, at + 200).replace(/^#+ /, '')).toMatch(new RegExp(`^${title}`));
  }
});
