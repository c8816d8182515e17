import { LRUCache } from 'lru-cache';
import { readFile } from 'node:fs/promises';

/** The part of `tokenizer.json` that is read here: the vocabulary of WordPiece. */
interface TokenizerFile {
  model: { type: string; vocab: Record<string, number>; max_input_chars_per_word: number };
}

const special = { begin: '[CLS]', end: '[SEP]', unknown: '[UNK]' };
/** The maximum number of words in the cache. */
const rememberedMax = 50_000;
/** Characters per token for a word that is too long for the vocabulary, so that the count grows with the word. */
const charactersPerToken = 4;

/** The tokenizer of BERT models without case. It maps a text to the token ids of the model. */
export class WordPiece {
  private readonly remembered = new LRUCache<string, number[]>({ max: rememberedMax });
  private readonly unknown: number;

  private constructor(
    private readonly vocabulary: Map<string, number>,
    private readonly wordLengthMax: number,
  ) {
    this.unknown = this.getId(special.unknown);
  }

  static async read(file: string): Promise<WordPiece> {
    const { model } = JSON.parse(await readFile(file, 'utf8')) as TokenizerFile;
    if (model?.type !== 'WordPiece') throw new Error(`${file} is no tokenizer of the kind WordPiece.`);
    return new WordPiece(new Map(Object.entries(model.vocab)), model.max_input_chars_per_word);
  }

  /** The token ids of a text, between the ids of `[CLS]` and `[SEP]`: at most `lengthMax` ids in total. */
  encode(text: string, lengthMax: number): number[] {
    const ids = [this.getId(special.begin)];
    for (const word of splitWords(text)) {
      ids.push(...this.splitWord(word));
      if (ids.length >= lengthMax) break;
    }
    return [...ids.slice(0, lengthMax - 1), this.getId(special.end)];
  }

  /** The number of tokens, without `[CLS]` and `[SEP]`. A word too long for the vocabulary counts as several tokens; the model reads one. */
  count(text: string): number {
    let count = 0;
    for (const word of splitWords(text)) {
      count +=
        word.length > this.wordLengthMax
          ? Math.ceil(word.length / charactersPerToken)
          : this.splitWord(word).length;
    }
    return count;
  }

  private splitWord(word: string): number[] {
    const known = this.remembered.get(word);
    if (known) return known;
    const pieces = this.split(word);
    this.remembered.set(word, pieces);
    return pieces;
  }

  /** Splits a word greedily into the longest pieces of the vocabulary. Returns `[UNK]` when a part of the word has no piece. */
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

  private getId(token: string): number {
    const id = this.vocabulary.get(token);
    if (id === undefined) throw new Error(`The vocabulary has no ${token}.`);
    return id;
  }
}

/** The words of a text in lower case, without accents and control characters. Each punctuation mark and each Chinese character is a word. */
function splitWords(text: string): string[] {
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
