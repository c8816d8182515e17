import type { EntityManager } from 'typeorm';
import { send } from '#libs/platform/database/database';
import {
  type Approvals,
  type CastVote,
  castVote,
  type Person,
  type Refusal,
  refusalFor,
} from '#libs/language/definition/blocks/approvals';
import { objectOf } from '#libs/platform/json/json';
import { Conflict, Denied } from '#libs/platform/errors/errors';
import type { PausePoint, ResumeEntry } from './pause.entity.ts';
import { withDelegations, type DelegationRow } from './delegates.ts';

interface Known {
  /** Null for a guest. */
  id: string | null;
  email: string;
  /** Null for a former member. */
  role: string | null;
}

/**
 * The person with a user id or an e-mail address in a workspace. A member and a former member with the same address
 * are the same person, so joining and leaving gives nobody a second vote. A person who is not a member is known by
 * the address alone.
 */
export async function findPerson(tx: EntityManager, workspaceId: string, name: string): Promise<Person> {
  const rows = await send<Known>(tx, findPeople, [workspaceId, name]);
  const { id = null, email = name, role = null } = rows[0] ?? {};
  const own = [...rows.flatMap((one) => one.id ?? []), email];
  if (id === null) return { id: email, own, names: [email] };
  return role === null ? { id, own, names: [email] } : { id, own, names: [id, email], role };
}

/**
 * True when a link to this person has ended with their membership: the user id belongs to no member, or the address
 * was removed after the pause opened. A person who is asked by the address later is asked as a guest.
 */
export async function hasLeft(
  tx: EntityManager,
  { workspaceId, registeredAt }: Pick<PausePoint, 'workspaceId' | 'registeredAt'>,
  name: string,
): Promise<boolean> {
  const [row] = await send<{ left: boolean }>(tx, findLeft, [workspaceId, name, registeredAt]);
  return row?.left === true;
}

/** The votes that count, in the order of their commits. */
export function votesIn(
  entries: Pick<ResumeEntry, 'person' | 'answers' | 'status' | 'queuedAt'>[],
  approvals: Approvals,
): CastVote[] {
  return entries.flatMap(({ person, answers, status, queuedAt }) =>
    person && status !== 'failed' ? [castVote(person, approvals, objectOf(answers), queuedAt)] : [],
  );
}

/**
 * A person's standing at a pause with approvals: the names by which it knows them, and the reason why they may not
 * answer.
 */
interface Standing {
  person: Person | undefined;
  approvals: Approvals;
  votes: CastVote[];
  refusal: Refusal | null;
}

/**
 * The answering person and the votes so far, for a pause with approvals; null for other pauses. Throws when this
 * person may not answer.
 */
export async function requireMayAnswer(
  tx: EntityManager,
  point: PausePoint,
  caller: Person | undefined,
): Promise<{ person: Person; approvals: Approvals; votes: CastVote[] } | null> {
  const standing = await findStanding(tx, point, caller);
  if (!standing) return null;
  const { person, approvals, votes, refusal } = standing;
  if (refusal?.code === 'ALREADY_VOTED') throw new Conflict(refusal.message, refusal.code);
  if (refusal) throw new Denied(refusal.message, refusal.code);
  return person ? { person, approvals, votes } : null;
}

/** Null for a pause that anyone may answer. */
export async function findStanding(
  tx: EntityManager,
  { contextId, executionId, asking }: PausePoint,
  caller: Person | undefined,
): Promise<Standing | null> {
  const approvals = asking?.approvals;
  if (!approvals) return null;
  const delegations = await send<DelegationRow>(tx, findDelegations, [contextId]);
  const person = caller && withDelegations(caller, delegations);
  const entries = await send<Pick<ResumeEntry, 'person' | 'answers' | 'status' | 'queuedAt'>>(tx, findVotes, [
    contextId,
  ]);
  const values = [executionId, approvals.assignees];
  const [found] = await send<{ starter: string | null; lowered: string[] }>(tx, findStarter, values);
  const votes = votesIn(entries, approvals);
  // Adds the names as Postgres lowers them, because it lowered those of the person: JavaScript lowers İ and Σ otherwise.
  const assignees = [...approvals.assignees, ...(found?.lowered ?? [])];
  const starter = found?.starter ?? undefined;
  const refusal = refusalFor({ ...approvals, assignees }, person, { starter, votes });
  return { person, approvals, votes, refusal };
}

/**
 * The current member comes first, then former members, the latest first. A guest is a row without an id.
 * $1 workspace, $2 user id or address
 */
const findPeople = /* sql */ `
with known as (
  select u.id, lower(u.email) as email, m.role, null::timestamptz as removed_at
  from memberships m join users u on u.id = m.user_id where m.workspace_id = $1
  union all
  select f.user_id, f.email, null, f.removed_at from former_members f
  where f.workspace_id = $1
    and not exists (select from memberships m where m.workspace_id = f.workspace_id and m.user_id = f.user_id)
)
select k.id, email, k.role
from (select coalesce((select email from known where id = $2), lower($2)) as email) asked left join known k using (email)
order by removed_at desc nulls first, id`;

/** $1 workspace, $2 user id or address, $3 since */
const findLeft = /* sql */ `
select not exists (
  select from memberships m join users u on u.id = m.user_id
  where m.workspace_id = $1 and (u.id = $2 or lower(u.email) = lower($2))
) and (position('@' in $2) = 0 or exists (
  select from former_members where workspace_id = $1 and email = lower($2) and removed_at >= $3
)) as "left"`;

const findDelegations = 'select from_id, from_names, to_name from delegations where context_id = $1';

const findVotes = /* sql */ `
select person, resume_input as answers, status, queued_at as "queuedAt" from resume_entries
where context_id = $1 and status <> 'failed' order by queued_at, id`;

/** $1 execution, $2 assignees */
const findStarter = /* sql */ `
select (select actor ->> 'id' from executions where id = $1 and actor ->> 'kind' = 'user') as starter,
  array(select lower(name) from unnest($2::text[]) name) as lowered`;
