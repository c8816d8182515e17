import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Download } from '#libs/sdk/src/download';
import { Holdfast, type LogEntry } from '#libs/sdk/src/holdfast';
import { UsageError } from './exit.ts';
import { type ConnectionOptions, findProfile } from './profiles.ts';
import { safeText, type Terminal } from './terminal.ts';

/** Options that every command takes. */
export interface GlobalOptions extends ConnectionOptions {
  json?: boolean;
  verbose?: boolean;
}

/** Everything that a command works with: the client, the terminal, and the form of results. */
export class CommandSession {
  private constructor(
    readonly terminal: Terminal,
    readonly options: GlobalOptions,
    readonly client: Holdfast,
    readonly url: string,
    private readonly knownWorkspace: string | undefined,
  ) {}

  static async open(terminal: Terminal, options: GlobalOptions): Promise<CommandSession> {
    const { url, apiKey, workspaceId } = await findProfile(options, terminal.env);
    const client = buildClient(terminal, options, { url, apiKey, ...(workspaceId ? { workspaceId } : {}) });
    return new CommandSession(terminal, options, client, url, workspaceId);
  }

  /** The named workspace, or the only workspace of the key. */
  async workspaceId(): Promise<string> {
    if (this.knownWorkspace) return this.knownWorkspace;
    const workspaces = await this.client.workspaces.list().toArray();
    const [only, other] = workspaces;
    if (only && !other) return only.id;
    const names = workspaces.map(({ id, name }) => `${id} (${name})`).join(', ');
    throw new UsageError(`The key reaches several workspaces; name one with --workspace: ${names}.`);
  }

  /** Shows a result: as JSON when that is asked for, else as text for people. */
  show(value: unknown, text: () => string): void {
    this.terminal.out(this.options.json ? `${JSON.stringify(value, null, 2)}\n` : text());
  }

  /** Tells the result. With --json, prints only the value. */
  done(value: unknown, sentence: string): void {
    this.show(value, () => `${safeText(sentence)}\n`);
  }

  /** Writes what is downloaded to a file, or to standard output without one. */
  async saveDownload({ stream }: Download, output: string | undefined, what: string): Promise<void> {
    const source = Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]);
    if (output === undefined) {
      for await (const chunk of source) this.terminal.out(Buffer.from(chunk).toString('utf8'));
      return;
    }
    await pipeline(source, createWriteStream(output));
    this.done({ output }, `${what} is exported to ${output}.`);
  }

  /** Asks before something is done that cannot be taken back. `--yes` answers in advance. */
  async confirm(question: string, isSure: boolean | undefined): Promise<void> {
    if (isSure) return;
    if (!this.terminal.isInteractive)
      throw new UsageError(`${question} Give --yes to say so where no terminal is.`);
    const answer = await this.terminal.ask(`${question} (yes/no)`);
    if (!/^y(es)?$/i.test(answer)) throw new UsageError('Nothing was changed.');
  }
}

/** A client for one installation. With --verbose every request is told. */
export function buildClient(
  terminal: Terminal,
  { verbose }: GlobalOptions,
  { url, apiKey, workspaceId }: { url: string; apiKey: string; workspaceId?: string },
): Holdfast {
  const logger = ({ verb, url: to, message, attempt }: LogEntry) =>
    terminal.err(`${verb} ${to} (try ${attempt}): ${message}\n`);
  return new Holdfast({
    baseUrl: url,
    apiKey,
    ...(workspaceId ? { workspaceId } : {}),
    userAgent: 'holdfast-cli',
    ...(verbose ? { logger } : {}),
  });
}
