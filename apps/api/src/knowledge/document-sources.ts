import type { ApiBodyOptions } from '@nestjs/swagger';
import { toMediaType } from '#libs/knowledge/parsing/kinds';
import { Invalid, toUnknownField } from '#libs/platform/errors/errors';
import { computeDigest } from '#libs/platform/files/files';
import type { NewDocument } from '#libs/knowledge/bases/documents';
import { sourceOfUrl } from '#libs/knowledge/bases/source-url';
import { parseJsonBody } from '../http/json-body.ts';
import { Upload } from '../http/upload-body.ts';
import { readShape } from '../http/validation.ts';
import { AddDocumentBody } from './documents.dto.ts';

const filesNote = 'One to twenty files, each of 100 MB at most, in fields of any name.';

/** The body of a call that adds documents, for the description of the API: JSON, or multipart. */
export const addBody: ApiBodyOptions = {
  description:
    'JSON with `text` and `filename`, or with `url`. Or files as multipart/form-data, with `tags` as JSON for all files.',
  schema: {
    type: 'object',
    properties: {
      workspaceId: {
        type: 'string',
        description: 'The id of the workspace. It may be left out when the key reaches only one.',
      },
      text: { type: 'string', description: 'The text of the document.' },
      url: { type: 'string', description: 'The URL from which a worker fetches the document.' },
      filename: {
        type: 'string',
        description:
          'The name of the document. For a URL it may be left out: the last part of the path is the name.',
      },
      tags: { description: 'Values by tag name. The knowledge base defines the tags.' },
      file: { type: 'string', format: 'binary', description: filesNote },
    },
  },
};

/** The documents in a JSON or multipart body. Throws `Invalid` for unknown, missing or wrong members. */
export async function parseDocuments(body: unknown): Promise<NewDocument[]> {
  if (body instanceof Upload) return parseFiles(body);
  const { text, url, filename, tags } = await readShape(AddDocumentBody, body);
  if ((text === undefined) === (url === undefined))
    throw Invalid.field('', 'must have either text or url', 'required');
  if (url !== undefined) return [{ source: sourceOfUrl(url, filename), tags }];
  if (filename === undefined) throw Invalid.field('filename', 'is required', 'required');
  const content = Buffer.from(text ?? '');
  const mimeType = toMediaType(filename);
  const file = { content, filename, mimeType, size: content.length, sha256: computeDigest(content) };
  return [{ source: { file }, tags }];
}

function parseFiles({ files, fields }: Upload): NewDocument[] {
  const unknown = Object.keys(fields).filter((name) => name !== 'tags');
  if (unknown.length > 0) throw new Invalid(unknown.map((path) => toUnknownField(path, ['file', 'tags'])));
  if (files.length === 0) throw Invalid.field('file', 'is required', 'required');
  const tags = parseTags(fields['tags']);
  return files.map(({ path, filename, mimeType, size, sha256 }) => ({
    source: { file: { content: { path }, filename, mimeType, size, sha256 } },
    tags,
  }));
}

function parseTags(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined;
  const value = parseJsonBody(Buffer.from(text === '' ? ' ' : text));
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw Invalid.field('tags', 'must be a JSON object', 'type');
}

/** The fingerprint of a call, to recognise a repetition: names, tags and contents. A digest replaces the bytes. */
export function buildFingerprint(documents: readonly NewDocument[]): object[] {
  return documents.map(({ source, tags = {} }) =>
    'url' in source
      ? { url: source.url, filename: source.filename, tags }
      : { filename: source.file.filename, sha256: source.file.sha256.toString('hex'), tags },
  );
}
