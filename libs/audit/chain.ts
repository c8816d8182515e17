import { createHash } from 'node:crypto';
import pg from 'pg';
import { systemRole } from '#libs/database/policies';
import { sameBytes } from '#libs/secrets/crypto';
import { type Anchor, signedAnchor } from './anchor.ts';
import { forgetUpTo, leaveAnchor } from './audit-retention.ts';

export interface Verdict {
  workspaceId: string;
  entries: number;
  /** What is wrong, the first fault of the chain first; empty when it holds. */
  faults: string[];
}

interface Head {
  workspaceId: string;
  seq: string;
  hash: string;
  anchorSeq: string;
  anchorHash: string;
  anchorMac: string | null;
}

const page = 1000;

/** Proves the chains of an installation, leaves anchors, and deletes what is old. */
export class Chains {
  private constructor(
    private readonly client: pg.Client,
    private readonly secret: string,
  ) {}

  /** `asOwner` for `forget`, which no role may do. */
  static async open(databaseUrl: string, secret: string, { asOwner = false } = {}): Promise<Chains> {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    if (!asOwner) await client.query(`set role ${systemRole}`);
    return new Chains(client, secret);
  }

  close(): Promise<void> {
    return this.client.end();
  }

  /** Every chain of the workspaces, from its oldest kept entry to its head, and whether it goes through the anchors. */
  async verify(anchors: Anchor[] = []): Promise<Verdict[]> {
    // Heads and entries of one moment: others append meanwhile.
    await this.client.query('begin isolation level repeatable read read only');
    try {
      return await this.verifyAll(anchors);
    } finally {
      await this.client.query('commit');
    }
  }

  private async verifyAll(anchors: Anchor[]): Promise<Verdict[]> {
    const known = await this.heads();
    const missing = anchors.filter(
      ({ workspaceId }) => !known.some((head) => head.workspaceId === workspaceId),
    );
    const verdicts: Verdict[] = missing.map(({ workspaceId }) => ({
      workspaceId,
      entries: 0,
      faults: ['the chain is missing'],
    }));
    for (const head of known)
      verdicts.push(
        await this.verifyOne(
          head,
          anchors.filter(({ workspaceId }) => workspaceId === head.workspaceId),
        ),
      );
    return verdicts;
  }

  /** Where each chain ends now. Kept elsewhere, it shows later whether the end was cut or written anew. */
  async anchors(): Promise<Anchor[]> {
    return (await this.heads()).map(({ workspaceId, seq, hash }) =>
      this.signed(workspaceId, Number(seq), hash),
    );
  }

  /** Deletes entries from before the moment, and signs what the oldest that is left follows. As the owner of the schema. */
  async forget(before: Date): Promise<number> {
    let gone = 0;
    await this.client.query('begin');
    try {
      await this.client.query(`set local holdfast.audit_retention = 'on'`);
      for (const table of ['audit_entries', 'audit_heads'])
        await this.client.query(`alter table ${table} no force row level security`);
      const { rows } = await this.client.query<{ workspaceId: string; seq: string; hash: string }>(
        lastBefore,
        [before],
      );
      for (const { workspaceId, seq, hash } of rows) {
        const { mac } = this.signed(workspaceId, Number(seq), hash);
        await this.client.query(leaveAnchor, [workspaceId, seq, hash, mac]);
        gone += (await this.client.query(forgetUpTo, [workspaceId, seq])).rowCount ?? 0;
      }
      for (const table of ['audit_entries', 'audit_heads'])
        await this.client.query(`alter table ${table} force row level security`);
      await this.client.query('commit');
      return gone;
    } catch (error) {
      await this.client.query('rollback');
      throw error;
    }
  }

  private async verifyOne(head: Head, anchors: Anchor[]): Promise<Verdict> {
    const { workspaceId } = head;
    const anchorSeq = Number(head.anchorSeq);
    const faults: string[] = [];
    if (
      anchorSeq > 0 &&
      !this.isOurs({ workspaceId, seq: anchorSeq, hash: head.anchorHash, mac: head.anchorMac ?? '' })
    )
      faults.push(`the anchor at ${anchorSeq} was not left by this installation`);
    const forged = anchors.filter((anchor) => !this.isOurs(anchor));
    faults.push(...forged.map(({ seq }) => `the given anchor at ${seq} was not signed by this installation`));
    const hashes = new Map<number, string>([[anchorSeq, head.anchorHash]]);
    const wanted = new Set(anchors.map(({ seq }) => seq));
    let [seq, hash, entries]: [number, string, number] = [anchorSeq, head.anchorHash, 0];
    for await (const row of this.entries(workspaceId)) {
      faults.push(...faultsOf(row, seq, hash));
      [seq, hash, entries] = [Number(row.seq), row.hash, entries + 1];
      if (wanted.has(seq)) hashes.set(seq, hash);
    }
    if (seq !== Number(head.seq) || hash !== head.hash)
      faults.push(`the chain ends at ${seq}, and its head says ${head.seq}`);
    for (const anchor of anchors)
      if (anchor.seq >= anchorSeq && anchor.seq > 0 && hashes.get(anchor.seq) !== anchor.hash)
        faults.push(`entry ${anchor.seq} is not the one of the given anchor`);
    return { workspaceId, entries, faults };
  }

  private async *entries(workspaceId: string): AsyncGenerator<Row> {
    let after = '-1';
    for (;;) {
      const { rows } = await this.client.query<Row>(pageOf, [workspaceId, after, page]);
      yield* rows;
      const last = rows.at(-1);
      if (!last || rows.length < page) return;
      after = last.seq;
    }
  }

  private async heads(): Promise<Head[]> {
    return (await this.client.query<Head>(headsOf)).rows;
  }

  private signed(workspaceId: string, seq: number, hash: string): Anchor {
    return signedAnchor(this.secret, { workspaceId, seq, hash });
  }

  private isOurs({ workspaceId, seq, hash, mac }: Anchor): boolean {
    return sameBytes(mac, this.signed(workspaceId, seq, hash).mac);
  }
}

interface Row {
  seq: string;
  hash: string;
  body: string;
  createdAt: Date;
}

function faultsOf({ seq, hash, body, createdAt }: Row, before: number, previous: string): string[] {
  const place = Number(seq);
  if (place !== before + 1) return [`entry ${before + 1} is missing`];
  const computed = createHash('sha256').update(Buffer.from(previous, 'hex')).update(body).digest('hex');
  if (computed !== hash) return [`entry ${place} is not what was appended`];
  const said = JSON.parse(body) as { seq: number; createdAt: string };
  if (said.seq !== place || said.createdAt !== createdAt.toISOString())
    return [`entry ${place} stands in another place or time than it says`];
  return [];
}

const headsOf = /* sql */ `
select workspace_id as "workspaceId", seq, encode(hash, 'hex') as hash, anchor_seq as "anchorSeq",
  encode(anchor_hash, 'hex') as "anchorHash", anchor_mac as "anchorMac" from audit_heads order by 1`;

const pageOf = /* sql */ `
select seq, encode(hash, 'hex') as hash, body::text as body, created_at as "createdAt" from audit_entries
where workspace_id = $1 and seq > $2 order by seq limit $3`;

const lastBefore = /* sql */ `
select distinct on (workspace_id) workspace_id as "workspaceId", seq, encode(hash, 'hex') as hash from audit_entries
where created_at < $1 order by workspace_id, seq desc`;
