import type { FormFieldInput } from '#libs/language/definition/definition';
import type { FormSettings } from '#libs/triggers/trigger.entity';
import type { TriggerState } from '#libs/triggers/triggers';
import { Anything, Int, One, OneOf, Text } from '../http/fields.ts';

const descriptionText = 'The text above the fields, in Markdown.';
const fieldsText =
  'The fields, as in the `form` of a human block. Null: one for each input of the live version.';
const accessText =
  '`public`: whoever has the link. `members`: who has signed in and may execute workflows of the workspace.';
const respondText =
  '`accepted` shows the ending at once; `result` waits for the output of the workflow and shows it.';
const waitText = 'The seconds for which `result` waits. After them it shows the ending, and the run goes on.';
const leastText =
  'A page that is sent sooner than so many seconds after it was opened is shown again: no person is so quick.';

export class FormEndingBody {
  @Text({ optional: true, min: 1, max: 200, description: 'The heading.' })
  title?: string;
  @Text({ optional: true, max: 4000, description: 'The text, in Markdown.' }) text?: string;
}

export class FormTriggerBody {
  @Text({
    optional: true,
    min: 1,
    max: 200,
    description: 'The heading of the page. Left out: the name of the trigger.',
  })
  title?: string;
  @Text({ optional: true, max: 10_000, description: descriptionText }) description?: string;
  @Anything({ optional: true, nullable: true, description: fieldsText }) fields?: FormFieldInput[] | null;
  @OneOf(['public', 'members'], { optional: true, default: 'public', description: accessText })
  access?: 'public' | 'members';
  @One(() => FormEndingBody, { optional: true, description: 'The page after it was sent.' })
  ending?: FormEndingBody;
  @OneOf(['accepted', 'result'], { optional: true, default: 'accepted', description: respondText })
  respond?: 'accepted' | 'result';
  @Int({ optional: true, min: 1, max: 60, default: 10, description: waitText }) waitSeconds?: number;
  @Int({ optional: true, min: 0, max: 60, default: 2, description: leastText }) leastSeconds?: number;

  /** Returns the settings with the changes. What a body leaves out stays, so that a new title opens no form to strangers. */
  static change(former: FormSettings, { ending = {}, ...body }: FormTriggerBody): FormSettings {
    return { ...former, ...body, ending: { ...former.ending, ...ending } };
  }

  static toSettings(body: FormTriggerBody, name: string): FormSettings {
    const { title = name, description = '', fields = null, access = 'public', ending = {} } = body;
    const { respond = 'accepted', waitSeconds = 10, leastSeconds = 2 } = body;
    const { title: endTitle = 'Thank you', text = 'It was sent. This page can be closed.' } = ending;
    const end = { title: endTitle, text };
    return { title, description, fields, access, ending: end, respond, waitSeconds, leastSeconds };
  }
}

export class FormEndingView {
  @Text({ description: 'The heading.' }) title!: string;
  @Text({ description: 'The text, in Markdown.' }) text!: string;
}

export class FormTriggerView {
  @Text({ description: 'The address of the page. It is shown again, because people pass it on.' })
  url!: string;
  @Text({ description: 'The heading of the page.' }) title!: string;
  @Text({ description: descriptionText }) description!: string;
  @Anything({ description: fieldsText }) fields!: FormFieldInput[] | null;
  @OneOf(['public', 'members'], { description: accessText }) access!: string;
  @One(() => FormEndingView, { description: 'The page after it was sent.' }) ending!: FormEndingView;
  @OneOf(['accepted', 'result'], { description: respondText }) respond!: string;
  @Int({ description: waitText }) waitSeconds!: number;
  @Int({ description: leastText }) leastSeconds!: number;

  static of({ form, formUrl }: TriggerState): FormTriggerView | null {
    return form && { ...form, url: formUrl ?? '' };
  }
}
