import type { FormField } from '#libs/definition/forms';
import type { Json, JsonObject } from '#libs/definition/values';
import type { Detail } from '#libs/faults/faults';
import type { PausePoint } from '#libs/pauses/pause.entity';
import type { Form } from '../http/form-body.ts';
import { markup, page, type Html, type Part } from '../http/html.ts';

const notes = {
  done: ['Your answer was accepted', 'Thank you. The workflow goes on; this page can be closed.'],
  badLink: ['This link is not valid', 'It may be incomplete. Please use the whole link that you were sent.'],
  oldLink: ['This link has expired', 'Please ask whoever sent it to you for a new one.'],
  elsewhere: [
    'This was not accepted',
    'It came from another site. Please open the link itself and answer there.',
  ],
  ALREADY_RESUMED: ['Already answered', 'This question has an answer. Nothing is left to do here.'],
  PAUSE_EXPIRED: ['Too late', 'The time to answer this question has passed.'],
  PAUSE_CANCELLED: ['No longer needed', 'The workflow that asked this question has ended.'],
  PAUSE_CLOSED: ['No longer open', 'This question takes no answer any more.'],
} satisfies Record<string, [string, string]>;

export type Note = keyof typeof notes;

export function isNote(code: string): code is Note {
  return Object.hasOwn(notes, code);
}

/** A page that says one thing, and nothing about any workflow. */
export function notePage(note: Note): string {
  const [title, text] = notes[note];
  return page(title, markup`<p>${text}</p>`);
}

/** The question with its form, as it was given before and with what was wrong about that. */
export function questionPage({ display, form }: PausePoint, given: Form, details: Detail[] = []): string {
  const faults = form.map(({ name }) => details.find(({ path }) => isWithin(path, `input.${name}`))?.message);
  const fields = form.map((field, i) => labelled(field, i, given.get(field.name) ?? [], faults[i]));
  const body = markup`${details.length > 0 && summary(form, faults)}
${display.message !== '' && markup`<p class="text" dir="auto">${display.message}</p>`}
${display.fields.length > 0 && markup`<dl>${display.fields.map(shown)}</dl>`}
<form method="post">${fields}<button>Send answer</button></form>`;
  return page(display.title, body, { prefix: details.length > 0 ? 'Error: ' : '' });
}

function summary(form: FormField[], faults: (string | undefined)[]): Html {
  const items = form.map(
    ({ label }, i) => faults[i] !== undefined && markup`<li><a href="#f${i}">${label}: ${faults[i]}</a></li>`,
  );
  return markup`<div role="alert" class="bad"><p>The answer was not accepted. Please correct it:</p><ul>${items}</ul></div>`;
}

function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`);
}

function shown({ label, value }: { label: string; value: Json }): Html {
  return markup`<dt dir="auto">${label}</dt><dd dir="auto">${valueOf(value)}</dd>`;
}

function valueOf(value: Json): Html {
  if (value === null) return markup`–`;
  if (typeof value !== 'object') return markup`<span class="text">${String(value)}</span>`;
  if (Array.isArray(value) && value.length > 0 && value.every(isRow)) return tableOf(value);
  return markup`<pre class="wide" tabindex="0">${JSON.stringify(value, null, 2)}</pre>`;
}

function tableOf(rows: JsonObject[]): Html {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const head = columns.map((name) => markup`<th scope="col">${name}</th>`);
  const cells = (row: JsonObject) =>
    columns.map((name) => markup`<td>${Object.hasOwn(row, name) && cellOf(row[name] ?? null)}</td>`);
  const body = rows.map((row) => markup`<tr>${cells(row)}</tr>`);
  return markup`<div class="wide" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

function cellOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isRow(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A field with its label, its description and its fault, each tied to the control for who cannot see them. */
function labelled(field: FormField, i: number, given: readonly string[], fault: string | undefined): Html {
  const { label, description, required, type } = field;
  const name = markup`<span dir="auto">${label}</span>${required && ' (required)'}`;
  const about = markup`${description !== undefined && markup`<div id="d${i}" dir="auto">${description}</div>`}${
    fault !== undefined && markup`<div id="e${i}" class="bad">${fault}</div>`
  }`;
  const ids = [description !== undefined && `d${i}`, fault !== undefined && `e${i}`].filter(
    (id) => id !== false,
  );
  const tied = markup` id="f${i}"${ids.length > 0 && markup` aria-describedby="${ids.join(' ')}"`}${
    fault !== undefined && markup` aria-invalid="true"`
  }`;
  if (type === 'multiselect')
    return markup`<fieldset class="field"${tied}><legend>${name}</legend>${about}${choices(field, given)}</fieldset>`;
  if (type === 'file')
    return markup`<div class="field" id="f${i}"><b>${name}</b>${about}<div>${noFiles}</div></div>`;
  const bound = markup`${tied} name="${field.name}"${required && markup` required`}${attribute('placeholder', field.placeholder)}`;
  return markup`<div class="field"><label for="f${i}">${name}</label>${about}${control(field, bound, given[0] ?? '')}</div>`;
}

const noFiles = 'A file cannot be given on this page. It can be given through the API.';

function control(field: FormField, attributes: Html, given: string): Html {
  const { type, options = [], min, max, default: start } = field;
  switch (type) {
    case 'number':
      return markup`<input type="number" step="any"${attributes} value="${given}"${attribute('min', min)}${attribute('max', max)}>`;
    case 'date':
      // A browser drops what is no plain date, and a default may be a date-time.
      return markup`<input type="${/^(\d{4}-\d\d-\d\d)?$/.test(given) ? 'date' : 'text'}"${attributes} value="${given}">`;
    case 'text':
    case 'json':
      // The parser of HTML drops the first line break of a text area.
      return markup`<textarea rows="5" dir="auto"${attributes}>\n${given}</textarea>`;
    case 'boolean':
      return selection(attributes, given, [...unchosen(start), ...yesOrNo]);
    case 'select':
      return selection(attributes, given, [...unchosen(start), ...options]);
    default:
      return markup`<input type="text" dir="auto"${attributes} value="${given}">`;
  }
}

type Options = { label: string; value: string }[];

const yesOrNo: Options = [
  { label: 'Yes', value: 'true' },
  { label: 'No', value: 'false' },
];

/** Where there is a default, nothing chosen would mean the default: what is seen must be what is sent. */
function unchosen(start: Json | undefined): Options {
  return start === undefined || start === null ? [{ label: '–', value: '' }] : [];
}

function selection(attributes: Html, given: string, options: Options): Html {
  const items = options.map(
    ({ label, value }) =>
      markup`<option value="${value}"${value === given && markup` selected`}>${label}</option>`,
  );
  return markup`<select${attributes}>${items}</select>`;
}

/** A list of boxes: to choose several of a list that drops down takes a keyboard. */
function choices({ name, options = [] }: FormField, given: readonly string[]): Html[] {
  return options.map(({ label, value }) => {
    const checked = given.includes(value) && markup` checked`;
    return markup`<label><input type="checkbox" name="${name}" value="${value}"${checked}> <span dir="auto">${label}</span></label>`;
  });
}

function attribute(name: string, value: string | number | undefined): Part {
  return value !== undefined && markup` ${name}="${value}"`;
}
