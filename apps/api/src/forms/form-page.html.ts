import type { FormField } from '#libs/language/definition/forms';
import type { Detail } from '#libs/platform/errors/errors';
import { isObject, type Json } from '#libs/platform/json/json';
import type { FormSettings } from '#libs/triggers/trigger.entity';
import { type Form } from '../http/form-body.ts';
import { type Html, markup, page } from '../http/html.ts';
import { markdown } from '../http/markdown.ts';
import { displayList } from '../pauses/display.html.ts';
import { renderFaultSummary, renderForm } from '../pauses/form.html.ts';
import { mark } from '../pauses/resume-page.html.ts';

/** The name of the hidden field with the token of the page. No field of a form has a dot in its name. */
export const pageField = 'page.token';
/** The name of a field that people do not see. What fills it in is no person. */
export const trapField = 'website.address';

const problems = {
  elsewhere: [
    'This was not accepted',
    'It came from another site. Please open the link itself and fill in the form there.',
  ],
  signIn: ['Please sign in', 'This form is for people of its workspace. Sign in, then open this link again.'],
  notMember: ['Not for you', 'This form is for people who may start workflows of its workspace.'],
  closed: [
    'This form is closed',
    'It takes nothing at the moment. Please try again later, or ask who sent you the link.',
  ],
  failed: [
    'This did not work',
    'What you sent has arrived, but the work on it has failed. Please ask who sent you the link.',
  ],
} satisfies Record<string, [string, string]>;

/** A page with one message, and what the owner of the form says to it. */
export function renderFormProblem(problem: keyof typeof problems, note: string | null = null): string {
  const [title, text] = problems[problem];
  const way = problem === 'signIn' && markup`<p><a href="/console">Sign in</a></p>`;
  return page(title, markup`<p>${text}</p>${note !== null && markup`<p dir="auto">${note}</p>`}${way}`, {
    top: mark('!'),
  });
}

export interface FormPageContent {
  settings: FormSettings;
  fields: FormField[];
  token: string;
  values: Form;
  details?: Detail[];
}

/** The page with the fields. After a refusal it shows what was filled in, and its faults. */
export function renderFormPage({ settings, fields, token, values, details = [] }: FormPageContent): string {
  const isWrong = details.length > 0;
  const { title, description } = settings;
  const form = renderForm(fields, { values, details }, { button: 'Send', hidden: renderGuards(token) });
  const body = markup`${description !== '' && markup`<div class="prose">${markdown(description)}</div>`}${form}`;
  return page(title, body, {
    prefix: isWrong ? 'Error: ' : '',
    top: isWrong && renderFaultSummary(fields, details),
  });
}

function renderGuards(token: string): Html {
  return markup`<input type="hidden" name="${pageField}" value="${token}"><div class="unseen" aria-hidden="true"><label>Leave this empty <input type="text" name="${trapField}" tabindex="-1" autocomplete="off"></label></div>`;
}

/** The page after what was sent is committed. */
export function renderEnding({ ending }: FormSettings): string {
  return page(ending.title, ending.text !== '' && markup`<div class="prose">${markdown(ending.text)}</div>`, {
    top: mark('✓', 'good'),
  });
}

/** The page with the output of the workflow: a text as Markdown, or its members in a list. */
export function renderResult({ ending }: FormSettings, output: Json): string {
  const body =
    typeof output === 'string'
      ? markup`<div class="prose">${markdown(output)}</div>`
      : displayList(
          isObject(output)
            ? Object.entries(output).map(([label, value]) => ({ label, value }))
            : [{ label: 'Result', value: output }],
        );
  return page(ending.title, body, { top: mark('✓', 'good') });
}
