import { Injectable, Logger } from '@nestjs/common';
import { newId } from '#libs/platform/ids/ids';
import { Mail } from '#libs/platform/mail/mail';
import { SignInLinks } from '#libs/workspace/sign-in/links';
import { Users } from '#libs/workspace/auth/users';
import { SignInMeter } from './sign-in-meter.ts';

/** Sends links to sign in, and tells people when their ways to sign in have changed. Nothing is stored. */
@Injectable()
export class SignInMails {
  private readonly log = new Logger(SignInMails.name);

  constructor(
    private readonly links: SignInLinks,
    private readonly mail: Mail,
    private readonly meter: SignInMeter,
    private readonly users: Users,
  ) {}

  get configured(): boolean {
    return this.mail.configured;
  }

  /**
   * Sends a link to a known address, unless it got too many in this hour. Never fails, so that nobody learns whether
   * the address is known.
   */
  async sendLink(email: string, browserSecret: string): Promise<void> {
    if (!this.meter.allowsMail(email)) return;
    try {
      const url = await this.links.createMailLinkIfKnown(email, browserSecret);
      if (url === null) return;
      const text = `Open this link to sign in to Holdfast, in the browser in which you asked for it:\n\n${url}\n\nIt works once, within an hour. If you did not ask for it, delete this mail.`;
      await this.mail.sendMail({ id: newId('req'), to: email, subject: 'Sign in to Holdfast', text });
    } catch (error) {
      this.log.warn(`A mail with a sign-in link was not sent: ${String(error)}`);
    }
  }

  /** Tells the person by mail that a way to sign in was added or removed, such as `the passkey "Laptop"`. Nobody waits for it. */
  tellOfWay(userId: string, change: 'added' | 'removed', way: string): void {
    if (!this.configured) return;
    const [to, subject] = [this.users.getUser(userId), `A way to sign in was ${change}`];
    const text = `Your account of Holdfast has changed: ${way} was ${change}.\n\nIf this was not you, open your account in the console, remove the ways to sign in that you do not know, end all other sessions and revoke your keys. Then tell an admin.`;
    void to
      .then(({ email }) => this.mail.sendMail({ id: newId('req'), to: email, subject, text }))
      .catch((error: unknown) =>
        this.log.warn(`A mail about a way to sign in was not sent: ${String(error)}`),
      );
  }
}
