import type { FormField } from '#libs/language/definition/forms';
import type { JsonObject } from '#libs/platform/json/json';
import type { Detail } from '#libs/platform/errors/errors';
import type { NewFile } from '#libs/platform/files/files';
import { newId } from '#libs/platform/ids/ids';
import { Int, Text } from '../http/fields.ts';
import { Upload, type UploadedFile } from '../http/upload-body.ts';

/** The description of a file, which a `file` field takes as its answer. */
export class AnswerFileView {
  @Text({ description: 'The id of the file, which the answer gives as the value of its field.' }) id!: string;
  @Text({ description: 'The name that the file had where it came from.' }) name!: string;
  @Int({ description: 'Bytes of the file.' }) size!: number;
  @Text({ description: 'As its sender said.' }) type!: string;
  @Text({ description: 'Where it can be downloaded with a key.' }) url!: string;
}

export interface AnswerPlace {
  workflowId: string;
  executionId: string;
}

/** Files that are to be stored, and what an answer says of each, in the same order. */
export interface AnswerFiles {
  files: NewFile[];
  views: AnswerFileView[];
}

/** Chooses the ids of files that will belong to the execution, so that an answer can name them before it stores them. */
export function answerFilesOf(
  publicUrl: string,
  { workflowId, executionId }: AnswerPlace,
  uploaded: readonly UploadedFile[],
): AnswerFiles {
  const base = `${publicUrl}/api/workflows/${workflowId}/executions/${executionId}/files`;
  const named = uploaded.map((file) => ({ ...file, id: newId('file') }));
  return {
    files: named.map(({ id, path, filename, mimeType, size, sha256 }) => ({
      id,
      content: { path },
      filename,
      mimeType,
      size,
      sha256,
    })),
    views: named.map(({ id, filename: name, size, mimeType: type }) => ({
      id,
      name,
      size,
      type,
      url: `${base}/${id}`,
    })),
  };
}

/** The files of a posted page, by the fields that they answer. A browser sends an empty part for a field without a file. */
export function filesOfForm(fields: readonly FormField[], body: unknown): Map<string, UploadedFile> {
  if (!(body instanceof Upload)) return new Map();
  const names = new Set(fields.filter(({ type }) => type === 'file').map(({ name }) => name));
  const chosen = body.files.filter(
    ({ field, size, filename }) => names.has(field) && (size > 0 || filename !== 'unnamed'),
  );
  return new Map(chosen.map((file) => [file.field, file]));
}

/** Placeholders of files that are not stored yet, so that the answers can be checked with them. */
export function heraldsOf(files: ReadonlyMap<string, UploadedFile>): JsonObject {
  return Object.fromEntries([...files].map(([name, { filename }]) => [name, { name: filename }]));
}

/** A page cannot give a file back, so it is asked for once more beside the other faults. */
export function askedAgain(files: ReadonlyMap<string, UploadedFile>): Detail[] {
  return [...files.keys()].map((name) => ({
    path: `input.${name}`,
    code: 'file',
    message: 'Please choose the file again.',
  }));
}
