import { fieldTypes, type FormFieldInput } from '../definition.ts';

import { checkAnswer, reservedFieldNames } from '../answers.ts';
import { checkBounds, description, nameText, repeated } from '../expressions/atoms.ts';
import { buildForm } from '../forms.ts';
import * as shape from './shape.ts';
import { at, isTemplate, type Report, ruled, type Shape } from './shape.ts';

const option = shape.either(
  'text, or an object with label and value',
  [(value) => typeof value === 'string', shape.text({ min: 1, max: 200 })],
  [() => true, shape.object({ label: shape.text({ max: 200 }), value: shape.text({ min: 1, max: 200 }) })],
);

const noPattern: Shape = {
  schema: { not: {} },
  check: (_value, path, report) =>
    report(path, 'unsupported', 'Patterns are not supported: a regular expression can stop the engine.'),
};

/** One field of a form, as its author writes it. */
const formField = ruled<FormFieldInput>(
  shape.object(
    { name: nameText, type: shape.choice(fieldTypes) },
    {
      label: shape.text({ max: 500 }),
      description,
      placeholder: shape.text({ max: 500 }),
      required: shape.boolean,
      options: shape.list(option, { min: 1, max: 200 }),
      default: shape.json,
      min: shape.anyNumber,
      max: shape.anyNumber,
      pattern: noPattern,
    },
  ),
  checkFormField,
);

/** The fields of a form, each with a name of its own. */
export const formFields = ruled(shape.list(formField, { max: 100 }), (fields, path, report) => {
  for (const i of repeated(fields.map(({ name }) => name)))
    report(at(at(path, i), 'name'), 'duplicate_name', 'Another field has this name already.');
});

const sized: readonly string[] = ['string', 'text', 'number', 'multiselect'];

function checkFormField(field: FormFieldInput, path: string, report: Report): void {
  const { name, type, options, min, max } = field;
  if (reservedFieldNames.includes(name))
    report(
      at(path, 'name'),
      'reserved_name',
      `"${name}" is reserved. Reserved: ${reservedFieldNames.join(', ')}.`,
    );
  const choosing = type === 'select' || type === 'multiselect';
  if (choosing && !options) report(at(path, 'options'), 'required', `A ${type} needs options.`);
  if (!choosing && options) report(at(path, 'options'), 'not_applicable', `A ${type} has no options.`);
  const values = buildForm([{ ...field }])[0]?.options?.map(({ value }) => value) ?? [];
  for (const i of repeated(values))
    report(at(at(path, 'options'), i), 'duplicate_name', 'Another option has this value already.');
  checkBounds(path, report, { min, max });
  for (const bound of ['min', 'max'] as const)
    if (field[bound] !== undefined && !sized.includes(type))
      report(at(path, bound), 'not_applicable', `A ${type} has no ${bound}.`);
  const normal = buildForm([{ ...field }])[0];
  if (field.default === undefined || field.default === null || isTemplate(field.default) || !normal) return;
  for (const { code, message } of checkAnswer(field.default, normal, ''))
    report(at(path, 'default'), code, message);
}
