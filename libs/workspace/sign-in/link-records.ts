/** The kind of the records of links, and how long one works, in seconds. */
export const linkKind = 'SignInLink';
export const linkLastsS = 3600;

/** Where a link leads. The token stands behind the `#`, which browsers send to nobody: it is in no log. */
export function addressOfLink(publicUrl: string, token: string): string {
  return `${publicUrl}/console/sign-in#token=${token}`;
}
