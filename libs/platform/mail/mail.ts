import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import { Settings } from '#libs/platform/settings/settings';
import { cutText } from '#libs/platform/text/whole-text';

const timeoutMs = 15_000;
const subjectCharsMax = 200;

/** A mail to one person, as plain text. */
export interface MailMessage {
  /** A repeated mail has the same id, so that a mailbox can recognise it. */
  id: string;
  to: string;
  subject: string;
  text: string;
}

/** Sends mails through the mail server of the operator. */
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

  /** Throws when the server does not take the mail. Does nothing while no server is configured. */
  async sendMail({ id, to, subject, text }: MailMessage): Promise<void> {
    await this.transport?.sendMail({
      from: this.from,
      // As an object, the address is not parsed as a list of addresses.
      to: { name: '', address: to },
      subject: cutText(subject.replace(/\s+/g, ' '), subjectCharsMax),
      text,
      messageId: `<${id}@holdfast>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  /** Connects and logs in, and sends nothing. Throws when the server refuses. */
  async verify(): Promise<void> {
    await this.transport?.verify();
  }

  onModuleDestroy(): void {
    this.transport?.close();
  }
}
