/** The fields of a form on a page of a PDF, as the library gives them. */
export interface PdfField {
  subtype: string;
  rect: number[];
  hidden?: boolean;
  password?: boolean;
  fieldType?: string;
  fieldName?: string;
  fieldValue?: unknown;
  alternativeText?: string;
  textContent?: string[];
  contentsObj?: { str: string };
  pushButton?: boolean;
  exportValue?: string;
  buttonValue?: string;
  options?: { exportValue: string; displayValue: string }[];
}

interface FieldValue {
  text: string;
  label: string;
  /** True for a mark in a box, which stands before its label. */
  isMark: boolean;
  rect: number[];
}

/** Names that programs give to fields say nothing. */
const anyNames = new Set([
  '',
  'undefined',
  'untitled',
  'text',
  'textfield',
  'textbox',
  'checkbox',
  'fill',
  'f',
  'c',
  'field',
]);

/** Texts to say before or after the texts of a page, by the place of that text. */
export interface PlacedValues {
  before: Map<number, string>;
  after: Map<number, string>;
  rest: string[];
}

/**
 * Places the values of a form between the texts of its page, which begin at `starts`: a value behind the nearest text to its left, and the
 * mark of a chosen box before the nearest text to its right. The others have the names of their fields.
 */
export function placeValues(
  fields: readonly PdfField[],
  starts: readonly { x: number; y: number }[],
): PlacedValues {
  const placed: PlacedValues = { before: new Map(), after: new Map(), rest: [] };
  for (const { text, label, isMark, rect } of fields.flatMap((field) => toValue(field) ?? [])) {
    const [left = 0, bottom = 0, right = 0, top = 0] = rect;
    let nearest = { at: -1, gap: isMark ? 40 : 300 };
    for (const [at, { x, y }] of starts.entries()) {
      const gap = isMark ? x - right : left - x;
      if (y >= bottom - 3 && y <= top + 3 && gap >= -3 && gap <= nearest.gap) nearest = { at, gap };
    }
    const where = isMark ? placed.before : placed.after;
    if (nearest.at >= 0) where.set(nearest.at, `${where.get(nearest.at) ?? ''} ${text} `);
    else placed.rest.push(label === '' ? text : `${label}: ${text}`);
  }
  return placed;
}

function toValue(field: PdfField): FieldValue | null {
  const { subtype, rect, fieldType, fieldName = '', alternativeText = '' } = field;
  if (field.hidden || field.password) return null;
  const last = fieldName.split('.').at(-1)?.split('[')[0]?.trim() ?? '';
  const label =
    alternativeText.trim() || (anyNames.has(last.replace(/[\s_\d]/g, '').toLowerCase()) ? '' : last);
  const value = { label, rect, isMark: false };
  const shown = (field.textContent ?? []).join('\n').trim();
  if (subtype === 'FreeText') return withText({ ...value, label: '' }, shown || field.contentsObj?.str);
  if (subtype !== 'Widget') return null;
  if (fieldType === 'Btn') {
    const own = field.exportValue ?? field.buttonValue;
    const isChosen = !field.pushButton && own !== undefined && own === field.fieldValue && own !== 'Off';
    return isChosen ? { ...value, isMark: true, text: '[x]' } : null;
  }
  if (fieldType === 'Ch') {
    const chosen = [field.fieldValue].flat().filter((one) => typeof one === 'string');
    const names = chosen.map(
      (one) => field.options?.find(({ exportValue }) => exportValue === one)?.displayValue ?? one,
    );
    return withText(value, names.join(', '));
  }
  return fieldType === 'Tx' ? withText(value, shown || field.fieldValue) : null;
}

function withText(value: Omit<FieldValue, 'text'>, text: unknown): FieldValue | null {
  return typeof text === 'string' && text.trim() !== '' ? { ...value, text: text.trim() } : null;
}
