import type { MailMessage } from '#libs/platform/mail/mail';
import type { PauseNotification, Occasion } from '#libs/runs/pauses/notifications';
import { cutText } from '#libs/platform/text/whole-text';

const messageCharsMax = 4000;

/** The mail that tells a person about a pause. */
export function mailOfNotice({ id, occasion, target }: PauseNotification, about: Occasion): MailMessage {
  const { title } = about.display;
  const subject = `${occasion.startsWith('reminder') ? 'Reminder: ' : ''}${title}`;
  return { id, to: target, subject, text: textOf(about) };
}

function textOf({ display, workflowName, rootId, uiUrl, expiresAt }: Occasion): string {
  const { title, message } = display;
  const excerpt = cutText(message, messageCharsMax, ' …');
  return [
    title,
    ...(excerpt ? ['', excerpt] : []),
    '',
    `Answer here: ${uiUrl}`,
    'The link is yours alone: whoever has it can answer in your name.',
    ...(expiresAt ? [`It can be answered until ${expiresAt.toISOString()}.`] : []),
    '',
    `Workflow ${workflowName}, run ${rootId}`,
  ].join('\n');
}
