/** Whether HTTP can carry the text as the value of a header: no line break, no control character, nothing beyond Latin-1. */
export function isSendable(value: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}
