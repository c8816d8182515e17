import type { FormField } from '#libs/language/definition/forms';
import { type Json, type JsonObject, objectOf } from '#libs/platform/json/json';
import type { PausePoint } from '#libs/runs/pauses/pause.entity';
import { markup, page, type Html } from '../http/html.ts';
import { markdown } from '../http/markdown.ts';
import { displayList, formatMoment, type Shown } from './display.html.ts';
import { renderFaultSummary, renderForm, type Filled, yesOrNo } from './form.html.ts';

const problems = {
  badLink: ['This link is not valid', 'It may be incomplete. Please use the whole link that you were sent.'],
  oldLink: ['This link has expired', 'Please ask the sender for a new link.'],
  elsewhere: [
    'This was not accepted',
    'It came from another site. Please open the link itself and answer there.',
  ],
  ALREADY_RESUMED: ['Already answered', 'This question has an answer. Nothing is left to do here.'],
  PAUSE_EXPIRED: ['Too late', 'The time to answer this question has passed.'],
  PAUSE_CANCELLED: ['No longer needed', 'The workflow that asked this question has ended.'],
  PAUSE_CLOSED: ['No longer open', 'This question takes no answer any more.'],
  PERSON_REQUIRED: [
    'This link does not say who you are',
    'Only certain people may answer. Please use the link that was mailed to you, or a personal key.',
  ],
  NOT_AN_ASSIGNEE: [
    'Not yours to answer',
    'This request was not put to you, or you have handed it to someone else.',
  ],
  SIGN_IN_REQUIRED: [
    'Please sign in to answer',
    'You must sign in to answer this: a link alone does not say who you are.',
  ],
  STARTER_MAY_NOT_ANSWER: ['Not yours to answer', 'The starter of the workflow may not answer it.'],
  ALREADY_VOTED: ['Already answered', 'You have answered this request. Others may still have to.'],
} satisfies Record<string, [string, string]>;

export type LinkProblem = keyof typeof problems;

export function isLinkProblem(code: string): code is LinkProblem {
  return Object.hasOwn(problems, code);
}

/** A page with one message, which reveals nothing about any workflow, and a link to go on. */
export function problemPage(problem: LinkProblem, way?: { href: string; text: string }): string {
  const [title, text] = problems[problem];
  const link = way && markup`<p><a href="${way.href}">${way.text}</a></p>`;
  return page(title, markup`<p>${text}</p>${link}`, { top: mark('!') });
}

/** The page after an answer. It repeats the committed answers. */
export function donePage({ form, asking }: PausePoint, answers: JsonObject): string {
  const fields = form.map((field): Shown => ({
    label: field.label,
    value: toWords(field, answers[field.name] ?? null),
  }));
  const next = asking?.approvals
    ? 'Thank you. The workflow goes on as soon as enough people have answered'
    : 'Thank you. The workflow goes on';
  const body = markup`<p>${next}; this page can be closed.</p>
${fields.length > 0 && markup`<h2>Your answer</h2>${displayList(fields)}`}`;
  return page('Your answer was accepted', body, { top: mark('✓', 'good') });
}

export interface PausePageContent extends Filled {
  point: PausePoint;
  /** The receiver of the link. */
  as?: string;
  /** The votes so far, in lines for people. */
  state?: string[];
}

/** The request with its form. After a refused answer it shows the given values and their faults. */
export function pausePage({ point, as, state = [], values, details = [] }: PausePageContent): string {
  const { display, form, expiresAt } = point;
  const isWrong = details.length > 0;
  const body = markup`${expiresAt !== null && markup`<p class="due">Please answer by ${formatMoment(expiresAt.getTime())}.</p>`}
${display.message !== '' && markup`<div class="prose">${markdown(display.message)}</div>`}
${state.length > 0 && renderState(state)}
${display.fields.length > 0 && markup`<h2>Details</h2>${displayList(display.fields)}`}
<h2>Your answer</h2>${renderForm(form, { values, details })}`;
  return page(display.title, body, {
    prefix: isWrong ? 'Error: ' : '',
    top: isWrong && renderFaultSummary(form, details),
    foot: as
      ? `This link is for ${as}: anyone who has it answers in that name. Please do not pass it on.`
      : 'Anyone with this link can give the answer. Please do not pass it on.',
  });
}

function renderState(lines: string[]): Html {
  const items = lines.map((line) => markup`<li dir="auto">${line}</li>`);
  return markup`<section class="state" aria-labelledby="state"><h2 id="state">State of the request</h2><ul>${items}</ul></section>`;
}

/** The answer with the labels that the person chose. */
function toWords({ type, options = [] }: FormField, answer: Json): Json {
  const findLabel = (value: Json) =>
    (type === 'boolean' ? yesOrNo : options).find((option) => option.value === String(value))?.label ?? value;
  if (type === 'boolean' || type === 'select') return findLabel(answer);
  if (type === 'multiselect' && Array.isArray(answer)) return answer.map(findLabel).join(', ');
  if (type === 'file') return objectOf(answer)['name'] ?? answer;
  return answer;
}

export function mark(sign: string, kind = ''): Html {
  return markup`<p class="mark ${kind}" aria-hidden="true">${sign}</p>`;
}
