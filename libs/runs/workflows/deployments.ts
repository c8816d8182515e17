import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';
import { canonicalJson, compile } from '#libs/language/definition/compile';
import type { Plan } from '#libs/language/definition/plan';
import type { DefinitionFault, Validated } from '#libs/language/definition/checks/validate';
import type { JsonObject } from '#libs/platform/json/json';
import { Database } from '#libs/platform/database/database';
import { Conflict, Denied, type Detail, Invalid, NotFound, Outdated } from '#libs/platform/errors/errors';
import { Cursors, type Page } from '#libs/platform/cursors/cursor';
import { Deployment, Workflow, type Listed, listedColumns } from './workflow.entity.ts';
import { DefinitionWork } from './definition-work.ts';
import { missingThings, toWarning } from './missing-things.ts';
import { versionBefore } from './rollback.ts';
import { type Waiting, waitingRuns, buildWarnings } from './waiting.ts';

/** The live version of a workflow, and its plan. */
export interface Live {
  workflowId: string;
  workflowName: string;
  version: number;
  planHash: string;
  plan: Plan;
}

export interface DeploymentResult {
  id: string;
  isDeployed: boolean;
  deployedAt: Date | null;
  version: number | null;
  warnings: string[];
}

/** The faults of a definition, and warnings about behaviour that nobody expects. */
export type Checked = Pick<Validated, 'faults' | 'warnings'>;

/** The result that a change of the live version would have. */
export interface Preview {
  /** Reasons why a deploy of the draft would be refused. */
  faults: Detail[];
  warnings: string[];
  waiting: Waiting[];
}

const cachedPlansMax = 500;

/** The versions of a workflow. Versions are only ever added; rollback moves the live pointer. */
@Injectable()
export class Deployments {
  /** A plan never changes under its hash, so each process reads it once. */
  private readonly plans = new LRUCache<string, Plan>({ max: cachedPlansMax });
  /** The live versions as this process last read them. The database must confirm one before a caller uses it. */
  private readonly remembered = new LRUCache<string, Live>({ max: cachedPlansMax });

  constructor(
    private readonly database: Database,
    private readonly cursors: Cursors,
    private readonly work: DefinitionWork,
  ) {}

  /**
   * Validates and compiles the draft, and makes it live as the next version. A repeated deployment id makes no second
   * version. With `strict` a definition may not name things that the workspace lacks; without it that is a warning.
   * Throws Outdated when the draft has none of the expected revisions.
   */
  async deploy(
    workspaceId: string,
    workflowId: string,
    about: {
      id: string;
      name?: string;
      description?: string;
      strict?: boolean;
      expectedRevisions?: string[];
    },
    actor: string,
  ): Promise<DeploymentResult> {
    return this.database.within(workspaceId, async (tx) => {
      // The row lock keeps two deploys from taking the same number.
      const workflow = await lock(tx, workspaceId, workflowId);
      const earlier = await tx.findOneBy(Deployment, { id: about.id, workflowId });
      if (earlier) return resultOf(workflow, earlier.version, earlier.warnings);
      if (about.expectedRevisions?.includes(String(workflow.revision)) === false) throw outdatedDraft();
      const { definition, faults, warnings } = await this.work.runJob(
        workspaceId,
        'validate',
        workflow.definition,
      );
      if (!definition) throw notDeployed(faults);
      const missing = await missingThings(tx, workspaceId, workflow.definition);
      if (about.strict && missing.length > 0) throw notDeployed(missing);
      const plan = compile(definition);
      const planHash = computeHash(plan);
      await tx.query(
        'insert into plans (workspace_id, hash, plan) values ($1, $2, $3) on conflict do nothing',
        [workspaceId, planHash, JSON.stringify(plan)],
      );
      const version = ((await tx.maximum(Deployment, 'version', { workflowId })) ?? 0) + 1;
      await tx.query(insertDeployment, [
        about.id,
        workspaceId,
        workflowId,
        version,
        about.name ?? '',
        about.description ?? '',
        JSON.stringify(workflow.definition),
        workflow.definitionHash,
        planHash,
        JSON.stringify(warnings),
        actor,
      ]);
      return this.activate(tx, workflow, {
        version,
        warnings: [...warnings, ...missing.map(toWarning)],
        actor,
      });
    });
  }

  /** Makes the given version live, or the version that was live before the current one. */
  async rollback(
    workspaceId: string,
    workflowId: string,
    version: number | undefined,
    actor: string,
  ): Promise<DeploymentResult> {
    return this.database.within(workspaceId, async (tx) => {
      const workflow = await lock(tx, workspaceId, workflowId);
      if (workflow.liveVersion === null) throw new Conflict('The workflow is not deployed.', 'NOT_DEPLOYED');
      const target = version ?? (await previousVersion(tx, workflow));
      if (target === null)
        throw new Conflict(
          'No other version was live before this one; name the version to go back to.',
          'NO_EARLIER_VERSION',
        );
      const deployment = await tx.findOneBy(Deployment, { workflowId, version: target });
      if (!deployment) throw new NotFound('version');
      const missing = await missingThings(tx, workspaceId, deployment.definition);
      const warnings = [...deployment.warnings, ...missing.map(toWarning)];
      return this.activate(tx, workflow, { version: target, warnings, actor });
    });
  }

  async undeploy(workspaceId: string, workflowId: string, actor: string): Promise<DeploymentResult> {
    return this.database.within(workspaceId, async (tx) => {
      const workflow = await lock(tx, workspaceId, workflowId);
      if (workflow.liveVersion === null) throw new Conflict('The workflow is not deployed.', 'NOT_DEPLOYED');
      return this.activate(tx, workflow, { version: null, warnings: [], actor });
    });
  }

  /** Previews a deploy of the draft, a move to a version, or an undeploy (`null`). Changes nothing. */
  async preview(workspaceId: string, workflowId: string, to: number | null | 'draft'): Promise<Preview> {
    return this.database.within(workspaceId, async (tx) => {
      const workflow = await tx.findOneBy(Workflow, { workspaceId, id: workflowId });
      if (!workflow) throw new NotFound('workflow');
      const waiting = await waitingRuns(tx, workflowId);
      if (to === 'draft') {
        const { faults, warnings } = await this.checkWithin(tx, workspaceId, workflow.definition);
        return { faults, warnings: [...warnings, ...buildWarnings(waiting, null)], waiting };
      }
      const deployment = to === null ? null : await tx.findOneBy(Deployment, { workflowId, version: to });
      if (to !== null && !deployment) throw new NotFound('version');
      const missing = deployment ? await missingThings(tx, workspaceId, deployment.definition) : [];
      const warnings = [
        ...(deployment?.warnings ?? []),
        ...missing.map(toWarning),
        ...buildWarnings(waiting, to),
      ];
      return { faults: [], warnings, waiting };
    });
  }

  /** All faults and warnings of a definition at once, also for names that the workspace lacks. Stores nothing. */
  check(workspaceId: string, definition: JsonObject): Promise<Checked> {
    return this.database.within(workspaceId, (tx) => this.checkWithin(tx, workspaceId, definition));
  }

  private async checkWithin(tx: EntityManager, workspaceId: string, draft: JsonObject): Promise<Checked> {
    const { definition, faults, warnings } = await this.work.runJob(workspaceId, 'validate', draft);
    const missing = definition ? await missingThings(tx, workspaceId, draft) : [];
    return { faults, warnings: [...warnings, ...missing.map(toWarning)] };
  }

  /** Newest first. */
  async versions(
    workspaceId: string,
    workflowId: string,
    { limit, cursor }: { limit: number; cursor?: string },
  ): Promise<Page<Listed<Deployment>>> {
    const scope = `versions ${workflowId}`;
    const after = this.cursors.open(cursor, scope);
    const rows = await this.database.within(workspaceId, async (tx) => {
      const query = tx
        .createQueryBuilder(Deployment, 'd')
        .select(listedColumns(tx, Deployment, 'd'))
        .where({ workspaceId, workflowId });
      if (after) query.andWhere('d.version < :before', { before: Number(after.at) });
      return query
        .orderBy('d.version', 'DESC')
        .limit(limit + 1)
        .getMany();
    });
    return this.cursors.page(rows, limit, scope, ({ version, id }) => ({ at: String(version), id }));
  }

  async version(workspaceId: string, workflowId: string, version: number): Promise<Deployment> {
    const deployment = await this.database.within(workspaceId, (tx) =>
      tx.findOneBy(Deployment, { workspaceId, workflowId, version }),
    );
    if (!deployment) throw new NotFound('version');
    return deployment;
  }

  /** The live version that this process read last, if any. It may be outdated, but saves a round trip. */
  recall(workspaceId: string, workflowId: string): Live | undefined {
    return this.remembered.get(`${workspaceId} ${workflowId}`);
  }

  /** The live version for a call. Throws for a workflow that is not deployed. */
  async live(workspaceId: string, workflowId: string): Promise<Live> {
    const liveRow = await this.database.within(workspaceId, async (tx) => {
      const rows: { name: string; version: number | null; plan_hash: string }[] = await tx.query(readLive, [
        workspaceId,
        workflowId,
      ]);
      const row = rows[0];
      if (!row) throw new NotFound('workflow');
      if (row.version === null) {
        throw new Denied(
          'The workflow is not deployed: POST /api/v1/workflows/{workflowId}/deploy first.',
          'NOT_DEPLOYED',
        );
      }
      return { row, version: row.version, plan: await this.planWithin(tx, workspaceId, row.plan_hash) };
    });
    const { row, version, plan } = liveRow;
    const live = { workflowId, workflowName: row.name, version, planHash: row.plan_hash, plan };
    this.remembered.set(`${workspaceId} ${workflowId}`, live);
    return live;
  }

  /** The plan with a hash to which an execution is pinned. */
  async plan(workspaceId: string, hash: string): Promise<Plan> {
    return (
      this.plans.get(`${workspaceId} ${hash}`) ??
      this.database.within(workspaceId, (tx) => this.planWithin(tx, workspaceId, hash))
    );
  }

  /** Like `plan`, within a transaction. */
  async planWithin(tx: EntityManager, workspaceId: string, hash: string): Promise<Plan> {
    const key = `${workspaceId} ${hash}`;
    const cached = this.plans.get(key);
    if (cached) return cached;
    const rows: { plan: Plan }[] = await tx.query(
      'select plan from plans where workspace_id = $1 and hash = $2',
      [workspaceId, hash],
    );
    if (!rows[0]) throw new NotFound('plan');
    this.plans.set(key, rows[0].plan);
    return rows[0].plan;
  }

  private async activate(
    tx: EntityManager,
    workflow: Workflow,
    { version, warnings, actor }: { version: number | null; warnings: string[]; actor: string },
  ): Promise<DeploymentResult> {
    const deployedAt = version === null ? null : new Date();
    await tx.update(Workflow, { id: workflow.id }, { liveVersion: version, deployedAt });
    await tx.query(
      'insert into activations (workspace_id, workflow_id, version, actor) values ($1, $2, $3, $4)',
      [workflow.workspaceId, workflow.id, version, actor],
    );
    const waiting = buildWarnings(await waitingRuns(tx, workflow.id), version);
    return resultOf({ ...workflow, deployedAt }, version, [...warnings, ...waiting]);
  }
}

function notDeployed(faults: DefinitionFault[]): Invalid {
  const message = `The definition has ${faults.length} fault(s) and was not deployed.`;
  return new Invalid(faults, message, 'INVALID_DEFINITION');
}

function resultOf(
  { id, deployedAt }: Workflow,
  version: number | null,
  warnings: string[],
): DeploymentResult {
  return { id, isDeployed: version !== null, deployedAt, version, warnings };
}

/** Returns a hash that is equal for equal content; the order of keys does not matter. */
export function computeHash(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

/** Returns the refusal of a change to a draft that the caller has not seen. */
export const outdatedDraft = () =>
  new Outdated('The workflow has changed since it was read; read it again. Nothing was changed.');

async function lock(tx: EntityManager, workspaceId: string, id: string): Promise<Workflow> {
  const workflow = await tx.findOne(Workflow, {
    where: { workspaceId, id },
    lock: { mode: 'pessimistic_write' },
  });
  if (!workflow) throw new NotFound('workflow');
  return workflow;
}

async function previousVersion(tx: EntityManager, workflow: Workflow): Promise<number | null> {
  const history: { version: number }[] = await tx.query(
    'select version from activations where workflow_id = $1 and version is not null order by id',
    [workflow.id],
  );
  return versionBefore(history.map(({ version }) => version));
}

const insertDeployment = /* sql */ `
insert into deployments (id, workspace_id, workflow_id, version, name, description, definition, definition_hash,
  plan_hash, warnings, created_by)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;

const readLive = /* sql */ `
select w.name, d.version, d.plan_hash
from workflows w left join deployments d on d.workflow_id = w.id and d.version = w.live_version
where w.workspace_id = $1 and w.id = $2`;
