import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import type { JsonObject } from '#libs/platform/json/json';
import { Database, send } from '#libs/platform/database/database';
import { guardName } from '#libs/platform/database/violations';
import { NotFound } from '#libs/platform/errors/errors';
import { newId } from '#libs/platform/ids/ids';
import { computeHash, outdatedDraft } from './deployments.ts';
import { parseFolder } from './folder.ts';
import { Workflow } from './workflow.entity.ts';

export interface WorkflowChanges {
  name?: string;
  description?: string;
  folder?: string;
  definition?: JsonObject;
}

/** Workflows and their drafts. A draft may have faults: only a deployment must be valid. */
@Injectable()
export class Workflows {
  constructor(private readonly database: Database) {}

  async create(workspaceId: string, workflow: Required<WorkflowChanges>): Promise<Workflow> {
    const id = newId('wf');
    const row = { ...workflow, id, workspaceId, definitionHash: computeHash(workflow.definition) };
    await guardName(namedOnce(workflow.name), () =>
      this.database.statement(workspaceId, insertWorkflow, [
        row.id,
        workspaceId,
        row.name,
        row.description,
        JSON.stringify(row.definition),
        row.definitionHash,
        parseFolder(row.folder),
      ]),
    );
    return this.get(workspaceId, id);
  }

  get(workspaceId: string, id: string): Promise<Workflow> {
    return this.database.within(workspaceId, async (tx) => {
      const workflow = await tx.findOneBy(Workflow, { workspaceId, id });
      if (!workflow) throw new NotFound('workflow');
      return workflow;
    });
  }

  /** The ids of the workflows with these names. A name without a workflow is left out. */
  idsByName(workspaceId: string, names: string[]): Promise<Map<string, string>> {
    return this.database.within(workspaceId, async (tx) => {
      const rows = await tx.find(Workflow, {
        select: { id: true, name: true },
        where: { workspaceId, name: In(names) },
      });
      return new Map(rows.map(({ id, name }) => [name, id]));
    });
  }

  /** Changes the given members. Throws Outdated when the workflow has none of the expected revisions. */
  async update(
    workspaceId: string,
    id: string,
    changes: WorkflowChanges,
    expectedRevisions?: string[],
  ): Promise<Workflow> {
    const { name, description, folder, definition } = changes;
    const values = [
      workspaceId,
      id,
      name ?? null,
      description ?? null,
      definition ? JSON.stringify(definition) : null,
      definition ? computeHash(definition) : null,
      folder === undefined ? null : parseFolder(folder),
      expectedRevisions ?? null,
    ];
    const changed = await guardName(namedOnce(name ?? ''), () =>
      this.database.statement(workspaceId, updateWorkflow, values),
    );
    const workflow = await this.get(workspaceId, id);
    // The workflow exists, so only its revision can differ.
    if (changed.length === 0) throw outdatedDraft();
    return workflow;
  }

  /** Deletes a workflow. Its executions stay readable. Running ones go on, because each has its plan. */
  async delete(workspaceId: string, id: string): Promise<void> {
    const { affected } = await this.database.within(workspaceId, async (tx) => {
      await send(tx, 'select id from workflows where workspace_id = $1 and id = $2 for update', [
        workspaceId,
        id,
      ]);
      await send(tx, lockTriggers, [workspaceId, id]);
      return tx.delete(Workflow, { workspaceId, id });
    });
    if (!affected) throw new NotFound('workflow');
  }
}

const namedOnce = (name: string) => ({ constraint: 'workflows_name', thing: 'workflow', name });

/** Locks the triggers in the order in which a change of a calendar locks them. $1 workspace, $2 workflow */
const lockTriggers = `select id from triggers where workspace_id = $1 and workflow_id = $2 order by created_at, id for update`;

const insertWorkflow = /* sql */ `
insert into workflows (id, workspace_id, name, description, definition, definition_hash, folder)
values ($1, $2, $3, $4, $5, $6, $7)`;

const updateWorkflow = /* sql */ `
update workflows set
  name = coalesce($3, name),
  description = coalesce($4, description),
  definition = coalesce($5::json, definition),
  definition_hash = coalesce($6, definition_hash),
  folder = coalesce($7, folder),
  revision = revision + 1,
  updated_at = now()
where workspace_id = $1 and id = $2 and ($8::bigint[] is null or revision = any($8::bigint[]))
returning id`;
