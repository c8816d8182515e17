/** A field of a form: of a question, or an input of a workflow. */
export interface FieldSpec {
  name: string;
  type: string;
  label: string;
  description?: string | undefined;
  placeholder?: string | undefined;
  required: boolean;
  options?: { label: string; value: string }[] | undefined;
  default?: unknown;
  min?: number | undefined;
  max?: number | undefined;
}

/** The content of the fields: typed text, choices, or a file. */
export type Drafts = Record<string, string | string[] | File | undefined>;
export type FieldFaults = Record<string, string>;

/** The names of the faults that are found before a form is sent. The API checks everything again. */
export interface FaultTexts {
  wrongNumber: string;
  wrongJson: string;
  missing: string;
}

export function draftsOf(fields: FieldSpec[]): Drafts {
  return Object.fromEntries(fields.map((field) => [field.name, toDraft(field)]));
}

function toDraft({ type, default: value }: FieldSpec): string | string[] {
  if (type === 'multiselect') return Array.isArray(value) ? value.map(String) : [];
  if (value === undefined || value === null) return '';
  if (type === 'file' && typeof value !== 'string') return '';
  if (isJson(type)) return JSON.stringify(value, null, 2);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export const isJson = (type: string): boolean => ['json', 'object', 'array'].includes(type);

/** Bytes of a file that a field takes in: the API takes no larger value. */
export const fileBytesMax = 10 * 1024 * 1024;

/** The content of a file as a field holds it: its text, or a data URL where the bytes are no text. */
export async function textOfFile(file: File): Promise<string> {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new Promise((resolve, reject) => {
      const reader = new FileReader();
      reader.addEventListener('load', () => resolve(String(reader.result)));
      reader.addEventListener('error', () => reject(new Error(file.name)));
      reader.readAsDataURL(file);
    });
  }
}

/** Reads the answers. An empty field is left out, but a default that a person has emptied is not to arrive. */
export function answersOf(
  fields: FieldSpec[],
  drafts: Drafts,
  texts: FaultTexts,
): { answers: Record<string, unknown>; faults: FieldFaults } {
  const answers: Record<string, unknown> = {};
  const faults: FieldFaults = {};
  for (const field of fields) {
    const draft = drafts[field.name];
    const isEmpty = draft === undefined || draft === '' || (Array.isArray(draft) && draft.length === 0);
    if (isEmpty) {
      if (isHiddenFile(field)) continue;
      if (field.required) faults[field.name] = texts.missing;
      else if (draft !== undefined && (field.default ?? null) !== null)
        answers[field.name] = emptied(field.type);
      continue;
    }
    const { value, fault } = parseValue(field.type, draft, texts);
    if (fault) faults[field.name] = fault;
    else answers[field.name] = value;
  }
  return { answers, faults };
}

/** True for a file that is the default: no field shows it, so nobody has emptied it. */
const isHiddenFile = ({ type, default: value }: FieldSpec): boolean =>
  type === 'file' && typeof value === 'object' && value !== null;

const emptied = (type: string) =>
  type === 'multiselect' ? [] : type === 'string' || type === 'text' ? '' : null;

function parseValue(
  type: string,
  draft: string | string[] | File,
  texts: FaultTexts,
): { value?: unknown; fault?: string } {
  if (typeof draft !== 'string') return { value: draft };
  if (type === 'number') {
    const value = Number(draft.trim());
    return Number.isFinite(value) ? { value } : { fault: texts.wrongNumber };
  }
  if (type === 'boolean') return { value: draft === 'true' };
  if (!isJson(type)) return { value: draft };
  try {
    return { value: JSON.parse(draft) as unknown };
  } catch {
    return { fault: texts.wrongJson };
  }
}

/** The faults from the API, by field name. A fault of no field is under the empty name. */
export function faultsOf(details: { path: string; message: string }[], prefix: string): FieldFaults {
  const faults: FieldFaults = {};
  for (const { path, message } of details) {
    const [name = ''] = path.startsWith(`${prefix}.`) ? path.slice(prefix.length + 1).split(/[.[]/) : [];
    faults[name] ??= message;
  }
  return faults;
}

/** The one field that says yes or no, where a press of a button can give the whole answer. */
export function decisionOf(fields: FieldSpec[], named?: string): FieldSpec | undefined {
  const needed = fields.filter(
    (field) => field.type === 'boolean' && field.required && field.default === undefined,
  );
  const decision = named ? fields.find(({ name, type }) => name === named && type === 'boolean') : needed[0];
  return needed.length <= 1 ? decision : undefined;
}
