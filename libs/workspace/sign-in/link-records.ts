/** The kind of the records for sign-in links, and the lifetime of a link in seconds. */
export const linkKind = 'SignInLink';
export const linkLastsS = 3600;

/** The URL of a link. The token follows the `#`. Browsers do not send this part, so the token appears in no log. */
export function addressOfLink(publicUrl: string, token: string): string {
  return `${publicUrl}/console/sign-in#token=${token}`;
}
