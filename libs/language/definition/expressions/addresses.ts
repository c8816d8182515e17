/** A value that would change which address a template names. The message ends a sentence. */
export class AddressFault extends Error {}

/** A part of an address: what its author wrote, or the text of a value in it, which its expression may have encoded. */
export type AddressPiece = { text: string } | { value: string; isEncoded: boolean };

const dots = /^(\.|%2e){1,2}$/i;

/**
 * Joins the pieces of an address. A value stays one part of the path, of the query or of the host, because its `/`, `?`,
 * `#` and the like are encoded. Only a value at the beginning, which names the server, stays as it is. Throws
 * `AddressFault` for a value that would leave a part empty or be dots, since both name another path.
 */
export function joinAddress(pieces: AddressPiece[]): string {
  let address = '';
  let holdsValue = false;
  for (const [at, piece] of pieces.entries()) {
    if ('text' in piece) {
      for (const [i, part] of piece.text.split(/(?=[/?#\\])/).entries()) {
        if ((i > 0 || /^[/?#\\]/.test(part)) && holdsValue) {
          requirePart(address);
          holdsValue = false;
        }
        address += part;
      }
    } else if (address === '') address = requireBase(piece.value);
    else if (isInHost(address)) address += hostText(piece.value, address, pieces[at + 1]);
    else {
      holdsValue = isInPath(address);
      address += piece.isEncoded ? piece.value : encodeURIComponent(piece.value);
    }
  }
  if (holdsValue) requirePart(address);
  return address;
}

/** The text as several parts of a path. */
export function pathText(text: string): string {
  const parts = text.split('/');
  if (parts.some((part) => part === '' || dots.test(part)))
    throw new AddressFault('path() takes parts between slashes, of which none is empty or dots');
  return parts.map(encodeURIComponent).join('/');
}

const isInHost = (address: string) => /^[a-z][a-z\d+.-]*:\/\/[^/?#\\]*$/i.test(address);
const isInPath = (address: string) => !/[?#]/.test(address);

function requirePart(address: string): void {
  const part = address.slice(address.lastIndexOf('/') + 1);
  if (part === '') throw new AddressFault('a value leaves a part of the path empty');
  if (dots.test(part))
    throw new AddressFault('a value makes a part of the path dots, which lead to another path');
}

/** What follows a value is a path, so the value cannot have begun a query or a fragment. */
function requireBase(value: string): string {
  if (/[?#\\\s]/.test(value))
    throw new AddressFault(
      'the value before the path has a ?, # or space; write the whole address as one expression',
    );
  return value;
}

/** A name of a host, with or without a port. Anything else would lead to another server. */
function hostText(value: string, before: string, next: AddressPiece | undefined): string {
  if (value === '' && before.endsWith('/'))
    throw new AddressFault('a value leaves the name of the server empty');
  if (!/^([\w.-]*(:\d+)?|\[[\da-f:.]+\](:\d+)?)$/i.test(value))
    throw new AddressFault(
      'a value in the name of the server holds more than letters, digits, dots and minus; write the whole address as one expression',
    );
  const endsName = next === undefined || 'value' in next || /^[/?#\\:]/.test(next.text);
  if (value !== '' && endsName && /\w$/.test(before))
    throw new AddressFault(
      'a value directly behind the name of the server would name another; write a / before it',
    );
  return value;
}
