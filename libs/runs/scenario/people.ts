import {
  castVote,
  type CastVote,
  computeAnswers,
  type Person,
  refusalFor,
} from '#libs/language/definition/blocks/approvals';
import type { PauseEffect } from '#libs/language/engine/effects';
import { toAskedPath } from '#libs/language/engine/launch';
import type { JsonObject } from '#libs/platform/json/json';
import type { ScenarioPerson } from './scenario.ts';

/** The people of a scenario, and the votes that they have cast. */
export class People {
  private readonly turns = new Map<string, number>();
  private readonly votes = new Map<string, CastVote[]>();

  constructor(private readonly script: ScenarioPerson[]) {}

  /** The people who answer a pause that has just opened. All people of a pause with approvals get it at once. */
  findAnswering({ visit, asking }: PauseEffect): ScenarioPerson[] {
    const { blockId } = visit;
    const path = toAskedPath(visit.path);
    const isHere = ({ block, pass }: ScenarioPerson) => pass !== undefined && `${block}@${pass}` === path;
    const line = this.script.filter(({ block, pass }) => pass === undefined && block === blockId);
    if (asking?.approvals) return this.script.filter((person) => isHere(person) || line.includes(person));
    const here = this.script.filter(isHere);
    const [people, key] = here.length > 0 ? [here, path] : [line, blockId];
    const turn = this.turns.get(key) ?? 0;
    this.turns.set(key, turn + 1);
    const next = people[Math.min(turn, people.length - 1)];
    return next ? [next] : [];
  }

  /** Takes an answer. Returns what the pause gives once it is decided, or why the answer is refused. */
  takeAnswer(
    { visit: { path }, asking }: PauseEffect,
    { as, role }: ScenarioPerson,
    { answers, atMs }: { answers: JsonObject; atMs: number },
  ): { decided?: JsonObject; refusal?: string } {
    const approvals = asking?.approvals;
    if (!approvals) return { decided: answers };
    const person: Person | undefined =
      as === undefined ? undefined : { id: as.toLowerCase(), names: [as], ...(role ? { role } : {}) };
    const votes = this.votes.get(path) ?? [];
    const refusal = refusalFor(approvals, person, { starter: undefined, votes });
    if (refusal || !person) return { refusal: refusal?.message ?? 'Nobody is named.' };
    const all = [...votes, castVote(person, approvals, answers, new Date(atMs))];
    this.votes.set(path, all);
    const decided = computeAnswers(approvals, all, answers);
    return decided ? { decided } : {};
  }
}
