import type { Schemas } from '../api/client.ts';
import { pausesApi } from '../api/resources/pauses.ts';
import { answersOf, type Drafts, type FieldFaults, type FieldSpec } from '../forms/fields.ts';
import { textsOfRuns } from '../texts-of-runs.ts';

export type Question = Pick<Schemas['InboxItemView'], 'workflowId' | 'executionId' | 'contextId'>;

/**
 * Sends an answer, after its files are stored with the execution. Returns the faults of the form; none means that the
 * answer is committed.
 */
export async function sendAnswer(
  { workflowId, executionId, contextId }: Question,
  fields: FieldSpec[],
  drafts: Drafts,
): Promise<FieldFaults> {
  const { answers, faults } = answersOf(fields, drafts, textsOfRuns.form);
  if (Object.keys(faults).length > 0) return faults;
  for (const [name, value] of Object.entries(answers)) {
    if (!(value instanceof File)) continue;
    const { files } = await pausesApi.uploadFiles(workflowId, executionId, contextId, { files: value });
    answers[name] = files[0];
  }
  await pausesApi.startAnswer(workflowId, executionId, contextId, { input: answers });
  return {};
}
