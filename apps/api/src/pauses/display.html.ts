import { momentMs } from '#libs/language/definition/durations';
import { isObject, type Json, type JsonObject } from '#libs/platform/json/json';
import { parseLink, anchor } from '../http/anchor.ts';
import { markup, type Html } from '../http/html.ts';
import { markdown } from '../http/markdown.ts';

export interface Shown {
  label: string;
  value: Json;
  format?: string;
}

/**
 * The limits of a table. It has a cell for each row and column, and each row may add columns: 256 KB of JSON could
 * become a gigabyte.
 */
const [columnsMax, cellsMax] = [100, 20_000];
/** Longer JSON is shown without indentation, because indentation can be most of its size. */
const indentedMax = 500_000;
const decimal = /^-?\d+(\.\d+)?$/;

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const times = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 20 });

/** A list of values, each under its label. */
export function displayList(fields: readonly Shown[]): Html {
  return markup`<dl>${fields.map(shown)}</dl>`;
}

/** A time in words. The server does not know the reader's time zone, so the text uses UTC and says so. */
export function formatMoment(ms: number, dateOnly = false): Html {
  const at = new Date(ms).toISOString();
  return markup`<time datetime="${dateOnly ? at.slice(0, 10) : at}">${dateOnly ? dates.format(ms) : `${times.format(ms)} UTC`}</time>`;
}

function shown(field: Shown): Html {
  const { html, block } = toValue(field);
  return markup`<div class="pair${block && ' block'}"><dt dir="auto">${field.label}</dt><dd dir="auto">${html}</dd></div>`;
}

interface RenderedValue {
  html: Html;
  /** True when the value needs the whole width of the page. */
  block?: boolean;
}

/** Renders a value in its format. A value that does not fit its format is rendered by its type. */
function toValue(field: Shown): RenderedValue {
  const { value, format = '' } = field;
  const formatted = formats.get(format.toLowerCase())?.(value, field);
  if (formatted) return formatted;
  if (value === null || value === '') return { html: markup`–` };
  if (typeof value === 'boolean') return { html: markup`${value ? 'Yes' : 'No'}` };
  if (typeof value !== 'object') return { html: markup`<span class="text">${String(value)}</span>` };
  if (isPlainList(value)) return { html: markup`<span class="text">${value.join(', ')}</span>` };
  return toTable(value, field) ?? toJsonValue(value, field);
}

/** A map, so that a name such as `constructor` finds no format. */
const formats = new Map<string, (value: Json, field: Shown) => RenderedValue | undefined>(
  Object.entries({
    table: toTable,
    json: toJsonValue,
    markdown: (value) =>
      typeof value === 'string'
        ? { html: markup`<div class="prose">${markdown(value)}</div>`, block: true }
        : undefined,
    text: (value) =>
      typeof value === 'string' && value.includes('\n')
        ? { html: markup`<span class="text">${value}</span>`, block: true }
        : undefined,
    date: (value) => {
      const ms = momentMs(value);
      return ms === undefined ? undefined : { html: formatMoment(ms, !String(value).includes('T')) };
    },
    number: (value) => {
      // Text can have more digits than a number; the formatter takes both.
      const isNumber = typeof value === 'number' || (typeof value === 'string' && decimal.test(value));
      return isNumber
        ? { html: markup`<span class="num">${numbers.format(value as number)}</span>` }
        : undefined;
    },
    link: (value) => {
      const url = typeof value === 'string' ? parseLink(value) : undefined;
      return url && { html: anchor(url, markup`<bdi>${String(value)}</bdi>`) };
    },
  }),
);

function toJsonValue(value: Json, { label }: Shown): RenderedValue {
  const indented = JSON.stringify(value, null, 2);
  const text = indented.length > indentedMax ? JSON.stringify(value) : indented;
  const html = markup`<pre class="wide" dir="ltr" tabindex="0" role="group" aria-label="${label}">${text}</pre>`;
  return { html, block: true };
}

function toTable(value: Json, { label }: Shown): RenderedValue | undefined {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isObject)) return undefined;
  const columns = [...new Set(value.flatMap((row) => Object.keys(row)))];
  if (columns.length === 0 || columns.length > columnsMax || columns.length * value.length > cellsMax)
    return undefined;
  const isNumeric = columns.map((name) => value.every((row) => typeof (row[name] ?? 0) === 'number'));
  const head = columns.map(
    (name, i) => markup`<th scope="col" dir="auto"${isNumeric[i] && markup` class="num"`}>${name}</th>`,
  );
  const cells = (row: JsonObject) =>
    columns.map((name, i) => {
      const cell = Object.hasOwn(row, name) ? formatCell(row[name] ?? null) : '';
      return markup`<td dir="auto"${isNumeric[i] && markup` class="num"`}>${cell}</td>`;
    });
  const body = value.map((row) => markup`<tr>${cells(row)}</tr>`);
  const html = markup`<div class="wide" tabindex="0" role="group" aria-label="${label}"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
  return { html, block: true };
}

function isPlainList(value: Json): value is (string | number)[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((one) => typeof one === 'number' || (typeof one === 'string' && one !== ''))
  );
}

function formatCell(value: Json): string {
  if (value === null) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
