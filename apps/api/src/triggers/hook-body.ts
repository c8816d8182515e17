import { Busboy } from '@fastify/busboy';
import { Invalid } from '#libs/platform/errors/errors';
import type { Json, JsonObject } from '#libs/platform/json/json';
import { parseForm } from '../http/form-body.ts';
import { parseJsonBody } from '../http/json-body.ts';

/**
 * Parses the body of a hook by its type: JSON, a form, a multipart form, or else a text. An empty body is null.
 * A file of a form is `{ filename, mimeType, fileSize, base64 }`. A whole number that would lose digits is its text, because no sender
 * changes what it sends. Throws `Invalid` for a body that is not what its type says.
 */
export async function parseHookBody(bytes: Buffer, contentType: string | null): Promise<Json> {
  if (bytes.length === 0) return null;
  if (isMultipart(contentType)) return parseMultipart(bytes, contentType ?? '');
  const type = toMediaType(contentType);
  const text = toText(bytes);
  if (type === 'application/x-www-form-urlencoded') return toFields(parseForm(text));
  const isJson = /^[\w.+-]+\/([\w.+-]+\+)?json$/.test(type) || (type === '' && /^\s*[[{]/.test(text));
  return isJson ? (parseJsonBody(bytes, { asText: true }) as Json) : text;
}

/** True for a form that may hold files, which no text is. */
export const isMultipart = (contentType: string | null): boolean =>
  toMediaType(contentType) === 'multipart/form-data';

const toMediaType = (contentType: string | null) => contentType?.split(';')[0]?.trim().toLowerCase() ?? '';

/** The text of a body. Throws when it is not UTF-8, or holds a character that no database stores. */
export function toText(bytes: Buffer): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // It is refused below.
  }
  throw Invalid.field('', 'must be text in UTF-8 without NUL characters', 'encoding');
}

/** One value of a name stands alone, several are a list. */
function toFields(form: ReadonlyMap<string, readonly Json[]>): JsonObject {
  return Object.fromEntries(
    [...form].map(([name, values]): [string, Json] => [
      name,
      values.length === 1 ? (values[0] ?? '') : [...values],
    ]),
  );
}

async function parseMultipart(bytes: Buffer, contentType: string): Promise<JsonObject> {
  const form = new Map<string, Json[]>();
  const add = (name: string, value: Json) => form.set(name, [...(form.get(name) ?? []), value]);
  const broken = () => Invalid.field('', 'is no complete multipart/form-data body', 'multipart');
  return new Promise((resolve, reject) => {
    try {
      const limits = { files: 100, fields: 1000, parts: 1100, fieldSize: bytes.length };
      const parser = new Busboy({ headers: { 'content-type': contentType }, limits });
      parser.on('field', add);
      parser.on('file', (name, stream, filename, _, mimeType) => {
        const parts: Buffer[] = [];
        stream.on('data', (part: Buffer) => parts.push(part));
        stream.on('error', () => reject(broken()));
        stream.on('end', () => {
          const content = Buffer.concat(parts);
          const base64 = content.toString('base64');
          add(name, { filename: filename ?? '', mimeType, fileSize: content.length, base64 });
        });
      });
      parser.on('filesLimit', () => reject(Invalid.field('', 'must have at most 100 files', 'too_many')));
      parser.on('fieldsLimit', () => reject(Invalid.field('', 'must have at most 1000 fields', 'too_many')));
      parser.on('error', () => reject(broken()));
      parser.on('finish', () => resolve(toFields(form)));
      parser.end(bytes);
    } catch {
      reject(broken());
    }
  });
}
