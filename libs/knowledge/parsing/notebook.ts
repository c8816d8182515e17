import { stripVTControlCharacters } from 'node:util';
import { cutText } from '#libs/platform/text/whole-text';
import { parseHtml } from './html.ts';
import { parseMarkdown } from './markdown.ts';
import type { ParsedText } from './parsed-document.ts';
import { TextBuilder } from './text-builder.ts';

/** The maximum number of characters of all outputs of a cell. */
const outputsMax = 2000;
type Entries = Record<string, unknown>;

/** The cells of a notebook of Jupyter (nbformat 3 and 4): its texts, its code, and the beginning of its outputs. Returns null for other JSON. */
export function parseNotebook(json: string): ParsedText | null {
  const notebook = parseObject(json);
  if (typeof notebook['nbformat'] !== 'number') return null;
  const lists = 'cells' in notebook ? [notebook] : objectsIn(notebook['worksheets']);
  if (!lists.some(({ cells }) => Array.isArray(cells))) return null;
  const reader = new Notebook();
  for (const { cells } of lists) for (const cell of objectsIn(cells)) reader.cell(cell);
  const { title } = objectOf(notebook['metadata']);
  return { ...reader.finish(), ...(typeof title === 'string' && { title }) };
}

class Notebook {
  private readonly to = new TextBuilder();
  private readonly warnings = new Set<string>();
  private pictures = 0;

  cell(cell: Entries): void {
    const source = toText(cell['source'] ?? cell['input']);
    const type = cell['cell_type'];
    if (type === 'heading') this.to.heading(Number(cell['level']) || 1, source);
    else if (type === 'markdown') {
      const { warnings = [], ...parsed } = parseMarkdown(source);
      for (const warning of warnings) this.warnings.add(warning);
      this.to.insert(parsed);
    } else if (type === 'html') this.to.insert(parseHtml(source));
    else this.to.insert({ text: source, headings: [] });
    const outputs = objectsIn(cell['outputs']).map((output) =>
      stripVTControlCharacters(this.output(output)).trim(),
    );
    const said = outputs.filter((text) => text !== '').join('\n');
    this.to.insert({ text: cutText(said, outputsMax, '…'), headings: [] });
  }

  finish(): ParsedText {
    const { text, headings } = this.to;
    const { pictures, warnings } = this;
    if (pictures > 0)
      warnings.add(
        `${pictures === 1 ? 'A picture' : `${pictures} pictures`} of the outputs ${pictures === 1 ? 'is' : 'are'} left out.`,
      );
    return { text, headings, warnings: [...warnings] };
  }

  /** The text of an output. A later format has its data by their media types, an earlier one by short names. */
  private output(output: Entries): string {
    const type = output['output_type'];
    if (type === 'error' || type === 'pyerr')
      return `${toText(output['ename'])}: ${toText(output['evalue'])}`;
    if (type === 'stream') return toText(output['text']);
    const data = { ...output, ...objectOf(output['data']) };
    // The text beside a picture only says that there is one.
    if (Object.keys(data).some((name) => /^(image\/|(png|jpeg|svg)$)/.test(name))) {
      this.pictures++;
      return '';
    }
    const text = data['text/markdown'] ?? data['text/plain'] ?? data['text'];
    if (text !== undefined) return toText(text);
    const html = toText(data['text/html'] ?? data['html']);
    return html === '' ? toText(data['text/latex'] ?? data['latex']) : parseHtml(html).text;
  }
}

/** A text is written as one string, or as a list of its lines with their ends. */
const toText = (value: unknown): string =>
  [value]
    .flat()
    .filter((line) => typeof line === 'string')
    .join('');
const isObject = (value: unknown): value is Entries =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const objectOf = (value: unknown): Entries => (isObject(value) ? value : {});
const objectsIn = (value: unknown): Entries[] => (Array.isArray(value) ? value.filter(isObject) : []);

function parseObject(json: string): Entries {
  try {
    return objectOf(JSON.parse(json));
  } catch {
    return {};
  }
}
