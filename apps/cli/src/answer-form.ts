import type { Schemas } from '#libs/sdk/src/holdfast';
import { parseDecimal } from '#libs/platform/json/number-text';
import { parseValue } from './inputs.ts';
import { safeText, type Terminal } from './terminal.ts';

type FormQuestion = Schemas['FormFieldView'];

/** Shows the question, and asks for each field of the form until its value fits the field. */
export async function answerForm(
  terminal: Terminal,
  question: Schemas['PauseResponseView'] | null | undefined,
): Promise<Record<string, unknown>> {
  const { displayData, formFields = [] } = question ?? {};
  terminal.err(
    `\n${terminal.paint('bold', safeText(displayData?.title ?? 'The execution waits for an answer.'))}\n`,
  );
  if (displayData?.message) terminal.err(`${safeText(displayData.message)}\n`);
  for (const { label, value } of displayData?.fields ?? [])
    terminal.err(`  ${safeText(`${label}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)}\n`);
  const input: Record<string, unknown> = {};
  for (const field of formFields) {
    const value = await askField(terminal, field);
    if (value !== undefined) input[field.name] = value;
  }
  if (formFields.length === 0) await terminal.ask('Press Enter to answer.');
  return input;
}

async function askField(terminal: Terminal, field: FormQuestion): Promise<unknown> {
  for (;;) {
    const text = await terminal.ask(formatQuestion(field));
    if (text === '') {
      if (field.default !== undefined && field.default !== null) return field.default;
      if (!field.required) return undefined;
      terminal.err('It is required.\n');
      continue;
    }
    const value = readField(field, text);
    if (value !== undefined) return value;
    terminal.err(`${safeText(text)} is no ${field.type}.\n`);
  }
}

function formatQuestion({ label, name, type, options, required, default: preset }: FormQuestion): string {
  const choices = options?.map(({ value }) => value).join(' | ') ?? (type === 'boolean' ? 'yes | no' : type);
  const given = preset === undefined || preset === null ? '' : `, ${JSON.stringify(preset)} if empty`;
  return safeText(`${label || name} (${choices}${required ? '' : ', may be left out'}${given}):`);
}

/** The value of a field; undefined when the text is none. */
function readField({ type, options }: FormQuestion, text: string): unknown {
  if (type === 'boolean')
    return /^(y|yes|true)$/i.test(text) ? true : /^(n|no|false)$/i.test(text) ? false : undefined;
  if (type === 'number') return parseDecimal(text);
  if (options) {
    const chosen = options.find(
      ({ value, label }) => value === text || label.toLowerCase() === text.toLowerCase(),
    );
    return chosen?.value;
  }
  return type === 'json' || type === 'object' || type === 'array' ? parseValue(text) : text;
}
