import { sameBytes } from '#libs/platform/crypto/crypto';
import { retentionMac } from './anchor.ts';

/** The anchor in the head of a chain: the last entry that retention deleted. The oldest kept entry follows it. */
export interface Begin {
  /** 0 when nothing was deleted. */
  anchorSeq: string;
  anchorHash: string;
  anchorAt: Date | null;
  anchorMac: string | null;
}

export interface Point {
  workspaceId: string;
  seq: string;
  hash: string;
  createdAt: Date;
}

/** SQL columns for a `Begin`. `h` is a row of `audit_heads`, which may be missing in a left join. */
export const beginColumns = /* sql */ `
coalesce(h.anchor_seq, 0) as "anchorSeq", coalesce(encode(h.anchor_hash, 'hex'), '') as "anchorHash", h.anchor_at as "anchorAt", h.anchor_mac as "anchorMac"`;

/** True when the chain begins at its first entry, or after an entry that the retention of this installation deleted. */
export function isOurBegin(
  secret: string,
  workspaceId: string,
  { anchorSeq, anchorHash: hash, anchorAt, anchorMac }: Begin,
): boolean {
  if (anchorSeq === '0') return true;
  if (anchorAt === null) return false;
  const point = { workspaceId, seq: Number(anchorSeq), hash, createdAt: anchorAt.toISOString() };
  return sameBytes(anchorMac ?? '', retentionMac(secret, point));
}

/** The parameters of `leaveAnchor`, which makes the chain begin after this point. */
export function anchorValues(secret: string, { workspaceId, seq, hash, createdAt }: Point): unknown[] {
  const signed = { workspaceId, seq: Number(seq), hash, createdAt: createdAt.toISOString() };
  return [workspaceId, seq, hash, createdAt, retentionMac(secret, signed)];
}

export const leaveAnchor = /* sql */ `
update audit_heads set anchor_seq = $2, anchor_hash = decode($3, 'hex'), anchor_at = $4, anchor_mac = $5 where workspace_id = $1`;

export const forgetUpTo = /* sql */ `delete from audit_entries where workspace_id = $1 and seq <= $2`;
