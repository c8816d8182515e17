import type { MailMessage } from '#libs/platform/mail/mail';
import type { PauseNotification, Occasion, TriggerNotification } from '#libs/runs/pauses/notifications';
import type { SwitchedOffTrigger } from '#libs/triggers/switched-off';
import { cutText } from '#libs/platform/text/whole-text';

const messageCharsMax = 4000;

/** The mail that tells a person about a pause. */
export function mailOfNotice({ id, occasion, target }: PauseNotification, about: Occasion): MailMessage {
  const { title } = about.display;
  const subject = `${occasion.startsWith('reminder') ? 'Reminder: ' : ''}${title}`;
  return { id, to: target, subject, text: textOf(about) };
}

/** The mail that tells a person about a trigger that was switched off. */
export function mailOfTrigger(
  { id, target }: TriggerNotification,
  { name, workflowName, reason, consoleUrl }: SwitchedOffTrigger,
): MailMessage {
  const text = [
    `The trigger "${name}" of the workflow "${workflowName}" was switched off, and starts nothing more.`,
    '',
    `Why: ${reason}`,
    '',
    'What to do: give the sender the secret of the trigger, or rotate the secret or the address when a stranger may know them.',
    'Then resume the trigger. What came meanwhile is in its log, and can be replayed.',
    '',
    `Resume it here: ${consoleUrl}`,
  ].join('\n');
  return { id, to: target, subject: `Trigger switched off: ${name}`, text };
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
