import { SMTPServer } from 'smtp-server';

export interface Letter {
  to: string;
  subject: string;
  messageId: string;
  text: string;
}

/** A mail server. While `refuse` is set, it answers that it is too busy. */
export class Mailbox {
  readonly letters: Letter[] = [];
  refuse = false;
  private constructor(
    private readonly server: SMTPServer,
    readonly url: string,
  ) {}

  static async start(): Promise<Mailbox> {
    const box: { mailbox?: Mailbox } = {};
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      onData(stream, session, done) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const { mailbox } = box;
          if (mailbox?.refuse) return done(Object.assign(new Error('busy'), { responseCode: 451 }));
          const letter = Buffer.concat(chunks).toString('utf8');
          for (const { address } of session.envelope.rcptTo) mailbox?.letters.push(letterOf(address, letter));
          done();
        });
      },
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    box.mailbox = new Mailbox(server, `smtp://127.0.0.1:${port}`);
    return box.mailbox;
  }

  to(address: string): Letter[] {
    return this.letters.filter((letter) => letter.to === address);
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}

function letterOf(to: string, raw: string): Letter {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim() ?? '';
  const body = rest.join('\r\n\r\n');
  const text = /quoted-printable/i.test(header('content-transfer-encoding')) ? unquoted(body) : body;
  return { to, subject: header('subject'), messageId: header('message-id'), text };
}

function unquoted(text: string): string {
  return text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}
