import { LRUCache } from 'lru-cache';
import { readFile } from 'node:fs/promises';

/** `tokenizer.json` as far as it is read here: the vocabulary of WordPiece. */
interface TokenizerFile {
  model: { type: string; vocab: Record<string, number>; max_input_chars_per_word: number };
}

const special = { begin: '[CLS]', end: '[SEP]', unknown: '[UNK]' };
/** Words come again and again; so many are remembered at once. */
const rememberedMax = 50_000;
/** Characters a token in a word that the vocabulary cannot have, so that the count grows with the text. */
const charactersPerToken = 4;

/** The tokenizer of BERT models without case: from a text to the numbers that the model was trained on. */
export class WordPiece {
  private readonly remembered = new LRUCache<string, number[]>({ max: rememberedMax });
  private readonly unknown: number;

  private constructor(
    private readonly vocabulary: Map<string, number>,
    private readonly wordLengthMax: number,
  ) {
    this.unknown = this.idOf(special.unknown);
  }

  static async read(file: string): Promise<WordPiece> {
    const { model } = JSON.parse(await readFile(file, 'utf8')) as TokenizerFile;
    if (model?.type !== 'WordPiece') throw new Error(`${file} is no tokenizer of the kind WordPiece.`);
    return new WordPiece(new Map(Object.entries(model.vocab)), model.max_input_chars_per_word);
  }

  /** The numbers of a text between those of its begin and its end, at most `lengthMax` in all. */
  encode(text: string, lengthMax: number): number[] {
    const ids = [this.idOf(special.begin)];
    for (const word of wordsOf(text)) {
      ids.push(...this.piecesOf(word));
      if (ids.length >= lengthMax) break;
    }
    return [...ids.slice(0, lengthMax - 1), this.idOf(special.end)];
  }

  /** Without those of begin and end. A word too long for the vocabulary is one token to the model, and counts as many here. */
  count(text: string): number {
    let count = 0;
    for (const word of wordsOf(text)) {
      count +=
        word.length > this.wordLengthMax
          ? Math.ceil(word.length / charactersPerToken)
          : this.piecesOf(word).length;
    }
    return count;
  }

  private piecesOf(word: string): number[] {
    const known = this.remembered.get(word);
    if (known) return known;
    const pieces = this.split(word);
    this.remembered.set(word, pieces);
    return pieces;
  }

  /** The longest piece of the vocabulary that begins the word, then that of the rest; all or nothing. */
  private split(word: string): number[] {
    const characters = [...word];
    if (characters.length > this.wordLengthMax) return [this.unknown];
    const pieces: number[] = [];
    for (let start = 0; start < characters.length;) {
      let end = characters.length;
      let id: number | undefined;
      for (; end > start && id === undefined; end--)
        id = this.vocabulary.get((start > 0 ? '##' : '') + characters.slice(start, end).join(''));
      if (id === undefined) return [this.unknown];
      pieces.push(id);
      start = end + 1;
    }
    return pieces;
  }

  private idOf(token: string): number {
    const id = this.vocabulary.get(token);
    if (id === undefined) throw new Error(`The vocabulary has no ${token}.`);
    return id;
  }
}

/** Lower case, without accents and control characters; each mark and each Chinese character is a word. */
function wordsOf(text: string): string[] {
  const plain = text
    .replace(/[\t\n\r]/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\uFFFD]/gu, '')
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
  return plain.match(word) ?? [];
}

const word =
  /[!-/:-@[-`{-~\p{P}]|[\u4E00-\u9FFF\u3400-\u4DBF\u{20000}-\u{2A6DF}\u{2A700}-\u{2CEAF}\uF900-\uFAFF\u{2F800}-\u{2FA1F}]|[^\s!-/:-@[-`{-~\p{P}\u4E00-\u9FFF\u3400-\u4DBF\u{20000}-\u{2A6DF}\u{2A700}-\u{2CEAF}\uF900-\uFAFF\u{2F800}-\u{2FA1F}]+/gu;
