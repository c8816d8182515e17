import { Injectable } from '@nestjs/common';
import { Database, send } from '#libs/platform/database/database';
import { ownNames, type Refusal } from '#libs/language/definition/blocks/approvals';
import type { JsonObject } from '#libs/platform/json/json';
import { tellPeople } from '#libs/runs/executions/record/record.sql';
import { Conflict, Invalid } from '#libs/platform/errors/errors';
import { lockPoint, requireOpen } from './answers.ts';
import { hasLeft, findPerson, requireMayAnswer, findStanding } from './people.ts';

/** A person gives a pause that they may answer to another person. */
export interface Delegation {
  workspaceId: string;
  workflowId: string;
  executionId: string;
  contextId: string;
  /** Both are a user id or an e-mail address. */
  who: string | undefined;
  to: string;
  note: string;
  actor: JsonObject;
}

/** A person who may answer a pause may delegate it to another, once; the other person gets a notice. */
@Injectable()
export class Delegations {
  constructor(private readonly database: Database) {}

  async make(delegation: Delegation): Promise<void> {
    const { workspaceId, who, to, note, actor } = delegation;
    await this.database.within(workspaceId, async (tx) => {
      const point = await requireOpen(tx, await lockPoint(tx, delegation));
      const person = who === undefined ? undefined : await findPerson(tx, workspaceId, who);
      const answering = await requireMayAnswer(tx, point, person);
      if (!answering || !person)
        throw new Conflict('Anyone may answer this request, so it cannot be delegated.', 'NO_APPROVALS');
      const other = await findPerson(tx, workspaceId, to);
      if (ownNames(other).some((name) => ownNames(person).includes(name)))
        throw Invalid.field('to', 'must be another person', 'self');
      if (await hasLeft(tx, point, to))
        throw Invalid.field('to', 'must not be a former member, whose links have ended', 'former_member');
      for (const name of other.names)
        await send(tx, insertDelegation, [
          point.contextId,
          workspaceId,
          person.id,
          answering.person.names,
          name,
          note,
          JSON.stringify(actor),
        ]);
      const standing = await findStanding(tx, point, other);
      if (standing?.refusal) throw refused(standing.refusal);
      // A receiver who already got the notice of the opening does not get it again.
      await send(tx, tellPeople, [point.executionId, point.path, 'opened']);
    });
  }
}

/** The refusal for a receiver who could not answer: the pause would lose its first person. */
function refused({ code }: Refusal): Invalid {
  const reasons = {
    ALREADY_VOTED: 'must be a person who has not answered this request',
    STARTER_MAY_NOT_ANSWER: 'must not be the person who started the run',
    NOT_AN_ASSIGNEE: 'must be a person who may answer this request',
    PERSON_REQUIRED: 'must be a person',
  };
  return Invalid.field('to', reasons[code], code.toLowerCase());
}

const insertDelegation = /* sql */ `
insert into delegations (context_id, workspace_id, from_id, from_names, to_name, note, actor)
values ($1, $2, $3, $4, $5, $6, $7)`;
