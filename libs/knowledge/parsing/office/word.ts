import mammoth from 'mammoth';
import { Equation } from '../equation.ts';
import { parseHtml } from '../html.ts';
import { readXml } from '../markup.ts';
import type { ParsedText } from '../parsed-document.ts';
import type { Zip } from './zip.ts';

/** The text of a Word document. The styles of paragraphs give the headings. Pictures are left out. */
export async function parseWord(zip: Zip): Promise<ParsedText> {
  const convertImage = mammoth.images.imgElement(async () => ({ src: '' }));
  const styleMap = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"];
  const warnings = new Set<string>();
  const file = {
    exists: (name: string) => zip.has(name),
    read: async (name: string, encoding?: string) => {
      if (!encoding) return zip.bytes(name);
      const xml = await zip.text(name);
      if (/\bProgID="Equation\b/.test(xml))
        warnings.add('Equations that an earlier Word has embedded as objects are left out.');
      return withEquations(xml);
    },
  };
  // The library takes an opened archive as `file`, which its types do not say.
  const input = { file } as unknown as { buffer: Buffer };
  const { value } = await mammoth.convertToHtml(input, { convertImage, styleMap });
  return { ...parseHtml(value), warnings: [...warnings] };
}

const wordNamespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

/** Replaces each equation in the XML of a document by a run of text, because the library skips equations. */
function withEquations(xml: string): string {
  const parts: string[] = [];
  const opening = /<([\w-]+:oMath(?:Para)?)[\s>]/g;
  let from = 0;
  for (let found; (found = opening.exec(xml));) {
    const closing = `</${found[1]}>`;
    const to = xml.indexOf(closing, found.index);
    if (to === -1) break;
    parts.push(xml.slice(from, found.index), toRun(xml.slice(found.index, to + closing.length)));
    opening.lastIndex = from = to + closing.length;
  }
  return parts.length === 0 ? xml : parts.join('') + xml.slice(from);
}

function toRun(xml: string): string {
  const equation = new Equation();
  readXml(xml, equation);
  const text = equation.text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<w:r xmlns:w="${wordNamespace}"><w:t xml:space="preserve">${text}</w:t></w:r>`;
}
