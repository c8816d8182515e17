import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import type { Notice, Occasion } from '#libs/pauses/notices';
import { Settings } from '#libs/settings/settings';

const timeoutMs = 15_000;
const messageCharsMax = 4000;

/** Sends mail through the operator's server, as plain text to one receiver each. */
@Injectable()
export class Mail implements OnModuleDestroy {
  private readonly transport: Transporter | null;
  private readonly from: string;

  constructor({ mail }: Settings) {
    const times = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
    this.transport = mail && createTransport({ url: mail.url, pool: true, maxConnections: 2, ...times });
    this.from = mail?.from ?? '';
  }

  get configured(): boolean {
    return this.transport !== null;
  }

  async send({ id, occasion, target }: Notice, about: Occasion): Promise<void> {
    const { title, message } = about.display;
    const subject = `${occasion.startsWith('reminder') ? 'Reminder: ' : ''}${oneLine(title)}`;
    await this.transport?.sendMail({
      from: this.from,
      // An address in an object is never parsed as a list of addresses.
      to: { name: '', address: target },
      subject,
      text: textOf(title, message, about),
      // A repetition has the same id, so that a mailbox can recognise it.
      messageId: `<${id}@holdfast>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  onModuleDestroy(): void {
    this.transport?.close();
  }
}

function textOf(
  title: string,
  message: string,
  { workflowName, rootId, uiUrl, expiresAt }: Occasion,
): string {
  const shown = message.length > messageCharsMax ? `${message.slice(0, messageCharsMax)} …` : message;
  return [
    title,
    ...(shown ? ['', shown] : []),
    '',
    `Answer here: ${uiUrl}`,
    'The link is yours alone: whoever has it can answer in your name.',
    ...(expiresAt ? [`It can be answered until ${expiresAt.toISOString()}.`] : []),
    '',
    `Workflow ${workflowName}, run ${rootId}`,
  ].join('\n');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 200);
}
