import { cutText } from '#libs/platform/text/whole-text';

/** The maximum number of characters of an equation. */
const lengthMax = 5000;
/** Elements whose text is read. The texts of others are white space, or say the equation again. */
const tokens = /^(t|mi|mn|mo|mtext|ms)$/;
/** Operators of MathML that nobody sees. */
const invisible = /[\u2061-\u2064]/g;
/** Marks of an equation of Word, in an element for the properties of their owner. */
const properties = /^(begChr|endChr|sepChr|chr)$/;
const silent = /^(del|moveFrom|annotation|annotation-xml|mphantom|none|mprescripts)$/;

/** Elements whose last part would run on into what follows. */
const ending = /^(s(Sup|Sub|SubSup)|lim(Low|Upp)|m?f(rac)?|m(sub|sup|subsup|under|over|underover|root))$/;

interface EquationPart {
  name: string;
  text: string;
}
interface OpenElement extends EquationPart {
  parts: EquationPart[];
  attributes: Record<string, string>;
}

/** Writes an equation in a line, such as `E=mc^2`, from the elements of Word (OMML) or of a page (MathML). It works without recursion. */
export class Equation {
  private readonly open: OpenElement[] = [{ name: '', text: '', parts: [], attributes: {} }];

  onopentag(name: string, attributes: Record<string, string>): void {
    this.open.push({ name: localName(name), text: '', parts: [], attributes: { ...attributes } });
  }

  ontext(text: string): void {
    const last = this.open.at(-1);
    if (last && tokens.test(last.name)) last.text += text;
  }

  onclosetag(): void {
    const closed = this.open.length > 1 ? this.open.pop() : undefined;
    const [owner, above] = [this.open.at(-2), this.open.at(-1)];
    if (!closed || !above) return;
    const { name } = closed;
    if (properties.test(name) && owner) owner.attributes[name] = Object.values(closed.attributes)[0] ?? '';
    else if (!name.endsWith('Pr') && !silent.test(name))
      above.parts.push({ name, text: cutText(toLine(closed), lengthMax, '…') });
  }

  /** True while an element inside of the equation is open. */
  get isInside(): boolean {
    return this.open.length > 1;
  }

  get text(): string {
    return row(this.open[0]?.parts ?? []).trim();
  }
}

/** The name of an element without the prefix of its namespace. */
export const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

function toLine({ name, text, parts, attributes }: OpenElement): string {
  if (tokens.test(name)) return text.replace(invisible, '').replace(/\s+/g, ' ');
  const [a = '', b = '', c = ''] = parts.map((part) => part.text);
  const named = (wanted: string) => parts.find((part) => part.name === wanted)?.text ?? '';
  const of = (wanted: string) => parts.filter((part) => part.name === wanted).map((part) => part.text);
  const between = (texts: string[], begin: string, separator: string, end: string) =>
    begin + texts.join(separator) + end;
  const { begChr = '(', endChr = ')', sepChr = '|', open = '(', close = ')', separators = ',' } = attributes;
  switch (name) {
    case 'sSup':
    case 'sSub':
    case 'sSubSup':
      return bracketed(named('e')) + scripts(named('sub'), named('sup'));
    case 'sPre':
      return scripts(named('sub'), named('sup')) + bracketed(named('e'));
    case 'limLow':
      return bracketed(named('e')) + scripts(named('lim'), '');
    case 'limUpp':
      return bracketed(named('e')) + scripts('', named('lim'));
    case 'nary':
      return `${attributes['chr'] ?? '∫'}${scripts(named('sub'), named('sup'))} ${named('e')}`;
    case 'f':
      return `${bracketed(named('num'))}/${bracketed(named('den'))}`;
    case 'rad':
      return root(named('e'), named('deg'));
    case 'func':
      return row([{ name: 'mi', text: named('fName') }, ...parts.filter((part) => part.name === 'e')]);
    case 'd':
      return between(of('e'), begChr, sepChr, endChr);
    case 'acc':
      return bracketed(named('e')) + (attributes['chr'] ?? '\u0302');
    case 'eqArr':
      return of('e').join('; ');
    case 'mr':
    case 'mtr':
    case 'mlabeledtr':
      return parts.map((part) => part.text).join(', ');
    case 'm':
    case 'mtable':
      return parts.length > 1
        ? between(
            parts.map((part) => part.text),
            '[',
            '; ',
            ']',
          )
        : row(parts);
    case 'msup':
    case 'mover':
      return bracketed(a) + (isAccent(name, b) ? b : scripts('', b));
    case 'msub':
    case 'munder':
      return bracketed(a) + (isAccent(name, b) ? b : scripts(b, ''));
    case 'msubsup':
    case 'munderover':
      return bracketed(a) + scripts(b, c);
    case 'mmultiscripts':
      return bracketed(a) + scripts(b, c);
    case 'mfrac':
      return `${bracketed(a)}/${bracketed(b)}`;
    case 'msqrt':
      return root(row(parts), '');
    case 'mroot':
      return root(a, b);
    case 'mfenced':
      return between(
        parts.map((part) => part.text),
        open,
        separators.trim().charAt(0),
        close,
      );
    case 'mspace':
      return ' ';
    case 'semantics':
    case 'maction':
      return a;
    default:
      return row(parts);
  }
}

/** Parts side by side. Behind a name such as `sin`, an index or a fraction, a space is before letters and digits. */
function row(parts: readonly EquationPart[]): string {
  let line = '';
  let before: EquationPart = { name: '', text: '' };
  for (const part of parts) {
    if (part.text === '') continue;
    const isName = before.name === 'mi' && /^\p{L}{2,20}$/u.test(before.text);
    const isOpen = isName || (ending.test(before.name) && /[\p{L}\p{N}]$/u.test(before.text.slice(-2)));
    line += isOpen && /^[\p{L}\p{N}]/u.test(part.text) ? ` ${part.text}` : part.text;
    before = part;
  }
  return line;
}

const scripts = (below: string, above: string) =>
  (below.trim() === '' ? '' : `_${bracketed(below)}`) + (above.trim() === '' ? '' : `^${bracketed(above)}`);

const root = (text: string, degree: string) =>
  `√${degree.trim() === '' ? '' : `[${degree.trim()}]`}(${text.trim()})`;

/** Puts brackets around more than a single name or number. */
function bracketed(text: string): string {
  const bare = text.trim();
  const isOne = bare.length <= 100 && /^([\p{L}\p{N}\p{M}.,′']*|\P{L}|\([^()]*\)|\[[^[\]]*\])$/u.test(bare);
  return isOne ? bare : `(${bare})`;
}

const isAccent = (name: string, text: string) =>
  /^m(ov|und)er$/.test(name) && /^[\u00A8\u00AF\u02C6\u02C7\u02D9\u02DC~^_\u2192\u203E\p{M}]$/u.test(text);

/**
 * The text of a raised or lowered run behind other characters. A power has a `^`, so that 10 to the 21st is not 1021, and digits below digits a `_`.
 * Ordinals, charges and names such as `CO2` stay as they are.
 */
export function toPower(before: string, text: string, isRaised: boolean): string {
  if (!isRaised) return /\d$/.test(before) && /^\d/.test(text) ? `_${text}` : text;
  const isPower =
    /^[+\-−–]?\d+([.,]\d+)?$/.test(text) || /^[ijkmnpqtxy]$/.test(text) || /^[+\-−–]$/.test(text);
  if (/[\p{L}\p{N})\]]$/u.test(before) && isPower)
    return /^[+\-−–]$/.test(text) && !/\d$/.test(before) ? text : `^${text}`;
  return /\d$/.test(before) && /^[\p{L}\d]+[+\-−–][\p{L}\d]+$/u.test(text) ? `^(${text})` : text;
}
