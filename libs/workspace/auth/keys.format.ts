import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const prefix = 'sk-holdfast-';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const bodyLength = 40;
const checksumLength = 6;

export const keyKinds = ['personal', 'workspace'] as const;
export type KeyKind = (typeof keyKinds)[number];
const letters: Record<KeyKind, string> = { personal: 'p', workspace: 'w' };

/** A new key value: prefix, a letter for its kind, 40 base62 characters (238 bits), 6 characters of checksum. */
export function mintKey(kind: KeyKind): string {
  const body = Array.from({ length: bodyLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return prefix + letters[kind] + body + checksum(letters[kind] + body);
}

/** The kind of a well-formed key, or null. The checksum finds typing errors and random strings before any look-up. */
export function kindOfKey(value: string): KeyKind | null {
  const match = /^sk-holdfast-([pw][0-9A-Za-z]{40})([0-9A-Za-z]{6})$/.exec(value);
  if (!match?.[1] || checksum(match[1]) !== match[2]) return null;
  return match[1].startsWith('p') ? 'personal' : 'workspace';
}

/** The part of a key that lists show: enough to tell two keys apart, too little to use. */
export function hintOfKey(value: string): string {
  return `${value.slice(0, prefix.length + 1)}...${value.slice(-4)}`;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let out = '';
  for (let i = 0; i < checksumLength; i++) {
    out = alphabet[rest % alphabet.length] + out;
    rest = Math.floor(rest / alphabet.length);
  }
  return out;
}
