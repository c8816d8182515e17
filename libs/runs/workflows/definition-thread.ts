import { type Validated, validate } from '#libs/language/definition/checks/validate';
import { convertFile, workflowsNamedIn } from '#libs/import/import-file';
import type { ImportedWorkflow, ImportSource, Surroundings } from '#libs/import/report';
import { type Detail, Invalid } from '#libs/platform/errors/errors';

/** Work on a definition or a file, and its result, by its name. */
export interface DefinitionJobs {
  validate: { given: [input: unknown]; result: Validated };
  workflowsNamedIn: { given: [from: ImportSource, file: unknown]; result: string[] };
  convertFile: { given: [from: ImportSource, file: unknown, around: Surroundings]; result: ImportedWorkflow };
}

type JobName = keyof DefinitionJobs;

const jobs: {
  [Name in JobName]: (...given: DefinitionJobs[Name]['given']) => DefinitionJobs[Name]['result'];
} = {
  validate,
  workflowsNamedIn,
  convertFile,
};

/** Does the work in the current thread. */
export function runHere<Name extends JobName>(
  name: Name,
  given: DefinitionJobs[Name]['given'],
): DefinitionJobs[Name]['result'] {
  return jobs[name](...given);
}

/** The result of a thread, or the refusal of the input. An error loses its class on its way between threads. */
export type JobOutcome<Name extends JobName> =
  | { result: DefinitionJobs[Name]['result'] }
  | { message: string; details: Detail[] };

export default function runJob<Name extends JobName>({
  name,
  given,
}: {
  name: Name;
  given: DefinitionJobs[Name]['given'];
}): JobOutcome<Name> {
  try {
    return { result: runHere(name, given) };
  } catch (error) {
    if (error instanceof Invalid) return { message: error.message, details: error.details ?? [] };
    throw error;
  }
}
