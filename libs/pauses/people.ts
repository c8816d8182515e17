import type { EntityManager } from 'typeorm';
import {
  type Approvals,
  approves,
  type Person,
  refusalFor,
  type Vote,
} from '#libs/definition/blocks/approvals';
import { Conflict, Denied } from '#libs/faults/faults';
import type { PausePoint, ResumeEntry } from './pause.entity.ts';
import { standIn, type DelegationRow } from './stand-ins.ts';

interface Member {
  id: string;
  email: string;
  role: string;
}

/** The person with a user id or an e-mail address in a workspace; one who is not a member has the address alone. */
export async function personOf(tx: EntityManager, workspaceId: string, name: string): Promise<Person> {
  const [member]: Member[] = await tx.query(findMember, [workspaceId, name]);
  const plain = name.toLowerCase();
  if (!member) return { id: plain, names: [plain] };
  const { id, email, role } = member;
  return { id, names: [id, email.toLowerCase()], role };
}

/** The votes that count, in the order of their commits. */
export function votesIn(
  entries: Pick<ResumeEntry, 'person' | 'answers' | 'status'>[],
  approvals: Approvals,
): Vote[] {
  return entries.flatMap(({ person, answers, status }) =>
    person && status !== 'failed' ? [{ person: person.id, approved: approves(approvals, answers) }] : [],
  );
}

/**
 * The person who answers and the votes so far, for a pause with approvals; null without. Throws when this person
 * may not answer.
 */
export async function requireMayAnswer(
  tx: EntityManager,
  { contextId, executionId, asking }: PausePoint,
  known: Person | undefined,
): Promise<{ person: Person; approvals: Approvals; votes: Vote[] } | null> {
  const approvals = asking?.approvals;
  if (!approvals) return null;
  const delegations: DelegationRow[] = await tx.query(findDelegations, [contextId]);
  const person = known && standIn(known, delegations);
  const entries: Pick<ResumeEntry, 'person' | 'answers' | 'status'>[] = await tx.query(findVotes, [
    contextId,
  ]);
  const [starter]: { id: string }[] = await tx.query(findStarter, [executionId]);
  const votes = votesIn(entries, approvals);
  const refusal = refusalFor(approvals, person, { starter: starter?.id, votes });
  if (refusal?.code === 'ALREADY_VOTED') throw new Conflict(refusal.message, refusal.code);
  if (refusal) throw new Denied(refusal.message, refusal.code);
  return person ? { person, approvals, votes } : null;
}

const findMember = /* sql */ `
select u.id, u.email, m.role from users u join memberships m on m.user_id = u.id
where m.workspace_id = $1 and (u.id = $2 or lower(u.email) = lower($2))`;

const findDelegations = 'select from_id, from_names, to_name from delegations where context_id = $1';

const findVotes = /* sql */ `
select person, resume_input as answers, status from resume_entries
where context_id = $1 and status <> 'failed' order by queued_at, id`;

const findStarter = /* sql */ `
select actor ->> 'id' as id from executions where id = $1 and actor ->> 'kind' = 'user'`;
