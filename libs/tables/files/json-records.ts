import { screen, type Screened } from '#libs/language/definition/checks/screen';
import { exactParse, type ExactValue, isExactObject } from '#libs/platform/json/exact-json';
import { scanOutline, repeatedName } from '#libs/platform/json/repeated-names';
import { recordCharsMax, refusedFile } from './csv-records.ts';
import type { RawRecord } from './import-options.ts';

/** Reads a JSON object on each line. A line that is none has a fault. */
export async function* jsonLines(text: AsyncIterable<string>): AsyncGenerator<RawRecord[]> {
  let line = 0;
  let rest = '';
  for await (const part of text) {
    const pieces = (rest + part).split('\n');
    rest = pieces.pop() ?? '';
    yield pieces.flatMap((piece) => toRecord(piece, ++line) ?? []);
    if (rest.length > 2 * recordCharsMax) throw refusedFile(line + 1, tooLong);
  }
  yield [toRecord(rest, line + 1) ?? []].flat();
}

/** Reads the objects of one JSON list. Throws `Invalid` where the list breaks off, because nothing after that can be read. */
export async function* jsonList(text: AsyncIterable<string>): AsyncGenerator<RawRecord[]> {
  const scanner = new ListScanner();
  for await (const part of text) yield scanner.scan(part);
  scanner.end();
}

/** Cuts a list into its elements, as its text arrives. */
class ListScanner {
  private element = '';
  private isStarted = false;
  /** The line where the element begins. */
  private begin = 1;
  private line = 1;
  private count = 0;
  private depth = 0;
  private isText = false;
  private isEscaped = false;
  private isDone = false;

  scan(part: string): RawRecord[] {
    const records: RawRecord[] = [];
    let from = 0;
    for (let at = 0; at < part.length; at++) {
      const char = part[at] ?? '';
      if (char === '\n') this.line++;
      if (this.isText) this.stepInText(char);
      else if (char <= ' ') continue;
      else if (this.depth === 0) {
        if (char !== '[' || this.isDone) throw refusedFile(this.line, 'has text outside of the JSON list');
        this.depth = 1;
        from = at + 1;
      } else if (this.depth === 1 && (char === ',' || char === ']')) {
        const element = this.element + part.slice(from, at);
        this.isDone = char === ']';
        if (this.isDone) this.depth = 0;
        if (this.isStarted || !this.isDone || this.count > 0) records.push(this.record(element));
        from = at + 1;
      } else this.step(char);
    }
    if (this.depth > 0) this.element += part.slice(from);
    if (this.element.length > 2 * recordCharsMax) throw refusedFile(this.begin, tooLong);
    return records;
  }

  end(): void {
    if (!this.isDone) throw refusedFile(this.line, 'ends before the JSON list does; the file may be cut off');
  }

  private stepInText(char: string): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (char === '\\') this.isEscaped = true;
    else if (char === '"') this.isText = false;
  }

  private step(char: string): void {
    if (!this.isStarted) this.begin = this.line;
    this.isStarted = true;
    if (char === '"') this.isText = true;
    else if (char === '[' || char === '{') this.depth++;
    else if (char === ']' || char === '}') this.depth--;
  }

  private record(element: string): RawRecord {
    const record = toRecord(element, this.begin);
    this.element = '';
    this.isStarted = false;
    this.count++;
    return record ?? { line: this.line, fault: 'has an empty element in the JSON list' };
  }
}

const tooLong = `has more than ${recordCharsMax} characters in one record`;

function toRecord(text: string, line: number): RawRecord | undefined {
  if (text.trim() === '') return undefined;
  if (text.length > recordCharsMax) return { line, fault: tooLong };
  const { value, fault } = parseDocument(text, '');
  if (fault !== undefined) return { line, fault };
  return isExactObject(value) ? { line, data: value } : { line, fault: 'is no JSON object' };
}

/** Reads JSON, or returns the reason why Postgres could not store it. A single such value would fail the statement of its whole batch. */
export function parseDocument(
  text: string,
  path: string,
): { value: ExactValue; fault?: undefined } | { value?: undefined; fault: string } {
  const plain = parsed(text);
  if (plain === undefined) return { fault: `${path} is no JSON`.trim() };
  const screened = screen(plain, path);
  const fault = firstFault(screened) ?? repetition(text, path, screened);
  return fault === undefined ? { value: exactParse(text, plain) } : { fault };
}

function parsed(text: string): ExactValue | undefined {
  try {
    return JSON.parse(text) as ExactValue;
  } catch {
    return undefined;
  }
}

export function firstFault({ details: [fault] }: Screened): string | undefined {
  return fault && (fault.path ? `${fault.path}: ${fault.message}` : fault.message);
}

/** The fault of an object with a repeated name. JavaScript would keep only the last value of the name. */
function repetition(text: string, path: string, { names }: Screened): string | undefined {
  if (names === scanOutline(Buffer.from(text)).members) return undefined;
  return `${[path, repeatedName(text)].filter(Boolean).join('.')}: is twice in one object`;
}
