import { DocumentError } from './parsed-document.ts';

const latin = /^(?:windows-125[02478]|ISO-8859-(?:[1-4]|9|1[03-6])|ASCII|UTF)/;
const western = /^(?:windows-1252|ISO-8859-1)$/;
/** The confidence by which another Latin encoding must exceed the western ones: a few names say little. */
const moreCertain = 25;
/** The confidence that `chardet` gives to all encodings of pairs, when a text has too few of them. */
const uncertain = 10;
/** In a text with fewer bytes beyond ASCII the frequencies of letters say little. */
const fewBytes = 24;
/** So many characters that are all common ones of Korean are seldom a text in another encoding. */
const koreanMin = 5;

/** Encodings of pairs, with the bytes of kana, usual signs and those characters that most texts consist of. */
const commonPairs = {
  Shift_JIS: /^[\x81-\x83\x87-\x98]/,
  GB18030: /^[\xa1-\xa3\xb0-\xd7][\xa1-\xfe]/,
  'EUC-KR': /^[\xa1-\xa3\xb0-\xc8][\xa1-\xfe]/,
  Big5: /^[\xa1-\xc6]/,
  'EUC-JP': /^[\xa1-\xa5\xb0-\xcf][\xa1-\xfe]/,
};
const commonShareMin = 0.9;
/** Characters of pairs follow one another; what looks like one in a Latin text stands alone. */
const runMin = 1.5;

/** So many characters of a sound text have no fault. A long text may be damaged. */
const faultless = 200;
/** What is in no text beside its letters: controls, unassigned characters, frames of boxes. */
const strange = /(?!\s)[\p{Cc}\p{Co}\p{Cn}\uFFFD\u2500-\u259F]/gu;
/** A capital behind a small letter, one of them beyond ASCII, a sign within a word, a quote that opens behind one, or a price of a letter. */
const broken =
  /(?![a-z])\p{Ll}\p{Lu}|\p{Ll}(?![A-Z])\p{Lu}|\p{L}(?![\u00a0\u00ad´·’‘“”„«»–—…])[^\p{L}\p{M}\0-\x7f]\p{L}|\p{L}[‚„]|[€£]\p{L}/gu;
/** Latin letters and usual signs. */
const usual = /^[\p{Script=Latin}\0-\x7f\u00a0‘’‚“”„–—…•€£§°©®™«»·¡¿½¼¾²³µºª×÷±‰´]*$/u;
const cyrillic = /^[\p{Script=Cyrillic}№\0-\x7f\u00a0‘’‚“”„–—…•€§°«»]*$/u;
/** So many letters beyond ASCII in a row are in no word of Latin letters. */
const foreign = /(?:(?![a-z])\p{L}){4}/iu;
/** The letters beyond ASCII that most texts of Latin letters have. */
const frequent = /[äöüÄÖÜßéñąčęłńřśůżž]/g;
const narrow = /^[\0-\x7f\uff61-\uff9f]*$/;
/** Kana of half a width beside characters of the full width. */
const mixed = /[\uff61-\uff9f][^\0-\x7f\uff61-\uff9f]|[^\0-\x7f\uff61-\uff9f][\uff61-\uff9f]/gu;

interface Found {
  name: string;
  confidence: number;
}

/**
 * Returns the encoding in which the bytes, which are no UTF-8, are likely a text; undefined when that is windows-1252. `isWhole` is false for
 * the beginning of a text. Throws `DocumentError` for a few pairs of bytes that are a text in several encodings.
 */
export async function likelyEncoding(sample: Uint8Array, isWhole: boolean): Promise<string | undefined> {
  const [{ default: chardet }, { default: iconv }] = await Promise.all([
    import('chardet'),
    import('iconv-lite'),
  ]);
  const read = (name: string) => {
    try {
      return new TextDecoder(name).decode(sample, { stream: !isWhole });
    } catch {
      return iconv.decode(Buffer.from(sample), name);
    }
  };
  const isSound = (name: string) => {
    const text = read(name);
    const faults = [strange, mixed, ...(name in commonPairs ? [] : [broken])];
    return faults.every((fault) => (text.match(fault)?.length ?? 0) * faultless <= text.length);
  };
  const isUsual = (name: string) => isSound(name) && usual.test(read(name)) && !foreign.test(read(name));
  const found = chardet.analyse(sample).filter(({ name }) => decodes(name, sample, isWhole));
  const pairs = pairsOf(sample, isWhole).filter(({ name }) => isSound(name));
  if (standAlone(sample)) {
    const named = latinOf(found);
    const isLatin = pairs.length === 0 ? isSound : isUsual;
    if (isLatin(named ?? 'windows-1252')) return named;
    if (pairs.length > 0) return surest(pairs);
    const names = ['windows-1250', 'macintosh', 'cp850'].filter(isUsual);
    return mostFrequent(names, read) ?? names[0] ?? named;
  }
  const others = found.filter(({ name }) => !latin.test(name) && isSound(name));
  const [first] = others;
  const bytes = sample.filter((byte) => byte >= 0x80).length;
  const isLong = bytes > fewBytes;
  if (first && first.confidence > uncertain && (isLong || pairs.length === 0 || first.name in commonPairs))
    return first.name;
  const single = others.find(({ name }) => !(name in commonPairs));
  if (pairs.length > 0)
    return surest(single ? [...pairs, { ...single, share: 1, count: 0, kana: 0 }] : pairs);
  if (isUsual('windows-1252')) return undefined;
  const last = mostFrequent(['windows-1250', 'macintosh', 'cp850'].filter(isUsual), read);
  if (last !== undefined) return last;
  if (first && (isLong || single || narrow.test(read(first.name)))) return single?.name ?? first.name;
  if (bytes > fewBytes / 2 && isSound('cp866') && cyrillic.test(read('cp866'))) return 'cp866';
  if (isLong) return undefined;
  throw untold('');
}

/** The one of several encodings in which a text has the most of the usual letters. */
function mostFrequent(names: string[], read: (name: string) => string): string | undefined {
  const counts = names.map((name) => ({ name, count: read(name).match(frequent)?.length ?? 0 }));
  return counts.filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count)[0]?.name;
}

function latinOf(found: Found[]): string | undefined {
  const sure = (name: RegExp) => found.find((one) => name.test(one.name))?.confidence ?? 0;
  const other = found.find(({ name }) => latin.test(name) && !western.test(name));
  return other && other.confidence >= sure(western) + moreCertain ? other.name : undefined;
}

/** False for an encoding in which the bytes are no text. */
function decodes(name: string, sample: Uint8Array, isWhole: boolean): boolean {
  try {
    new TextDecoder(name, { fatal: true }).decode(sample, { stream: !isWhole });
    return true;
  } catch (error) {
    return Object(error).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA';
  }
}

/** True when the letters beyond ASCII stand alone, as in words of Latin letters. In other scripts they follow one another. */
function standAlone(sample: Uint8Array): boolean {
  let letters = 0;
  let runs = 0;
  for (const [at, byte] of sample.entries()) {
    if (byte < 0x80) continue;
    letters++;
    if (at === 0 || (sample[at - 1] ?? 0) < 0x80) runs++;
  }
  return letters < 2 * runs;
}

interface Pairs {
  name: string;
  /** The share of common characters among those of two bytes. */
  share: number;
  count: number;
  /** The share of kana in EUC-JP. */
  kana: number;
}

/** Pairs of bytes. Shift-JIS has kana of one byte, too. */
const [plain, shifted] = [/([\x80-\xff][^])/g, /[\xa1-\xdf]|([\x80-\xff][^])/g];

/** The encodings in which the bytes are runs of common characters of two bytes each. */
function pairsOf(sample: Uint8Array, isWhole: boolean): Pairs[] {
  const text = Buffer.from(sample).toString('latin1');
  return Object.entries(commonPairs).flatMap(([name, common]) => {
    if (!decodes(name, sample, isWhole)) return [];
    let [runs, end] = [0, -1];
    const found = [...text.matchAll(name === 'Shift_JIS' ? shifted : plain)];
    for (const {
      0: { length },
      index,
    } of found) {
      if (index !== end) runs++;
      end = index + length;
    }
    const pairs = found.flatMap(([, pair]) => pair ?? []);
    const shareOf = (pattern: RegExp) => pairs.filter((pair) => pattern.test(pair)).length / pairs.length;
    const [count, share] = [pairs.length, shareOf(common)];
    if (count < 2 || count < runs * runMin || share < commonShareMin) return [];
    return [{ name, share, count, kana: name === 'EUC-JP' && count > 2 ? shareOf(/^[\xa4\xa5]/) : 0 }];
  });
}

/** The encoding whose characters are the most common. Throws `DocumentError` when there are several. */
function surest(pairs: Pairs[]): string {
  const told =
    pairs.find((one) => one.kana > 0.5) ??
    pairs.find(({ name, share, count }) => name === 'EUC-KR' && share === 1 && count >= koreanMin);
  if (told) return told.name;
  // Texts in EUC-JP without kana are rare.
  const rest = pairs.length > 1 ? pairs.filter(({ name }) => name !== 'EUC-JP') : pairs;
  const best = Math.max(...rest.map(({ share }) => share));
  const names = rest.flatMap(({ name, share }) => (share === best ? [name] : []));
  const [name = ''] = names;
  if (names.length > 1) throw untold(`, which may be ${names.join(' or ')}`);
  return name;
}

const untold = (what: string) =>
  new DocumentError(
    'UNREADABLE',
    `The text is too short to tell its encoding${what}. Save it as UTF-8, or name its encoding.`,
  );
