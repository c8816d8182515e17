import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { buildTitle } from '#libs/language/definition/title';
import { checkInputs, toRunInputs } from '#libs/language/definition/inputs';
import { type Json, objectOf } from '#libs/platform/json/json';
import { Database } from '#libs/platform/database/database';
import type { ChildEffect } from '#libs/language/engine/effects';
import { Conflict, Invalid, NotFound } from '#libs/platform/errors/errors';
import { Deployments } from '#libs/runs/workflows/deployments';
import type { RunKey } from '#temporal/activities';
import type { ExecutionInput } from '#temporal/messages';
import { toStoredJson } from '#libs/platform/text/whole-text';
import { Execution } from '../execution.entity.ts';
import { Executions } from '../executions.ts';
import { pack, renewRefs } from '../record/pack.ts';
import { copying, Payloads, storing } from '../record/payloads.ts';
import { WorkflowStarter } from '../deliver/workflow-starter.ts';

/** Runs may be nested this deep, also by recursion. */
const depthMax = 10;

/** Throws when the parent may start no further child now. */
type AdmitChild = (parent: Execution) => Promise<void>;

/** The id of the execution that a visit starts. A second try at the same visit finds the row of the first. */
export const buildChildId = (parentId: string, path: string): string =>
  `exec_${createHash('sha256').update(`${parentId} ${path}`).digest('hex').slice(0, 32)}`;

/** Child runs: executions of their own, which their parents start and wait for. */
@Injectable()
export class Children {
  constructor(
    private readonly database: Database,
    private readonly deployments: Deployments,
    private readonly executions: Executions,
    private readonly payloads: Payloads,
    private readonly starter: WorkflowStarter,
  ) {}

  /**
   * Commits the child's row and returns the input with which Temporal starts it. The child is pinned to the version
   * that is live at the first try. The id follows from parent and visit, so a second try finds the row of the first.
   * Calls `admit` before it makes a row.
   */
  async open(run: RunKey, effect: ChildEffect, admit: AdmitChild): Promise<ExecutionInput> {
    const { workspaceId, executionId: parentId } = run;
    const { path } = effect.visit;
    const id = buildChildId(parentId, path);
    const parent = await this.executions.getExecution(workspaceId, parentId);
    if (parent.depth >= depthMax)
      throw new Conflict(`Runs are nested deeper than ${depthMax}.`, 'CHILD_TOO_DEEP');
    let row = await this.find(workspaceId, id);
    if (!row) {
      await admit(parent);
      row = await this.insert({ id, parent, effect });
    }
    const rootId = parent.rootId ?? parentId;
    const input = this.starter.input({
      ...row,
      executionId: id,
      origin: null,
      acceptedAtMs: row.createdAt.getTime(),
    });
    return { ...input, parent: { executionId: parentId, path, rootId } };
  }

  /** The child's output as a value of its parent. */
  async adopt(run: RunKey, childId: string): Promise<Json> {
    const child = await this.find(run.workspaceId, childId);
    if (!child) throw new NotFound('execution');
    const { value, copies } = renewRefs(child.output);
    if (copies.size > 0) await this.database.batch(run.workspaceId, copying(run, childId, copies));
    return value;
  }

  private async find(workspaceId: string, id: string): Promise<Execution | undefined> {
    const [row] = await this.database.entities(workspaceId, Execution, byId, [id]);
    return row;
  }

  private async insert(child: { id: string; parent: Execution; effect: ChildEffect }): Promise<Execution> {
    const { id, parent, effect } = child;
    const { workspaceId } = parent;
    const live = await this.deployments.live(workspaceId, effect.workflowId);
    const resolved = await this.payloads.resolve({ workspaceId, executionId: parent.id }, effect.inputs);
    const { inputs, details } = checkInputs(live.plan.inputs, objectOf(resolved));
    if (details.length > 0) {
      const faults = details.map(({ path, message }) => `${path}: ${message}`).join(' ');
      throw new Invalid(details, `The inputs of "${live.workflowName}" do not fit. ${faults}`);
    }
    const packed = pack(toRunInputs(live.plan, inputs));
    const values = [
      id,
      workspaceId,
      live.workflowId,
      live.workflowName,
      buildTitle(live.plan, inputs),
      live.version,
      live.planHash,
      parent.mode,
      toStoredJson(parent.actor),
      toStoredJson(packed.value),
      parent.id,
      parent.rootId ?? parent.id,
      parent.depth + 1,
      parent.isTest,
    ];
    await this.database.batch(workspaceId, [
      [insertChild, values],
      ...storing({ workspaceId, executionId: id }, packed.payloads),
    ]);
    return this.executions.getExecution(workspaceId, id);
  }
}

const byId = 'where t.id = $1';

/** When two tries run at once, the second waits for the first and leaves its row unchanged. */
const insertChild = /* sql */ `
insert into executions (id, workspace_id, workflow_id, workflow_name, title, version, plan_hash, mode, trigger, actor, inputs,
  parent_id, root_id, depth, is_test)
values ($1, $2, $3, $4, $5, $6, $7, $8, 'workflow', $9, $10, $11, $12, $13, $14)
on conflict (id) do nothing`;
