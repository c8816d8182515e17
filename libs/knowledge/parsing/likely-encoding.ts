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

/** What is in no short text beside its letters: controls, unassigned characters, frames of boxes. */
const strange = /(?!\s)[\p{Cc}\p{Co}\p{Cn}\uFFFD\u2500-\u259F]/u;
const controls = /(?!\s)\p{Cc}/u;
/** A sign in a word, three capitals behind a small letter, a quote that opens behind a letter or closes before one, and a price of a letter. */
const broken =
  /\p{L}[¤¦§¨©¬®¯±³¶¸¹¼½¾÷†‡ˆ˜‰‹›™•]\p{L}|(?![a-z])\p{Ll}(?![A-Z])\p{Lu}{3}|\p{L}[‚„]|”\p{L}|[€£](?![a-zA-Z])\p{L}/u;
/** A capital behind a small letter, which is no proof: `kWh` has one, and `h` before an Irish capital. */
const capital = /(?![a-z])\p{Ll}\p{Lu}|\p{Ll}(?![A-Z])\p{Lu}/u;
/** Latin letters and usual signs. */
const usual = /^[\p{Script=Latin}\0-\x7f\u00a0‘’‚“”„–—…•€£§°©®™«»·¡¿½¼¾²³µºª×÷±‰´]*$/u;
const cyrillic = /^[\p{Script=Cyrillic}№\0-\x7f\u00a0‘’‚“”„–—…•€§°«»]*$/u;
/** So many letters beyond ASCII in a row are in no word of Latin letters. */
const foreign = /(?:(?![a-z])\p{L}){4}/iu;
/** The letters beyond ASCII that most texts of Latin letters have. */
const frequent = /[äöüÄÖÜßéñóąčęłńřśůźżžŁŚŠŽŻ]/g;
/** The encodings of Latin letters that are tried when a text is none in windows-1252. */
const afterWestern = ['windows-1250', 'macintosh', 'cp850'];
const narrow = /^[\0-\x7f\uff61-\uff9f]*$/;
/** A single kana of half a width beside characters of the full width. */
const mixed =
  /(?<![\uff61-\uff9f])[\uff66-\uff9f][^\0-\x7f\uff61-\uff9f]|[^\0-\x7f\uff61-\uff9f][\uff66-\uff9f](?![\uff61-\uff9f])/u;

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
  const decodeBy = (name: string) => {
    try {
      return new TextDecoder(name).decode(sample, { stream: !isWhole });
    } catch {
      return iconv.decode(Buffer.from(sample), name);
    }
  };
  const texts = new Map<string, string>();
  const read = (name: string) => {
    const text = texts.get(name) ?? decodeBy(name);
    texts.set(name, text);
    return text;
  };
  const isSound = (name: string) => {
    const text = read(name);
    return !strange.test(text) && !mixed.test(text) && (name in commonPairs || !broken.test(text));
  };
  const isUsual = (name: string) => isSound(name) && usual.test(read(name)) && !foreign.test(read(name));
  const found = chardet.analyse(sample).filter(({ name }) => decodes(name, sample, isWhole));
  const pairs = findPairs(sample, isWhole).filter(({ name }) => isSound(name));
  const bytes = sample.filter((byte) => byte >= 0x80).length;
  const isLong = bytes > fewBytes;
  const inLatin = () =>
    mostFrequent(
      afterWestern.filter((name) => isUsual(name) && !capital.test(read(name))),
      bytes,
      read,
    );
  if (standAlone(sample)) {
    const named = chooseLatin(found);
    const text = read(named ?? 'windows-1252');
    const isLatin = isLong
      ? !controls.test(text) && (!broken.test(text) || inLatin() === undefined)
      : isSound(named ?? 'windows-1252');
    if (isLatin && (pairs.length === 0 || usual.test(text))) return named;
    return pairs.length > 0 ? surest(pairs) : (inLatin() ?? named);
  }
  const others = found.filter(({ name }) => !latin.test(name));
  const [first] = others;
  if (isLong && first) return first.name;
  const sound = others.filter(({ name }) => isSound(name));
  const single = sound.find(({ name }) => !(name in commonPairs));
  if (pairs.length > 0) return surest(pairs, single?.name);
  const told = sound.find(({ confidence }) => confidence > uncertain);
  if (told) return told.name;
  if (isUsual('windows-1252')) return undefined;
  const last = inLatin() ?? single?.name ?? sound.find(({ name }) => narrow.test(read(name)))?.name;
  if (last !== undefined) return last;
  if (bytes > fewBytes / 2 && isSound('cp866') && cyrillic.test(read('cp866'))) return 'cp866';
  if (isLong) return undefined;
  throw untold('');
}

/** The one of several encodings in which a text of so many bytes beyond ASCII has the most of the usual letters, and at least a third. */
function mostFrequent(names: string[], bytes: number, read: (name: string) => string): string | undefined {
  const counts = names.map((name) => ({ name, count: read(name).match(frequent)?.length ?? 0 }));
  return counts.filter(({ count }) => count * 3 >= bytes).toSorted((a, b) => b.count - a.count)[0]?.name;
}

function chooseLatin(found: Found[]): string | undefined {
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
function findPairs(sample: Uint8Array, isWhole: boolean): Pairs[] {
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

/** The encoding whose characters are the most common, unless letters of single bytes fit. Throws `DocumentError` when there are several. */
function surest(pairs: Pairs[], single?: string): string {
  const told =
    pairs.find((one) => one.kana > 0.5) ??
    pairs.find(({ name, share, count }) => name === 'EUC-KR' && share === 1 && count >= koreanMin);
  if (told) return told.name;
  if (single) return single;
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
