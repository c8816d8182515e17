import { keyedHash } from '#libs/platform/crypto/crypto';

/** A point of a chain that was true at some time, which only this installation can have signed. */
export interface Anchor {
  workspaceId: string;
  seq: number;
  hash: string;
  /** When its entry was appended; absent in anchors from before this was exported. */
  createdAt?: string;
  mac: string;
}

/** The point with the signature of the installation that has the secret. It shows what there was, and allows nobody to delete it. */
export function signedAnchor(secret: string, point: Omit<Anchor, 'mac'>): Anchor {
  return { ...point, mac: keyedHash(secret, 'audit-anchor', textOf(point)) };
}

/** The signature of retention under what it deletes: the chain begins behind this point from then on. */
export function retentionMac(secret: string, point: Omit<Anchor, 'mac'>): string {
  return keyedHash(secret, 'audit-retention', textOf(point));
}

function textOf({ workspaceId, seq, hash, createdAt }: Omit<Anchor, 'mac'>): string {
  return [workspaceId, seq, hash, ...(createdAt === undefined ? [] : [createdAt])].join(' ');
}

/** The anchors among lines of text: those of an export, and those that workers write into their log, where other lines stand between them. */
export function anchorsOf(text: string): Anchor[] {
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
