import type { FormField } from '#libs/language/definition/forms';
import type { JsonObject } from '#libs/platform/json/json';
import type { Detail } from '#libs/platform/errors/errors';
import type { NewFile } from '#libs/platform/files/files';
import { newId } from '#libs/platform/ids/ids';
import { Int, Text } from '../http/fields.ts';
import { Upload, type UploadedFile } from '../http/upload-body.ts';

/** The description of a file, which is the answer to a `file` field. */
export class AnswerFileView {
  @Text({ description: 'The id of the file. Send it in the answer as the value of the file field.' })
  id!: string;
  @Text({ description: 'The name of the file as it was uploaded.' }) name!: string;
  @Int({ description: 'The size of the file in bytes.' }) size!: number;
  @Text({ description: 'The media type that the sender declared.' }) type!: string;
  @Text({ description: 'The URL to download the file with a key.' }) url!: string;
}

export interface AnswerPlace {
  workflowId: string;
  executionId: string;
}

/** Files to store, and their descriptions in an answer, in the same order. */
export interface AnswerFiles {
  files: NewFile[];
  views: AnswerFileView[];
}

/** Chooses the ids of files that will belong to the execution, so that an answer can name them before they are stored. */
export function buildAnswerFiles(
  publicUrl: string,
  { workflowId, executionId }: AnswerPlace,
  uploaded: readonly UploadedFile[],
): AnswerFiles {
  const base = `${publicUrl}/api/workflows/${workflowId}/executions/${executionId}/files`;
  const withIds = uploaded.map((file) => ({ ...file, id: newId('file') }));
  return {
    files: withIds.map(({ id, path, filename, mimeType, size, sha256 }) => ({
      id,
      content: { path },
      filename,
      mimeType,
      size,
      sha256,
    })),
    views: withIds.map(({ id, filename: name, size, mimeType: type }) => ({
      id,
      name,
      size,
      type,
      url: `${base}/${id}`,
    })),
  };
}

/** The files of a posted page, by field. A browser sends an empty part for a field without a file. */
export function getFormFiles(fields: readonly FormField[], body: unknown): Map<string, UploadedFile> {
  return new Map(listChosen(fields, body).map((file) => [file.field, file]));
}

function listChosen(fields: readonly FormField[], body: unknown): UploadedFile[] {
  if (!(body instanceof Upload)) return [];
  const names = new Set(fields.filter(({ type }) => type === 'file').map(({ name }) => name));
  return body.files.filter(
    ({ field, size, filename }) => names.has(field) && (size > 0 || filename !== 'unnamed'),
  );
}

/** Returns a fault for each field of a posted page that has more files than the one that it takes. */
export function listRepeatedFiles(fields: readonly FormField[], body: unknown): Detail[] {
  const chosen = listChosen(fields, body).map(({ field }) => field);
  const repeated = new Set(chosen.filter((field, i) => chosen.indexOf(field) !== i));
  return [...repeated].map((name) => ({
    path: `input.${name}`,
    code: 'too_many',
    message: 'Please choose one file: this field takes no second one.',
  }));
}

/** Placeholders for files that are not stored yet, so that the answers can be checked. */
export function buildPlaceholders(files: ReadonlyMap<string, UploadedFile>): JsonObject {
  return Object.fromEntries([...files].map(([name, { filename }]) => [name, { name: filename }]));
}

/** Asks for the files again, beside other faults, because a page cannot give a file back. */
export function repeatFileFaults(files: ReadonlyMap<string, UploadedFile>): Detail[] {
  return [...files.keys()].map((name) => ({
    path: `input.${name}`,
    code: 'file',
    message: 'Please choose the file again.',
  }));
}
