/** The kind of the records of links, and how long one works, in seconds. */
export const linkKind = 'SignInLink';
export const linkLastsS = 3600;

/** The address of a link. The token stands behind the `#`, which browsers send to nobody: it is in no log. */
export function addressOfLink(publicUrl: string, token: string): string {
  return `${publicUrl}/console/sign-in#token=${token}`;
}
