/** The name of a host as URLs have it: in lower case, without a dot at its end. Null for a text that is no host alone. */
export function toHostName(text: string): string | null {
  const whole = `http://${text}/`;
  if (/[/?#@\\\s*]|:\d*$/.test(text.replace(/^\[.*\]$/, '')) || !URL.canParse(whole)) return null;
  return new URL(whole).hostname.replace(/\.$/, '') || null;
}
