import { type Json, objectOf } from '../values.ts';

/** Who may answer a pause, and how many of them it takes. */
export interface Approvals {
  /** So many must say yes. */
  required: number;
  /** One no is enough; without it a request falls only when so many have said no as were asked to say yes. */
  veto: boolean;
  /** Whether whoever started the run may answer. */
  allowStarter: boolean;
  /** E-mail addresses and user ids. With `roles` empty as well, every member who may execute. */
  assignees: string[];
  roles: string[];
  /** The field of the form that says yes or no. */
  decision: string;
}

/** Someone who answers, as the system and not the answer says. */
export interface Person {
  id: string;
  /** User id and e-mail address, and those of whoever handed the request to them. */
  names: string[];
  /** In the workspace; absent for someone who is no member. */
  role?: string;
}

/** What one person said. */
export interface Vote {
  person: string;
  approved: boolean;
}

/** Why someone may not answer, in a code and a sentence. */
export interface Refusal {
  code: 'PERSON_REQUIRED' | 'STARTER_MAY_NOT_ANSWER' | 'NOT_AN_ASSIGNEE' | 'ALREADY_VOTED';
  message: string;
}

/** Whether the answers to a request say yes. Anything but `true` is a no. */
export function approves({ decision }: Pick<Approvals, 'decision'>, answers: Json | undefined): boolean {
  return objectOf(answers)[decision] === true;
}

/** What the votes so far come to. */
export function verdictOf({ required, veto }: Approvals, votes: Vote[]): 'open' | 'approved' | 'rejected' {
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
  if (!approvals.allowStarter && starter === person.id)
    return { code: 'STARTER_MAY_NOT_ANSWER', message: 'Whoever started the run may not answer.' };
  if (!isAssignee(approvals, person))
    return { code: 'NOT_AN_ASSIGNEE', message: 'This request was not put to you.' };
  if (votes.some((vote) => vote.person === person.id))
    return { code: 'ALREADY_VOTED', message: 'You have answered this request already.' };
  return null;
}

function isAssignee({ assignees, roles }: Approvals, { names, role }: Person): boolean {
  if (assignees.length + roles.length === 0) return role === 'admin' || role === 'editor';
  const mine = new Set(names.map((name) => name.toLowerCase()));
  return assignees.some((name) => mine.has(name.toLowerCase())) || (!!role && roles.includes(role));
}
