import { keyedHash } from '#libs/secrets/crypto';

/** A point of a chain that was true at some time, which only this installation can have signed. */
export interface Anchor {
  workspaceId: string;
  seq: number;
  hash: string;
  mac: string;
}

/** The point with the signature of the installation that has the secret. */
export function signedAnchor(secret: string, point: Omit<Anchor, 'mac'>): Anchor {
  const { workspaceId, seq, hash } = point;
  return { ...point, mac: keyedHash(secret, 'audit-anchor', `${workspaceId} ${seq} ${hash}`) };
}
