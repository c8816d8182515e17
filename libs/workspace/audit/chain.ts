import pg from 'pg';
import { readClockMs } from '#libs/platform/clock/database-clock';
import { systemRole } from '#libs/platform/database/policies';
import { sameBytes } from '#libs/platform/crypto/crypto';
import { type Anchor, signedAnchor } from './anchor.ts';
import { anchorValues, beginColumns, forgetUpTo, isOurBegin, leaveAnchor, type Point } from './begin.ts';
import { type Evidence, type Head, type ChainLink, Proof } from './proof.ts';

export interface Verdict {
  workspaceId: string;
  entries: number;
  /** The faults of the chain, in its order; empty when the chain is intact. */
  faults: string[];
}

const page = 1000;

/** Verifies the audit chains of an installation, exports anchors, and deletes old entries. */
export class Chains {
  private constructor(
    private readonly client: pg.Client,
    private readonly secret: string,
  ) {}

  /** Connects. `forget` needs `asOwner`, because only the owner of the schema may delete entries of any age. */
  static async open(databaseUrl: string, secret: string, { asOwner = false } = {}): Promise<Chains> {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    if (!asOwner) await client.query(`set role ${systemRole}`);
    return new Chains(client, secret);
  }

  close(): Promise<void> {
    return this.client.end();
  }

  /**
   * Verifies each chain from its oldest kept entry to its head, and that it contains the given anchors. Entries may be missing at
   * the begin of a chain if they are older than `retentionMs`; with null none may be missing.
   */
  async verify(anchors: Anchor[] = [], retentionMs: number | null = null): Promise<Verdict[]> {
    // Others append during the check, so heads and entries must come from one snapshot.
    await this.client.query('begin isolation level repeatable read read only');
    try {
      return await this.verifyAll(anchors, retentionMs);
    } finally {
      await this.client.query('commit');
    }
  }

  private async verifyAll(anchors: Anchor[], retentionMs: number | null): Promise<Verdict[]> {
    const input = new Map<string, Anchor[]>(anchors.map(({ workspaceId }) => [workspaceId, []]));
    for (const anchor of anchors) input.get(anchor.workspaceId)?.push(anchor);
    const { rows: heads } = await this.client.query<Head>(everyChain);
    const known = new Set(heads.map(({ workspaceId }) => workspaceId));
    const missing = [...input.keys()].filter((workspaceId) => !known.has(workspaceId));
    const verdicts: Verdict[] = missing.map((workspaceId) => ({
      workspaceId,
      entries: 0,
      faults: ['the chain is missing'],
    }));
    for (const head of heads)
      verdicts.push(
        await this.verifyOne(head, {
          secret: this.secret,
          anchors: input.get(head.workspaceId) ?? [],
          retentionMs,
        }),
      );
    return verdicts;
  }

  private async verifyOne(head: Head, evidence: Evidence): Promise<Verdict> {
    const { workspaceId } = head;
    const proof = new Proof(head, evidence);
    for await (const link of this.links(workspaceId)) proof.next(link);
    const faults = proof.end();
    return { workspaceId, entries: proof.entries, faults };
  }

  /** Signed anchors of the current end of each chain. Kept elsewhere, they later show whether the end was deleted or rewritten. */
  async anchors(): Promise<Anchor[]> {
    const { rows } = await this.client.query<AuditChainEnd>(endsAfter, ['', null]);
    return rows.map((end) => anchorOfEnd(this.secret, end));
  }

  /**
   * Deletes the entries from before this time, as the owner of the schema, and signs the last deleted entry of each chain. A chain
   * whose anchor this installation did not sign stays as it is, and its workspace is in `refused`.
   */
  async forget(before: Date): Promise<{ deleted: number; refused: string[] }> {
    await this.client.query('begin');
    try {
      await this.client.query(`set local holdfast.audit_retention = 'on'`);
      for (const table of ['audit_entries', 'audit_heads'])
        await this.client.query(`alter table ${table} no force row level security`);
      const outcome = await this.forgetAll(before);
      for (const table of ['audit_entries', 'audit_heads'])
        await this.client.query(`alter table ${table} force row level security`);
      await this.client.query('commit');
      return outcome;
    } catch (error) {
      await this.client.query('rollback');
      throw error;
    }
  }

  private async forgetAll(before: Date): Promise<{ deleted: number; refused: string[] }> {
    const outcome = { deleted: 0, refused: [] as string[] };
    const { rows } = await this.client.query<Point & Head>(lastBefore, [before]);
    for (const row of rows) {
      if (!isOurBegin(this.secret, row.workspaceId, row)) outcome.refused.push(row.workspaceId);
      else {
        await this.client.query(leaveAnchor, anchorValues(this.secret, row));
        outcome.deleted += (await this.client.query(forgetUpTo, [row.workspaceId, row.seq])).rowCount ?? 0;
      }
    }
    return outcome;
  }

  /**
   * Signs old anchors of retention again. Older releases signed them like exported anchors, so anybody with an exported anchor could
   * have written them. The caller vouches that retention left them. Resolves to the new anchors.
   */
  async renew(): Promise<{ workspaceId: string; seq: number }[]> {
    const { rows } = await this.client.query<Head>(begunChains);
    const old = rows.filter(({ workspaceId, anchorSeq, anchorHash: hash, anchorMac }) => {
      const { mac } = signedAnchor(this.secret, { workspaceId, seq: Number(anchorSeq), hash });
      return sameBytes(anchorMac ?? '', mac);
    });
    const createdAt = new Date(readClockMs());
    for (const { workspaceId, anchorSeq: seq, anchorHash: hash } of old)
      await this.client.query(leaveAnchor, anchorValues(this.secret, { workspaceId, seq, hash, createdAt }));
    return old.map(({ workspaceId, anchorSeq }) => ({ workspaceId, seq: Number(anchorSeq) }));
  }

  private async *links(workspaceId: string): AsyncGenerator<ChainLink> {
    let after = '-1';
    for (;;) {
      const { rows } = await this.client.query<ChainLink>(pageOf, [workspaceId, after, page]);
      yield* rows;
      const last = rows.at(-1);
      if (!last || rows.length < page) return;
      after = last.seq;
    }
  }
}

/** The end of a chain, and the time of its last entry. */
export interface AuditChainEnd {
  workspaceId: string;
  seq: string;
  hash: string;
  createdAt: Date | null;
}

export function anchorOfEnd(secret: string, { workspaceId, seq, hash, createdAt }: AuditChainEnd): Anchor {
  const when = createdAt === null ? {} : { createdAt: createdAt.toISOString() };
  return signedAnchor(secret, { workspaceId, seq: Number(seq), hash, ...when });
}

/** Every chain. A chain without a head or without entries is included, because somebody must have deleted them. */
const everyChain = /* sql */ `
select w.id as "workspaceId", h.seq, coalesce(encode(h.hash, 'hex'), '') as hash, ${beginColumns}
from (select workspace_id as id from audit_heads union select workspace_id from audit_entries union select id from workspaces) w
left join audit_heads h on h.workspace_id = w.id order by 1`;

const begunChains = /* sql */ `
select h.workspace_id as "workspaceId", ${beginColumns} from audit_heads h where h.anchor_seq > 0 and h.anchor_at is null order by 1`;

/** The ends of the chains, by workspace. $1 id of the last workspace before, $2 limit */
export const endsAfter = /* sql */ `
select h.workspace_id as "workspaceId", h.seq, encode(h.hash, 'hex') as hash, coalesce(e.created_at, h.anchor_at) as "createdAt"
from audit_heads h left join audit_entries e on e.workspace_id = h.workspace_id and e.seq = h.seq
where h.seq > 0 and h.workspace_id > $1 order by 1 limit $2`;

const pageOf = /* sql */ `
select seq, encode(hash, 'hex') as hash, body::text as body, created_at as "createdAt" from audit_entries
where workspace_id = $1 and seq > $2 order by seq limit $3`;

const lastBefore = /* sql */ `
select distinct on (e.workspace_id) e.workspace_id as "workspaceId", e.seq, encode(e.hash, 'hex') as hash,
  e.created_at as "createdAt", ${beginColumns}
from audit_entries e join audit_heads h on h.workspace_id = e.workspace_id
where e.created_at < $1 order by e.workspace_id, e.seq desc`;
