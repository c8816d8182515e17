import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkout } from '#apps/local/src/paths';
import type { CorpusPassage, CorpusFile } from './corpus.ts';

/** The weights of the ranking were chosen on DEVELOPMENT. The figures are those of REPORTED. */
export const parts = ['REPORTED', 'DEVELOPMENT'] as const;
export type QuestionSet = (typeof parts)[number];

/** A question, and the place of its answer in the file. */
export interface WrittenQuestion {
  part: QuestionSet;
  file: string;
  quote: string;
  question: string;
}

/** A question, and the passages that answer it. */
export interface JudgedQuestion {
  part: QuestionSet;
  text: string;
  isAnswer(passage: CorpusPassage): boolean;
}

/** Reads `questions.txt`. Its first lines explain its format. */
export async function writtenQuestions(): Promise<WrittenQuestion[]> {
  const text = await readFile(join(checkout(), 'apps/bench/knowledge/questions.txt'), 'utf8');
  const questions: WrittenQuestion[] = [];
  let part: QuestionSet = 'REPORTED';
  let file = '';
  for (const line of text.split('\n')) {
    if (line.startsWith('## ')) part = parts.find((one) => line === `## ${one}`) ?? part;
    else if (line.startsWith('@ ')) file = line.slice(2);
    else if (!line.startsWith('# ') && line.includes(' :: ')) {
      const [quote = '', question = ''] = line.split(' :: ');
      questions.push({ part, file, quote, question });
    }
  }
  return questions;
}

/** A passage answers when it has all of the quoted words. Throws when the file does not have the words. */
export function questionQueries(written: WrittenQuestion[], sources: CorpusFile[]): JudgedQuestion[] {
  const plain = new Map(sources.map(({ file, text }) => [file, plainOf(text)]));
  return written.map(({ part, file, quote, question }) => {
    const places = placesOf(quote, plain.get(file));
    if (places.length === 0) throw new Error(`${file} does not say "${quote}".`);
    const isAnswer = (passage: CorpusPassage) =>
      passage.file === file && places.some(({ start, end }) => passage.start <= start && end <= passage.end);
    return { part, text: question, isAnswer };
  });
}

/** A text with one space for all white space, and the offset of each character in the original text. */
interface Plain {
  text: string;
  offsets: number[];
}

function plainOf(text: string): Plain {
  const offsets: number[] = [];
  const characters: string[] = [];
  for (let at = 0; at < text.length; at++) {
    const isSpace = text.charAt(at).trim() === '';
    if (isSpace && characters.at(-1) === ' ') continue;
    characters.push(isSpace ? ' ' : text.charAt(at));
    offsets.push(at);
  }
  return { text: characters.join(''), offsets };
}

/** The places of the words in a text, with any white space between them. */
function placesOf(quote: string, { text, offsets }: Plain = plainOf('')): { start: number; end: number }[] {
  const places: { start: number; end: number }[] = [];
  for (let at = text.indexOf(quote); at !== -1; at = text.indexOf(quote, at + 1))
    places.push({ start: offsets[at] ?? 0, end: (offsets[at + quote.length - 1] ?? 0) + 1 });
  return places;
}

const tokensOf: Record<QuestionSet, number> = { REPORTED: 120, DEVELOPMENT: 60 };
const passagesMax = 6;

/**
 * Single names, as typed by a person who knows the name. A name in headings is answered by their sections. Any other
 * name is answered by every passage with it. A name in many passages is left out.
 */
export function exactQueries(
  passages: CorpusPassage[],
  partOf: (file: string) => QuestionSet,
): JudgedQuestion[] {
  const all = passages.map((passage): Worded => {
    const title = new Set(wordsOf(passage.headingPath.at(-1) ?? ''));
    return { passage, words: new Set(wordsOf(passage.content)), title };
  });
  const byPart = new Map<QuestionSet, Set<string>>(parts.map((part) => [part, new Set<string>()]));
  for (const { file, content } of passages)
    for (const code of content.split('`').slice(1, -1)) {
      const token = nameIn(code);
      if (token) byPart.get(partOf(file))?.add(token);
    }
  return parts.flatMap((part) => {
    const tokens = [...(byPart.get(part) ?? [])].toSorted();
    const queries = tokens.flatMap((token) => exactQuery(token, part, all));
    const step = Math.max(1, queries.length / tokensOf[part]);
    return Array.from(
      { length: Math.min(tokensOf[part], queries.length) },
      (_, n) => queries[Math.floor(n * step)],
    ).filter((query) => query !== undefined);
  });
}

interface Worded {
  passage: CorpusPassage;
  words: Set<string>;
  title: Set<string>;
}

/**
 * The name in a piece of code, with a capital, a digit or a hyphen inside. `.sendFile(x)` has one, and `reply.send` has
 * none.
 */
function nameIn(code: string): string | null {
  const text = code.startsWith('.') ? code.slice(1) : code;
  const open = text.indexOf('(');
  const name = open > 0 && text.endsWith(')') ? text.slice(0, open) : text;
  const inside = name.includes('-') ? name.slice(name.lastIndexOf('-')) : name.slice(1);
  return /^[A-Za-z][\w-]*$/.test(name) && /[A-Z_\d]/.test(inside) ? name : null;
}

function exactQuery(token: string, part: QuestionSet, all: Worded[]): JudgedQuestion[] {
  const holders = all.filter(({ words }) => words.has(token));
  const titled = holders.filter(({ title }) => title.has(token));
  const answers = new Set((titled.length > 0 ? titled : holders).map(({ passage }) => passage));
  if (answers.size === 0 || answers.size > passagesMax) return [];
  return [{ part, text: token, isAnswer: (passage) => answers.has(passage) }];
}

function wordsOf(text: string): string[] {
  return text.split(/[^\w-]+/);
}
