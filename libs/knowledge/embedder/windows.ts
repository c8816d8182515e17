import { splitAtoms, type CountTokens } from '../chunking/atoms.ts';
import type { Embeddable } from './embedder.ts';

/** The maximum share of the titles of a chunk in the tokens of a window. */
const pathShareMax = 1 / 3;

/**
 * The texts to embed for a chunk, at least one: groups of its sentences, each below the titles of the chunk and with at most `tokensMax`
 * tokens. A single vector of a long text would describe the text on average, and hardly any single sentence.
 */
export function buildWindows(
  { content, headingPath }: Embeddable,
  tokensMax: number,
  countTokens: CountTokens,
): string[] {
  const path = formatPath(headingPath, tokensMax * pathShareMax, countTokens);
  const room = tokensMax - (path === '' ? 0 : countTokens(path));
  const groups: { start: number; end: number; tokens: number }[] = [];
  for (const { start, end, tokens } of splitAtoms(
    content,
    { start: 0, end: content.length },
    room,
    countTokens,
  )) {
    const last = groups.at(-1);
    if (last && last.tokens + tokens <= room) Object.assign(last, { end, tokens: last.tokens + tokens });
    else groups.push({ start, end, tokens });
  }
  const texts = evened(groups, room).map(({ start, end }) => content.slice(start, end).trim());
  const windows = texts
    .filter((text) => text !== '')
    .map((text) => (path === '' ? text : `${path}\n${text}`));
  return windows.length > 0 ? windows : [path];
}

interface ChunkGroup {
  start: number;
  end: number;
  tokens: number;
}

/** Joins the last two groups when both fit into a window, because a short last group has little meaning alone. */
function evened(groups: ChunkGroup[], room: number): ChunkGroup[] {
  const [before, last] = groups.slice(-2);
  if (!before || !last || before.tokens + last.tokens > room) return groups;
  return [
    ...groups.slice(0, -2),
    { start: before.start, end: last.end, tokens: before.tokens + last.tokens },
  ];
}

/** The titles as one text, from high to low. Leaves out the highest titles when not all fit. */
function formatPath(headingPath: string[], tokensMax: number, countTokens: CountTokens): string {
  let path = '';
  for (const title of headingPath.toReversed()) {
    const longer = path === '' ? title : `${title} > ${path}`;
    if (countTokens(longer) > tokensMax) break;
    path = longer;
  }
  return path;
}
