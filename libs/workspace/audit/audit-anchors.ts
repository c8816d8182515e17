import { Injectable, Logger } from '@nestjs/common';
import { Database } from '#libs/platform/database/database';
import { Settings } from '#libs/platform/settings/settings';
import { anchorOfEnd, type AuditChainEnd, endsAfter } from './chain.ts';

const page = 1000;
/** Each chain gets a line at least once a day. So a log store that keeps lines for some days has an anchor of every chain. */
const rewriteAfterMs = 86_400_000;

/**
 * Writes signed anchors into the log of the process. The log leaves the machine, so a later change of the database cannot change
 * them. Each process keeps in memory which anchors it has written, because the anchors exist to check the database.
 */
@Injectable()
export class AuditAnchors {
  private readonly log = new Logger(AuditAnchors.name);
  private readonly written = new Map<string, { end: string; at: number }>();

  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /**
   * Writes a line for each chain that has grown since this process last wrote its line, and for each without a line for a day.
   * Resolves to the number of lines.
   */
  async writeDueAnchors(): Promise<number> {
    let lines = 0;
    for (let after = ''; ;) {
      const ends = await this.database.system<AuditChainEnd>(endsAfter, [after, page]);
      for (const end of ends) if (this.isDue(end)) lines += this.write(end);
      const last = ends.at(-1);
      if (!last || ends.length < page) return lines;
      after = last.workspaceId;
    }
  }

  private isDue({ workspaceId, seq, hash }: AuditChainEnd): boolean {
    const before = this.written.get(workspaceId);
    return before?.end !== `${seq} ${hash}` || performance.now() - before.at > rewriteAfterMs;
  }

  private write(end: AuditChainEnd): number {
    this.log.log({ msg: 'audit anchor', ...anchorOfEnd(this.settings.secret, end) });
    this.written.set(end.workspaceId, { end: `${end.seq} ${end.hash}`, at: performance.now() });
    return 1;
  }
}
