import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database/database';
import type { JsonObject } from '#libs/definition/values';
import { tellPeople } from '#libs/executions/record.sql';
import { Conflict, Invalid } from '#libs/faults/faults';
import { lockPoint, requireOpen } from './answers.ts';
import { personOf, requireAsked } from './people.ts';

/** Someone hands a request that was put to them to someone else. */
export interface Delegation {
  workspaceId: string;
  workflowId: string;
  executionId: string;
  contextId: string;
  /** A user id or an e-mail address each. */
  who: string | undefined;
  to: string;
  note: string;
  actor: JsonObject;
}

/** Whoever may answer may let another answer in their place, once; the other is told of it. */
@Injectable()
export class Delegations {
  constructor(private readonly database: Database) {}

  async make(delegation: Delegation): Promise<void> {
    const { workspaceId, who, to, note, actor } = delegation;
    await this.database.within(workspaceId, async (tx) => {
      const point = await requireOpen(tx, await lockPoint(tx, delegation));
      const person = who === undefined ? undefined : await personOf(tx, workspaceId, who);
      const asked = await requireAsked(tx, point, person);
      if (!asked || !person)
        throw new Conflict(
          'This request is not put to certain people, so nobody can hand it on.',
          'NO_APPROVALS',
        );
      const other = await personOf(tx, workspaceId, to);
      if (other.id === person.id) throw Invalid.field('to', 'must be another person', 'self');
      for (const name of other.names)
        await tx.query(insertDelegation, [
          point.contextId,
          workspaceId,
          person.id,
          asked.person.names,
          name,
          note,
          JSON.stringify(actor),
        ]);
      // Whoever was told of its opening before is not told again.
      await tx.query(tellPeople, [point.executionId, point.path, 'opened']);
    });
  }
}

const insertDelegation = /* sql */ `
insert into delegations (context_id, workspace_id, from_id, from_names, to_name, note, actor)
values ($1, $2, $3, $4, $5, $6, $7)`;
