import { client, type Schemas } from '../api/client.ts';
import { answersOf, type Drafts, type Faults, type FieldSpec } from '../forms/fields.ts';
import { texts } from '../texts.ts';

export type Question = Pick<Schemas['InboxItemView'], 'workflowId' | 'executionId' | 'contextId'>;

/** Sends an answer; files are kept with the execution first. Gives the faults of the form, of which none means that the answer is committed. */
export async function sendAnswer(
  { workflowId, executionId, contextId }: Question,
  fields: FieldSpec[],
  drafts: Drafts,
): Promise<Faults> {
  const { answers, faults } = answersOf(fields, drafts, texts.form);
  if (Object.keys(faults).length > 0) return faults;
  for (const [name, value] of Object.entries(answers)) {
    if (!(value instanceof File)) continue;
    const { files } = await client.pauses.uploadFiles(workflowId, executionId, contextId, { files: value });
    answers[name] = files[0];
  }
  await client.pauses.startAnswer(workflowId, executionId, contextId, { input: answers });
  return {};
}
