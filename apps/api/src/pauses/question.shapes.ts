import type { Json } from '#libs/platform/json/json';
import type { FormField } from '#libs/language/engine/effects';
import { Anything, Bool, ListOf, Num, One, Text } from '../http/fields.ts';

export class DisplayFieldView {
  @Text({ description: 'What stands before the value.' }) label!: string;
  @Anything({ description: 'What is shown; null when there was nothing.' }) value!: Json;
  @Text({
    optional: true,
    description: 'How the page shows the value, as the author of the block chose; absent for plain text.',
  })
  format?: string;
}

export class DisplayView {
  @Text({ description: 'The question in a line.' }) title!: string;
  @Text({ description: 'What a person has to know to answer; empty when nothing was written.' })
  message!: string;
  @ListOf(() => DisplayFieldView, { description: 'Facts that are shown in a list beside the message.' })
  fields!: DisplayFieldView[];
}

export class OptionView {
  @Text({ description: 'What a person reads.' }) label!: string;
  @Text({ description: 'What the answer holds when this option is chosen.' }) value!: string;
}

export class FormFieldView {
  @Text({ description: 'The name under which the answer holds the value.' }) name!: string;
  @Text({
    description:
      'The type of the field, as `string`, `boolean` or `select`; it decides which values are taken.',
  })
  type!: string;
  @Text({ description: 'What a person reads above the field.' }) label!: string;
  @Text({ optional: true, description: 'A hint below the label; absent when there is none.' })
  description?: string;
  @Text({ optional: true, description: 'What stands in the empty field; absent when there is nothing.' })
  placeholder?: string;
  @Bool({ description: 'True when an answer without this field is refused.' }) required!: boolean;
  @ListOf(() => OptionView, {
    optional: true,
    description: 'The choices of a select or multiselect; absent for other types.',
  })
  options?: OptionView[];
  @Anything({
    optional: true,
    description:
      'The value that the field has at first, and that a missing answer gets; absent when there is none.',
  })
  default?: Json;
  @Num({
    optional: true,
    description:
      'The least number, the least length of a text or the fewest choices; absent when there is no bound.',
  })
  min?: number;
  @Num({
    optional: true,
    description:
      'The greatest number, the greatest length of a text or the most choices; absent when there is no bound.',
  })
  max?: number;
  @Text({
    optional: true,
    description:
      'Always absent: patterns are not supported, because a regular expression can stop the engine.',
  })
  pattern?: string;
}

export class PauseResponseView {
  @One(() => DisplayView, { description: 'What a person is shown.' }) displayData!: DisplayView;
  @ListOf(() => FormFieldView, { description: 'What a person is asked, in order.' }) formFields!: FormField[];
}
