import { type Json, type JsonObject, objectOf } from '#libs/platform/json/json';

/** The people who may answer a pause, and the number of answers that it needs. */
export interface Approvals {
  /** So many people must say yes. */
  required: number;
  /** True when one no rejects. Otherwise a pause is rejected when as many people said no as must say yes. */
  veto: boolean;
  /** True when the person who started the run may answer. */
  allowStarter: boolean;
  /** True when no link is taken for its person: whoever answers must have signed in, or use a personal key. Absent in what an older build wrote. */
  requireSignIn?: boolean;
  /** E-mail addresses and user ids. When `roles` is empty as well, every member who may execute may answer. */
  assignees: string[];
  roles: string[];
  /** The field of the form that says yes or no. */
  decision: string;
}

/** A person who answers, as the workspace and not the answer describes them. */
export interface Person {
  id: string;
  /** All by which the workspace knows or knew this one person: user ids and the address. Absent in what an older build wrote. */
  own?: string[];
  /** User id and e-mail address, and those of the people who delegated the pause to this person. */
  names: string[];
  /** The role in the workspace; absent for someone who is not a member. */
  role?: string;
}

/** The vote of one person on a pause. */
export interface Vote {
  person: string;
  /** As that of the person. */
  own?: string[];
  approved: boolean;
}

/** Why a person may not answer, as a code and a sentence. */
export interface Refusal {
  code: 'PERSON_REQUIRED' | 'STARTER_MAY_NOT_ANSWER' | 'NOT_AN_ASSIGNEE' | 'ALREADY_VOTED';
  message: string;
}

/** True when the answers to a pause say yes. Any value but `true` is a no. */
export function approves({ decision }: Pick<Approvals, 'decision'>, answers: Json | undefined): boolean {
  return objectOf(answers)[decision] === true;
}

/** The verdict of the votes so far. */
export function computeVerdict(
  { required, veto }: Approvals,
  votes: Vote[],
): 'open' | 'approved' | 'rejected' {
  const yes = votes.filter(({ approved }) => approved).length;
  const no = votes.length - yes;
  if (no >= (veto ? 1 : required)) return 'rejected';
  return yes >= required ? 'approved' : 'open';
}

/** Why this person may not answer, or null. `starter` is the person who started the run, if a person did. */
export function refusalFor(
  approvals: Approvals,
  person: Person | undefined,
  { starter, votes }: { starter?: string; votes: Vote[] },
): Refusal | null {
  if (!person) {
    const message = 'Only a person may answer: use a personal key, or the link that was sent to you.';
    return { code: 'PERSON_REQUIRED', message };
  }
  const own = ownNames(person);
  if (!approvals.allowStarter && starter !== undefined && own.includes(starter))
    return { code: 'STARTER_MAY_NOT_ANSWER', message: 'The starter of the run may not answer.' };
  if (!isAssignee(approvals, person))
    return { code: 'NOT_AN_ASSIGNEE', message: 'This request was not put to you.' };
  if (votes.some((vote) => ownNames({ id: vote.person, own: vote.own }).some((name) => own.includes(name))))
    return { code: 'ALREADY_VOTED', message: 'You have answered this request already.' };
  return null;
}

/** The names of one person. Two people who share one are the same, whether they were a member when they answered or not. */
export function ownNames({ id, own }: Pick<Person, 'id' | 'own'>): string[] {
  return own ?? [id];
}

function isAssignee({ assignees, roles }: Approvals, { names, role }: Person): boolean {
  if (assignees.length + roles.length === 0) return role === 'admin' || role === 'editor';
  const mine = new Set(names.map((name) => name.toLowerCase()));
  return assignees.some((name) => mine.has(name.toLowerCase())) || (!!role && roles.includes(role));
}

/** A vote with its answers and its time, as the output of the pause shows it. */
export interface CastVote extends Vote {
  at: string;
  answers: JsonObject;
}

export function castVote(person: Person, approvals: Approvals, answers: JsonObject, at: Date): CastVote {
  const approved = approves(approvals, answers);
  return { person: person.id, own: ownNames(person), approved, at: at.toISOString(), answers };
}

/** The answers with which the run goes on: the last ones, with the verdict and all votes. Null while more people must answer. */
export function computeAnswers(
  approvals: Approvals,
  votes: CastVote[],
  answers: JsonObject,
): JsonObject | null {
  const verdict = computeVerdict(approvals, votes);
  if (verdict === 'open') return null;
  const shown = votes.map(({ person, approved, at, answers: given }): JsonObject => ({
    person,
    approved,
    at,
    answers: given,
  }));
  return { ...answers, [approvals.decision]: verdict === 'approved', votes: shown };
}
