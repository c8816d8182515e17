import { Injectable, Logger } from '@nestjs/common';
import { newId } from '#libs/platform/ids/ids';
import { Mail } from '#libs/platform/mail/mail';
import { SignInLinks } from '#libs/workspace/sign-in/links';
import { SignInMeter } from './sign-in-meter.ts';

/** Sends links to sign in. Nothing is stored, because a person whose mail is lost asks again. */
@Injectable()
export class SignInMails {
  private readonly log = new Logger(SignInMails.name);

  constructor(
    private readonly links: SignInLinks,
    private readonly mail: Mail,
    private readonly meter: SignInMeter,
  ) {}

  get configured(): boolean {
    return this.mail.configured;
  }

  /**
   * Sends a link to a known address, unless it got too many in this hour. Never fails, so that nobody learns whether
   * the address is known.
   */
  async sendLink(email: string): Promise<void> {
    if (!this.meter.allowsMail(email)) return;
    try {
      const url = await this.links.createMailLinkIfKnown(email);
      if (url === null) return;
      const text = `Open this link to sign in to Holdfast:\n\n${url}\n\nIt works once, within an hour. If you did not ask for it, delete this mail.`;
      await this.mail.sendMail({ id: newId('req'), to: email, subject: 'Sign in to Holdfast', text });
    } catch (error) {
      this.log.warn(`A mail with a sign-in link was not sent: ${String(error)}`);
    }
  }
}
