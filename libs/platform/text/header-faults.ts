/** Headers of the message frame and of the connection. Another value than the call's own allows request smuggling. */
const ours =
  /^(keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-length|expect|http2-settings|__proto__)$/i;

/** The name of a host or an address, with or without a port. */
const hostPattern = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Says why a call cannot send a header; undefined for one that it can send. Without a value it judges the name alone. */
export function findHeaderFault(name: string, value?: string): string | undefined {
  if (ours.test(name)) return `The header ${name} is for the call itself to set.`;
  const text = value?.trim();
  if (text === undefined) return undefined;
  if (/^host$/i.test(name) && !hostPattern.test(text))
    return 'The header Host must be the name of a host, with or without a port.';
  if (/^connection$/i.test(name) && !/^(close|keep-alive)$/i.test(text))
    return 'The header Connection must be close or keep-alive.';
  return undefined;
}
