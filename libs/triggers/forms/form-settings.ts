import type { StartInput } from '#libs/language/definition/definition';
import { buildForm, type FormField } from '#libs/language/definition/forms';
import { formFields } from '#libs/language/definition/shapes/form-shapes';
import { isTemplate } from '#libs/language/definition/shapes/shape';
import { type Detail, Invalid } from '#libs/platform/errors/errors';
import type { FormSettings } from '../trigger.entity.ts';

/** Throws `Invalid` for fields that cannot be understood, with every fault. */
export function requireForm({ fields }: FormSettings): void {
  if (fields === null) return;
  const details: Detail[] = [];
  const report = (path: string, code: string, message: string) => details.push({ path, code, message });
  formFields.check(fields, 'form.fields', report);
  if (details.length > 0) throw new Invalid(details);
  for (const [at, field] of fields.entries())
    for (const [member, value] of Object.entries(field))
      if (isTemplate(value))
        report(
          `form.fields[${at}].${member}`,
          'unsupported',
          'A form is shown before there is anything to read.',
        );
  if (details.length > 0) throw new Invalid(details);
}

/** The fields of the page: those of the trigger, or one for each input of the live version. */
export function buildFields(
  { fields }: FormSettings,
  inputs: Readonly<Record<string, StartInput>>,
): FormField[] {
  return fields === null
    ? Object.entries(inputs).map(([name, input]) => toField(name, input))
    : buildForm([...fields].map((field) => ({ ...field })));
}

function toField(name: string, input: StartInput): FormField {
  const { type, required = false, description, default: start, min, max, minLength, maxLength } = input;
  const options = toOptions(input);
  const bounds = type === 'number' ? { min, max } : { min: minLength, max: maxLength };
  const field: FormField = {
    name,
    label: name,
    // An input with a default always has a value of its type, and only a text or JSON can be empty.
    required:
      start === undefined ? required : options !== undefined || (type !== 'string' && type !== 'json'),
    type: options ? 'select' : type === 'object' || type === 'array' ? 'json' : type,
    ...(description === undefined ? {} : { description }),
    ...(options ? { options } : {}),
    ...(start === undefined ? {} : { default: start }),
  };
  if (field.type !== 'number' && field.type !== 'string') return field;
  return {
    ...field,
    ...(bounds.min === undefined ? {} : { min: bounds.min }),
    ...(bounds.max === undefined ? {} : { max: bounds.max }),
  };
}

/** The choices of an input that is one of some texts. */
function toOptions({ type, enum: choices }: StartInput): FormField['options'] {
  if (type !== 'string' || !choices?.every((choice) => typeof choice === 'string' && choice !== ''))
    return undefined;
  return choices.map((choice) => ({ label: String(choice), value: String(choice) }));
}
