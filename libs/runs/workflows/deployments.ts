// The versions of a workflow, live, stored or only tested, are one subject with one cache of plans.
import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';
import { readClockMs } from '#libs/platform/clock/database-clock';
import { canonicalJson, compile } from '#libs/language/definition/compile';
import type { Plan } from '#libs/language/definition/plan';
import type { DefinitionFault, Validated } from '#libs/language/definition/checks/validate';
import type { JsonObject } from '#libs/platform/json/json';
import { Database, send } from '#libs/platform/database/database';
import { Conflict, Denied, type Detail, Invalid, NotFound, Outdated } from '#libs/platform/errors/errors';
import { Cursors, type Page } from '#libs/platform/cursors/cursor';
import { Deployment, Workflow, type Listed, listedColumns } from './workflow.entity.ts';
import { DefinitionWork } from './definition-work.ts';
import { missingThings, toWarning } from './missing-things.ts';
import { versionBefore } from './rollback.ts';
import {
  type KeptWorkflow,
  type MadeTriggerChange,
  noTriggers,
  type TriggerChange,
  type TriggerKeeper,
} from './trigger-keeper.ts';
import { type Waiting, waitingRuns, buildWarnings, warnOfTriggers } from './waiting.ts';

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
  /** What became of the triggers that the definition carries. */
  triggers: MadeTriggerChange[];
}

/** Who deploys. */
export interface Deployer {
  kind: 'user' | 'key';
  id: string;
}

/** The faults of a definition, and warnings about behaviour that nobody expects. */
export type Checked = Pick<Validated, 'faults' | 'warnings'>;

/** The result that a change of the live version would have. */
export interface Preview {
  /** Reasons why a deploy of the draft would be refused. */
  faults: Detail[];
  warnings: string[];
  waiting: Waiting[];
  /** What would become of the triggers that the definition carries. */
  triggers: TriggerChange[];
}

/** The number in the place of a version, for a test. Versions count from 1. */
export const testVersion = 0;

const cachedPlansMax = 500;

/** The versions of a workflow. Versions are only ever added; rollback moves the live pointer. */
@Injectable()
export class Deployments {
  /** A plan never changes under its hash, so each process reads it once. */
  private readonly plans = new LRUCache<string, Plan>({ max: cachedPlansMax });
  /** The live versions as this process last read them. The database must confirm one before a caller uses it. */
  private readonly remembered = new LRUCache<string, Live>({ max: cachedPlansMax });

  private keeper: TriggerKeeper = noTriggers;

  constructor(
    private readonly database: Database,
    private readonly cursors: Cursors,
    private readonly work: DefinitionWork,
  ) {}

  /** Has the triggers of definitions kept. */
  keepTriggers(keeper: TriggerKeeper): void {
    this.keeper = keeper;
  }

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
    actor: Deployer,
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
      const carried = await this.keeper.report(tx, workflow, workflow.definition);
      if (carried.faults.length > 0) throw notDeployed(carried.faults);
      const missing = [...(await missingThings(tx, workspaceId, workflow.definition)), ...carried.missing];
      if (about.strict && missing.length > 0) throw notDeployed(missing);
      const plan = compile(definition);
      const planHash = computeHash(plan);
      await send(
        tx,
        'insert into plans (workspace_id, hash, plan) values ($1, $2, $3) on conflict do nothing',
        [workspaceId, planHash, JSON.stringify(plan)],
      );
      const version = ((await tx.maximum(Deployment, 'version', { workflowId })) ?? 0) + 1;
      await send(tx, insertDeployment, [
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
        actor.id,
      ]);
      await changeFlow(tx, workflow, plan);
      const triggers = await this.keeper.keep(tx, workflow, workflow.definition, actor);
      return this.activate(tx, workflow, {
        version,
        warnings: [...warnings, ...carried.warnings, ...missing.map(toWarning)],
        triggers,
        actor,
      });
    });
  }

  /** Makes the given version live, or the version that was live before the current one. */
  async rollback(
    workspaceId: string,
    workflowId: string,
    version: number | undefined,
    actor: Deployer,
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
      const { warnings } = await this.reviewVersion(tx, workflow, deployment);
      await changeFlow(tx, workflow, await this.planWithin(tx, workspaceId, deployment.planHash));
      const triggers = await this.keeper.keep(tx, workflow, deployment.definition, actor);
      return this.activate(tx, workflow, { version: target, warnings, triggers, actor });
    });
  }

  async undeploy(workspaceId: string, workflowId: string, actor: Deployer): Promise<DeploymentResult> {
    return this.database.within(workspaceId, async (tx) => {
      const workflow = await lock(tx, workspaceId, workflowId);
      if (workflow.liveVersion === null) throw new Conflict('The workflow is not deployed.', 'NOT_DEPLOYED');
      const warnings = await warnOfTriggers(tx, workflowId);
      return this.activate(tx, workflow, { version: null, warnings, triggers: [], actor });
    });
  }

  /** Previews a deploy of the draft, a move to a version, or an undeploy (`null`). Changes nothing. */
  async preview(workspaceId: string, workflowId: string, to: number | null | 'draft'): Promise<Preview> {
    return this.database.within(workspaceId, async (tx) => {
      const workflow = await tx.findOneBy(Workflow, { workspaceId, id: workflowId });
      if (!workflow) throw new NotFound('workflow');
      const waiting = await waitingRuns(tx, workflowId);
      if (to === 'draft') {
        const { warnings, ...found } = await this.checkWithin(tx, workflow, workflow.definition);
        return { ...found, warnings: [...warnings, ...buildWarnings(waiting, null)], waiting };
      }
      const deployment = to === null ? null : await tx.findOneBy(Deployment, { workflowId, version: to });
      if (to !== null && !deployment) throw new NotFound('version');
      const { warnings, triggers } = deployment
        ? await this.reviewVersion(tx, workflow, deployment)
        : { warnings: await warnOfTriggers(tx, workflowId), triggers: [] };
      return { faults: [], warnings: [...warnings, ...buildWarnings(waiting, to)], waiting, triggers };
    });
  }

  /** All faults and warnings of a definition at once, also for names that the workspace lacks. Stores nothing. */
  check(workspaceId: string, definition: JsonObject): Promise<Checked> {
    return this.database.within(workspaceId, async (tx) => {
      const { faults, warnings } = await this.checkWithin(tx, { workspaceId, id: null }, definition);
      return { faults, warnings };
    });
  }

  private async checkWithin(
    tx: EntityManager,
    workflow: KeptWorkflow,
    draft: JsonObject,
  ): Promise<Checked & Pick<Preview, 'triggers'>> {
    const { workspaceId } = workflow;
    const { definition, faults, warnings } = await this.work.runJob(workspaceId, 'validate', draft);
    if (!definition) return { faults, warnings, triggers: [] };
    const missing = await missingThings(tx, workspaceId, draft);
    const carried = await this.keeper.report(tx, workflow, draft);
    return {
      faults: carried.faults,
      warnings: [...warnings, ...carried.warnings, ...[...missing, ...carried.missing].map(toWarning)],
      triggers: carried.changes,
    };
  }

  /** Looks at a version before it is live again. What is wrong with its triggers keeps nobody from going back. */
  private async reviewVersion(
    tx: EntityManager,
    workflow: Workflow,
    { definition, warnings }: Deployment,
  ): Promise<{ warnings: string[]; triggers: TriggerChange[] }> {
    const lacking = await missingThings(tx, workflow.workspaceId, definition);
    const { faults, missing, changes, ...carried } = await this.keeper.report(tx, workflow, definition);
    const found = [...lacking, ...missing, ...faults].map(toWarning);
    return { warnings: [...warnings, ...carried.warnings, ...found], triggers: changes };
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
      const rows = await send<{ name: string; version: number | null; plan_hash: string }>(tx, readLive, [
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

  /** The plan of a version; null compiles the draft. Throws for a draft with faults, and names each. */
  async planOf(workspaceId: string, workflowId: string, version: number | null): Promise<Plan> {
    if (version !== null)
      return this.plan(workspaceId, (await this.version(workspaceId, workflowId, version)).planHash);
    return (await this.compileDraft(workspaceId, workflowId)).plan;
  }

  /** Compiles the draft, or a definition in its place, and stores nothing. Throws when it has faults, and names each. */
  async compileDraft(
    workspaceId: string,
    workflowId: string,
    given?: JsonObject,
  ): Promise<{ workflowName: string; definition: JsonObject; plan: Plan }> {
    const draft = await this.database.within(workspaceId, (tx) =>
      tx.findOneBy(Workflow, { workspaceId, id: workflowId }),
    );
    if (!draft) throw new NotFound('workflow');
    const source = given ?? draft.definition;
    const { definition, faults } = await this.work.runJob(workspaceId, 'validate', source);
    if (!definition)
      throw new Invalid(faults, `The draft has ${faults.length} fault(s).`, 'INVALID_DEFINITION');
    return { workflowName: draft.name, definition: source, plan: compile(definition) };
  }

  /** Stores the plan of a test beside its definition. It goes with the execution. */
  async storeTest(
    tx: EntityManager,
    { workspaceId, executionId }: { workspaceId: string; executionId: string },
    { plan, definition }: { plan: Plan; definition: JsonObject },
  ): Promise<void> {
    const values = [JSON.stringify(plan), JSON.stringify(definition)];
    await send(tx, insertTest, [workspaceId, toTestHash(executionId), ...values]);
  }

  /** The definition that the execution of a plan runs: that of its version, or of a test. */
  async definitionOf(
    workspaceId: string,
    { workflowId, version, planHash }: { workflowId: string; version: number; planHash: string },
  ): Promise<JsonObject> {
    if (version !== testVersion) return (await this.version(workspaceId, workflowId, version)).definition;
    const [row] = await this.database.statement<{ definition: JsonObject | null }>(workspaceId, findTest, [
      workspaceId,
      planHash,
    ]);
    if (!row?.definition) throw new NotFound('definition');
    return row.definition;
  }

  /** Like `plan`, within a transaction. */
  async planWithin(tx: EntityManager, workspaceId: string, hash: string): Promise<Plan> {
    const key = `${workspaceId} ${hash}`;
    const cached = this.plans.get(key);
    if (cached) return cached;
    const rows = await send<{ plan: Plan }>(
      tx,
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
    {
      version,
      warnings,
      triggers,
      actor,
    }: Pick<DeploymentResult, 'version' | 'warnings' | 'triggers'> & { actor: Deployer },
  ): Promise<DeploymentResult> {
    const deployedAt = version === null ? null : new Date(readClockMs());
    await tx.update(Workflow, { id: workflow.id }, { liveVersion: version, deployedAt });
    await send(
      tx,
      'insert into activations (workspace_id, workflow_id, version, actor) values ($1, $2, $3, $4)',
      [workflow.workspaceId, workflow.id, version, actor.id],
    );
    const waiting = buildWarnings(await waitingRuns(tx, workflow.id), version);
    return resultOf({ ...workflow, deployedAt }, version, [...warnings, ...waiting], triggers);
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
  triggers: MadeTriggerChange[] = [],
): DeploymentResult {
  return { id, isDeployed: version !== null, deployedAt, version, warnings, triggers };
}

/** Makes the flow of a plan the one of the workflow, and has its lines looked at. An undeploy leaves it, for those that wait. */
async function changeFlow(tx: EntityManager, { id, workspaceId }: Workflow, { flow }: Plan): Promise<void> {
  await send(tx, updateFlow, [id, workspaceId, flow ? JSON.stringify(flow) : null]);
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
  const history = await send<{ version: number }>(
    tx,
    'select version from activations where workflow_id = $1 and version is not null order by id',
    [workflow.id],
  );
  return versionBefore(history.map(({ version }) => version));
}

/** Returns what stands in the place of a hash for the plan of a test, which no other execution has. */
export const toTestHash = (executionId: string): string => `test ${executionId}`;

/** $1 workspace, $2 hash, $3 plan, $4 definition */
const insertTest =
  'insert into plans (workspace_id, hash, plan, definition) values ($1, $2, $3, $4) on conflict do nothing';

/** $1 workspace, $2 hash */
const findTest = 'select definition from plans where workspace_id = $1 and hash = $2';

/** $1 workflow, $2 workspace, $3 the flow or null */
const updateFlow = /* sql */ `
with gone as (
  delete from flow_rules where workflow_id = $1 and $3::jsonb is null
), changed as (
  insert into flow_rules (workflow_id, workspace_id, rules) select $1, $2, $3::jsonb where $3 is not null
  on conflict (workflow_id) do update set rules = excluded.rules
)
insert into flow_timers as t (line, workflow_id, key, workspace_id, due_at)
select distinct workflow_id || ' ' || key, workflow_id, key, workspace_id, now() from flow_places
where workflow_id = $1 and state = 'waiting' and leaving is null order by 1
on conflict (line) do update set due_at = least(t.due_at, excluded.due_at)`;

const insertDeployment = /* sql */ `
insert into deployments (id, workspace_id, workflow_id, version, name, description, definition, definition_hash,
  plan_hash, warnings, created_by)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;

const readLive = /* sql */ `
select w.name, d.version, d.plan_hash
from workflows w left join deployments d on d.workflow_id = w.id and d.version = w.live_version
where w.workspace_id = $1 and w.id = $2`;
