import mammoth from 'mammoth';
import { parseHtml } from '../html.ts';
import type { ParsedDocument } from '../parsed-document.ts';

/** The text of a Word document. The styles of paragraphs give the headings. Pictures are left out. */
export async function parseWord(bytes: Buffer): Promise<Pick<ParsedDocument, 'text' | 'headings'>> {
  const convertImage = mammoth.images.imgElement(async () => ({ src: '' }));
  const styleMap = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"];
  const { value } = await mammoth.convertToHtml({ buffer: bytes }, { convertImage, styleMap });
  return parseHtml(value);
}
