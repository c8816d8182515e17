import type { Json } from '#libs/platform/json/json';
import { literal } from './cel-text.ts';
import { NotMapped } from './report.ts';
import { clip } from './values.ts';

/** A stretch of text, or a template in its place. */
export type JsonPart = { text: string } | { hole: string };

/** Text that would be JSON once its templates have values, as JSON with templates for texts. Throws NotMapped for anything else. */
export function parseJson(parts: JsonPart[]): Json {
  const [only] = parts;
  if (parts.length === 1 && only && 'hole' in only) return only.hole;
  let written = '';
  let quoted = false;
  for (const part of parts) {
    if ('hole' in part) {
      const text = JSON.stringify(part.hole);
      written += quoted ? text.slice(1, -1) : text;
    } else {
      written += literal(part.text);
      quoted = endsQuoted(part.text, quoted);
    }
  }
  try {
    const parsed: Json = JSON.parse(written);
    return parsed;
  } catch {
    throw new NotMapped(`This is no JSON: "${clip(written)}".`);
  }
}

function endsQuoted(text: string, quoted: boolean): boolean {
  let inside = quoted;
  for (let at = 0; at < text.length; at++) {
    if (inside && text.charAt(at) === '\\') at++;
    else if (text.charAt(at) === '"') inside = !inside;
  }
  return inside;
}
