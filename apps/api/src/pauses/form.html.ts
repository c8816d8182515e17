import { momentMs } from '#libs/language/definition/durations';
import type { FormField } from '#libs/language/definition/forms';
import type { Detail } from '#libs/platform/errors/errors';
import type { Form } from '../http/form-body.ts';
import { markup, type Html, type HtmlPart } from '../http/html.ts';

/** The person's earlier values, with their errors. */
export interface Filled {
  values: Form;
  details?: Detail[];
}

/** One field of the form, with its shown value. */
interface PlacedField {
  field: FormField;
  /** Its index in the form, for the ids of its elements. */
  i: number;
  values: readonly string[];
  fault: string | undefined;
}

interface Option {
  label: string;
  value: string;
}

/** Up to this many choices are radio buttons; more become a drop-down list. */
const choicesMax = 5;

export const yesOrNo: Option[] = [
  { label: 'Yes', value: 'true' },
  { label: 'No', value: 'false' },
];

/**
 * The form. It uses no checks of the browser (no `required`, no number inputs). The server reports all faults at once,
 * beside their fields, in the words of the API. The browser stops only a half-typed date, because it would otherwise
 * send nothing for it.
 */
export function renderForm(
  form: FormField[],
  { values, details = [] }: Filled,
  { button = form.length > 0 ? 'Send answer' : 'Confirm', hidden }: { button?: string; hidden?: Html } = {},
): Html {
  const faults = findFaults(form, details);
  const fields = form.map((field, i) =>
    labelled({ field, i, values: values.get(field.name) ?? [], fault: faults[i] }),
  );
  // Files need a multipart form. Without files the form stays short.
  const parts = form.some(({ type }) => type === 'file') && markup` enctype="multipart/form-data"`;
  return markup`<form method="post"${parts}>${fields}${hidden}<button>${button}</button></form>`;
}

/** A list of all faults, each with a link to its field. It has the focus when the page opens, without any script. */
export function renderFaultSummary(form: FormField[], details: Detail[]): Html {
  const faults = findFaults(form, details);
  const items = form.map(
    ({ label }, i) =>
      faults[i] !== undefined && markup`<li><a href="#f${i}"><bdi>${label}</bdi>: ${faults[i]}</a></li>`,
  );
  const others = details.filter(({ path }) => !form.some((field) => isAbout(path, field)));
  return markup`<div class="faults" role="alert" tabindex="-1" autofocus><p><strong>The answer was not accepted. Please correct it:</strong></p><ul>${items}${others.map(
    ({ message }) => markup`<li>${message}</li>`,
  )}</ul></div>`;
}

/** The first fault of each field. For a format that the API names, the page says what to do instead. */
function findFaults(form: FormField[], details: Detail[]): (string | undefined)[] {
  return form.map((field) => {
    const fault = details.find(({ path }) => isAbout(path, field));
    if (fault?.code === 'option') return 'Please choose from what is offered.';
    return fault?.code === 'type' && field.type === 'date'
      ? 'Please give a date, such as 2026-02-28.'
      : fault?.message;
  });
}

function isAbout(path: string, { name }: FormField): boolean {
  const place = `input.${name}`;
  return path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`);
}

/** A field with its label, description and fault. Each is tied to the control, so that a screen reader announces them. */
function labelled(placed: PlacedField): Html {
  const { field, i, fault } = placed;
  const { label, description, required, type } = field;
  const name = markup`<span dir="auto">${label}</span>${required && markup` <span class="must">(required)</span>`}`;
  const hint = [description, formatHint(field)].filter((text) => text !== undefined);
  const about = markup`${hint.length > 0 && markup`<div id="d${i}" class="hint">${hint.map((text) => markup`<div dir="auto">${text}</div>`)}</div>`}${
    fault !== undefined && markup`<div id="e${i}" class="bad">${fault}</div>`
  }`;
  const ids = [hint.length > 0 && `d${i}`, fault !== undefined && `e${i}`].filter((id) => id !== false);
  const tied = ids.length > 0 && markup` aria-describedby="${ids.join(' ')}"`;
  const wrong = fault !== undefined && markup` aria-invalid="true"`;
  if (type === 'multiselect')
    return markup`<fieldset class="field"${tied}><legend>${name}</legend>${about}${boxes(placed, wrong)}</fieldset>`;
  const options = toOptions(field);
  if (options && options.length <= choicesMax)
    return markup`<fieldset class="field" role="radiogroup" aria-labelledby="l${i}"${required && markup` aria-required="true"`}${tied}${wrong}><legend id="l${i}">${name}</legend>${about}${radios(placed, options)}</fieldset>`;
  const bound = markup` id="f${i}" name="${field.name}"${tied}${wrong}${required && markup` aria-required="true"`}${attribute('placeholder', field.placeholder)}`;
  const control = options ? dropDown(bound, placed, options) : entry(bound, placed);
  return markup`<div class="field"><label for="f${i}">${name}</label>${about}${control}</div>`;
}

/** The server's rule for the field, in a sentence for people. */
function formatHint({ type, min, max }: FormField): string | undefined {
  if (type === 'json') return 'Give it as JSON.';
  if (type === 'file') return 'Give the address (URL) of the file.';
  const unit = units[type];
  if (unit === undefined || (min === undefined && max === undefined)) return undefined;
  if (max === undefined) return `At least ${min}${unit}.`;
  return min === undefined ? `At most ${max}${unit}.` : `From ${min} to ${max}${unit}.`;
}

const units: Partial<Record<FormField['type'], string>> = {
  string: ' characters',
  text: ' characters',
  number: '',
  multiselect: ' choices',
};

function entry(attributes: Html, { field, i, values: [value = ''] }: PlacedField): Html {
  const { type, min = -1 } = field;
  switch (type) {
    case 'number': {
      // A browser's number input drops text that is no number. A text input returns it, so it can be shown again. Some
      // numeric keypads have no minus sign.
      const keys = min >= 0 ? 'decimal' : 'text';
      return markup`<input type="text" class="short" inputmode="${keys}" autocomplete="off"${attributes} value="${value}">`;
    }
    case 'date': {
      // Likewise a value that is no plain date (a default may have a time) gets a text input.
      const isDate = value === '' || (/^\d{4}-\d\d-\d\d$/.test(value) && momentMs(value) !== undefined);
      return markup`<input type="${isDate ? 'date' : 'text'}" class="short"${attributes} value="${value}">`;
    }
    case 'text':
      // An HTML parser drops the first line break of a text area, so this adds one.
      return markup`<textarea rows="5" dir="auto"${attributes}>\n${value}</textarea>`;
    case 'json':
      return markup`<textarea rows="6" dir="ltr" class="code" spellcheck="false" autocapitalize="off"${attributes}>\n${value}</textarea>`;
    case 'file':
      return markup`<input type="text" inputmode="url" dir="ltr" spellcheck="false"${attributes} value="${value}">
<label for="f${i}-file" class="or">Or choose a file for <bdi>${field.label}</bdi></label><input type="file" id="f${i}-file" name="${field.name}">`;
    default:
      return markup`<input type="text" dir="auto"${attributes} value="${value}">`;
  }
}

/** The choices of a field. An optional field gets a choice for no answer, because a radio button cannot be cleared. */
function toOptions({ type, options, required }: FormField): Option[] | undefined {
  const own = type === 'boolean' ? yesOrNo : type === 'select' ? options : undefined;
  return own && !required ? [...own, { label: 'No answer', value: '' }] : own;
}

function radios({ field: { name }, i, values: [chosen = ''] }: PlacedField, options: Option[]): Html {
  const items = options.map(({ label, value }, n) =>
    choice(
      markup`type="radio" id="f${i}${n > 0 && `-${n}`}" name="${name}" value="${value}"${value === chosen && markup` checked`}`,
      label,
    ),
  );
  return markup`<div${options.length === 2 && markup` class="two"`}>${items}</div>`;
}

/** A list of checkboxes, because choosing several items of a drop-down list needs a keyboard. */
function boxes({ field: { name, options = [] }, i, values }: PlacedField, wrong: HtmlPart): Html {
  const items = options.map(({ label, value }, n) =>
    choice(
      markup`type="checkbox" id="f${i}${n > 0 && `-${n}`}" name="${name}" value="${value}"${values.includes(value) && markup` checked`}${wrong}`,
      label,
    ),
  );
  return markup`<div>${items}</div>`;
}

function choice(attributes: Html, label: string): Html {
  return markup`<label class="choice"><input ${attributes}><span dir="auto">${label}</span></label>`;
}

function dropDown(attributes: Html, { values: [chosen = ''] }: PlacedField, options: Option[]): Html {
  // Without an empty option the browser would choose the first one itself.
  const isChosen = options.some(({ value }) => value === chosen);
  const all = isChosen ? options : [{ label: '–', value: '' }, ...options];
  const items = all.map(
    ({ label, value }) =>
      markup`<option value="${value}"${value === chosen && markup` selected`}>${label}</option>`,
  );
  return markup`<select${attributes}>${items}</select>`;
}

function attribute(name: string, value: string | undefined): HtmlPart {
  return value !== undefined && markup` ${name}="${value}"`;
}
