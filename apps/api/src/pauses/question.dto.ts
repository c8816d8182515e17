import type { Json } from '#libs/platform/json/json';
import type { FormField } from '#libs/language/engine/effects';
import { Anything, Bool, ListOf, Num, One, Text } from '../http/fields.ts';

export class DisplayFieldView {
  @Text({ description: 'The label before the value.' }) label!: string;
  @Anything({ description: 'The value that the page shows; null when there is none.' }) value!: Json;
  @Text({
    optional: true,
    description: 'The display format that the author of the block chose; absent for plain text.',
  })
  format?: string;
}

export class DisplayView {
  @Text({ description: 'The question in a line.' }) title!: string;
  @Text({ description: 'The information that a person needs for the answer; empty when there is none.' })
  message!: string;
  @ListOf(() => DisplayFieldView, { description: 'Facts that are shown in a list beside the message.' })
  fields!: DisplayFieldView[];
}

export class OptionView {
  @Text({ description: 'The text of the option.' }) label!: string;
  @Text({ description: 'The value in the answer when this option is chosen.' }) value!: string;
}

export class FormFieldView {
  @Text({ description: 'The name of the value in the answer.' }) name!: string;
  @Text({
    description:
      'The type of the field, for example `string`, `boolean` or `select`. It decides the accepted values.',
  })
  type!: string;
  @Text({ description: 'The label of the field.' }) label!: string;
  @Text({ optional: true, description: 'A hint below the label; absent when there is none.' })
  description?: string;
  @Text({ optional: true, description: 'The placeholder in the empty field; absent when there is none.' })
  placeholder?: string;
  @Bool({ description: 'True when an answer without this field is refused.' }) required!: boolean;
  @ListOf(() => OptionView, {
    optional: true,
    description: 'The choices of a select or multiselect; absent for other types.',
  })
  options?: OptionView[];
  @Anything({
    optional: true,
    description: 'The default value, also for a missing answer; absent when there is none.',
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
  @One(() => DisplayView, { description: 'The message for a person.' }) displayData!: DisplayView;
  @ListOf(() => FormFieldView, { description: 'The fields of the form, in order.' }) formFields!: FormField[];
}
