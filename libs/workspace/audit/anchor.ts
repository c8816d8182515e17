import { keyedHash } from '#libs/platform/crypto/crypto';

/** Proof that a chain had this entry at some time. Only this installation can have signed it. */
export interface Anchor {
  workspaceId: string;
  seq: number;
  hash: string;
  /** When its entry was appended, in ISO 8601. Absent in anchors of older exports. */
  createdAt?: string;
  mac: string;
}

/** Signs a point of a chain as an exported anchor. The signature proves that the entry existed. It does not allow retention to delete it. */
export function signedAnchor(secret: string, point: Omit<Anchor, 'mac'>): Anchor {
  return { ...point, mac: keyedHash(secret, 'audit-anchor', textOf(point)) };
}

/** Signs the last entry that retention deletes. The chain begins after this entry from then on. */
export function retentionMac(secret: string, point: Omit<Anchor, 'mac'>): string {
  return keyedHash(secret, 'audit-retention', textOf(point));
}

function textOf({ workspaceId, seq, hash, createdAt }: Omit<Anchor, 'mac'>): string {
  return [workspaceId, seq, hash, ...(createdAt === undefined ? [] : [createdAt])].join(' ');
}

/** Finds the anchors in lines of text: an export, or the log of a worker, which also has other lines. */
export function parseAnchors(text: string): Anchor[] {
  return text.split('\n').flatMap((line) => {
    const anchor = anchorOf(parsed(line));
    return anchor ? [anchor] : [];
  });
}

/** A collector of logs may write something before each line. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line.slice(Math.max(line.indexOf('{'), 0)));
  } catch {
    return null;
  }
}

function anchorOf(value: unknown): Anchor | null {
  if (typeof value !== 'object' || value === null) return null;
  const { workspaceId, seq, hash, createdAt, mac }: Partial<Record<keyof Anchor, unknown>> = value;
  if (typeof workspaceId !== 'string' || typeof seq !== 'number') return null;
  if (typeof hash !== 'string' || typeof mac !== 'string') return null;
  return { workspaceId, seq, hash, ...(typeof createdAt === 'string' ? { createdAt } : {}), mac };
}
