/*
 * Addresses as texts. `URL` writes a query anew when it adds to it, and changes quotes and a lone `?` when it reads it. Both break
 * the signature of an address, so these functions leave alone what its author wrote.
 */

/** The query as it is sent: as its author wrote it, but for what cannot stand in an address. `url` is the address, parsed. */
export function toSentQuery(address: string, { search }: URL): string {
  const [front = ''] = address
    .trim()
    .replaceAll(/[\t\n\r]/g, '')
    .split('#', 1);
  const at = front.indexOf('?');
  if (at < 0) return search;
  return front
    .slice(at)
    .toWellFormed()
    .replaceAll(/[^\x21-\x7e]|["<>]/gu, (character) => encodeURIComponent(character));
}

/** The address with these pairs behind its own query. */
export function appendQuery(address: string, pairs: [name: string, value: string][]): string {
  if (pairs.length === 0) return address;
  const whole = address.trim();
  const [front = ''] = whole.split('#', 1);
  const between = front.includes('?') ? '&' : '?';
  const isOpen = /[?&]$/.test(front);
  return `${front}${isOpen ? '' : between}${new URLSearchParams(pairs)}${whole.slice(front.length)}`;
}

/** The address with a further path, such as `/models`, before its query. */
export function appendPath(address: string, path: string): string {
  const at = address.search(/[?#]|$/);
  let front = address.slice(0, at);
  while (front.endsWith('/')) front = front.slice(0, -1);
  return front + path + address.slice(at);
}
