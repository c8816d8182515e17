import { lineEnd, literalEnd } from './templates.ts';

/** The name that replaces `loop` in the library, where that is a reserved word. No block can have this id. */
export const loopAlias = '__loop';

/** The source with the name `loop` replaced; texts and member names stay as they are. */
export function withoutReserved(source: string): string {
  if (!source.includes('loop')) return source;
  let out = '';
  for (let at = 0; at < source.length; at++) {
    const char = source.charAt(at);
    if (char === '"' || char === "'") {
      const end = literalEnd(source, at);
      out += source.slice(at, end + 1);
      at = end;
    } else if (char === '/' && source[at + 1] === '/') {
      const end = lineEnd(source, at);
      out += source.slice(at, end);
      at = end - 1;
    } else if (/[A-Za-z_]/.test(char)) {
      const word = /^\w+/.exec(source.slice(at))?.[0] ?? char;
      out += word === 'loop' && !/\.\s*$/.test(out) ? loopAlias : word;
      at += word.length - 1;
    } else if (/\d/.test(char)) {
      const digits = /^\w+/.exec(source.slice(at))?.[0] ?? char;
      out += digits;
      at += digits.length - 1;
    } else out += char;
  }
  return out;
}
