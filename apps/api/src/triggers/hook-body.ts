import { Busboy } from '@fastify/busboy';
import { Invalid } from '#libs/platform/errors/errors';
import type { Json, JsonObject } from '#libs/platform/json/json';
import { decodeText, namelessPart, parseForm } from '../http/form-body.ts';
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
  const text = decodeText(bytes);
  if (type === 'application/x-www-form-urlencoded') return toFields(parseForm(text));
  const isJson = /^[\w.+-]+\/([\w.+-]+\+)?json$/.test(type) || (type === '' && /^\s*[[{]/.test(text));
  return isJson ? (parseJsonBody(bytes, { asText: true }) as Json) : text;
}

/** True for a form that may hold files, which no text is. */
export const isMultipart = (contentType: string | null): boolean =>
  toMediaType(contentType) === 'multipart/form-data';

const toMediaType = (contentType: string | null) => contentType?.split(';')[0]?.trim().toLowerCase() ?? '';

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
  const broken = () => Invalid.field('', 'is no complete multipart/form-data body', 'multipart');
  let taken = 0;
  return new Promise((resolve, reject) => {
    const add = (name: string | undefined, value: Json, ...texts: string[]) => {
      if (name === undefined) return reject(namelessPart());
      // The parser puts U+FFFD in place of bytes that are not UTF-8.
      if ([name, ...texts].some((text) => text.includes('\ufffd') && !bytes.includes(text)))
        return reject(Invalid.field(name, 'must be text in UTF-8', 'encoding'));
      form.set(name, [...(form.get(name) ?? []), value]);
      taken += 1;
    };
    try {
      const limits = { files: 100, fields: 1000, parts: 1100, fieldSize: bytes.length };
      const parser = new Busboy({ headers: { 'content-type': contentType }, limits });
      parser.on('field', (name, value) => add(name, value, value));
      parser.on('file', (name, stream, filename, _, mimeType) => {
        const parts: Buffer[] = [];
        stream.on('data', (part: Buffer) => parts.push(part));
        stream.on('error', () => reject(broken()));
        stream.on('end', () => {
          const content = Buffer.concat(parts);
          const base64 = content.toString('base64');
          add(name, { filename: filename ?? '', mimeType, fileSize: content.length, base64 }, filename ?? '');
        });
      });
      parser.on('filesLimit', () => reject(Invalid.field('', 'must have at most 100 files', 'too_many')));
      parser.on('fieldsLimit', () => reject(Invalid.field('', 'must have at most 1000 fields', 'too_many')));
      parser.on('error', () => reject(broken()));
      // The parser skips a part without a Content-Disposition.
      parser.on('finish', () =>
        taken < countParts(bytes, contentType) ? reject(namelessPart()) : resolve(toFields(form)),
      );
      parser.end(bytes);
    } catch {
      reject(broken());
    }
  });
}

/** Counts the parts of a multipart body by the lines between them. The last line ends the body. */
function countParts(bytes: Buffer, contentType: string): number {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? [];
  return `\r\n${bytes.toString('latin1')}`.split(`\r\n--${quoted ?? plain}`).length - 2;
}
