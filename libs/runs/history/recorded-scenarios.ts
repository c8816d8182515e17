import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { keepCounting } from '#libs/language/engine/run-events';
import { Database, find, send } from '#libs/platform/database/database';
import { Conflict } from '#libs/platform/errors/errors';
import { holdsRef, type Json, type JsonObject } from '#libs/platform/json/json';
import { outsideTypes } from '#libs/runs/executions/control/known-ends';
import { RunLog } from '#libs/runs/executions/advance/run-log';
import { VisitRow } from '#libs/runs/executions/execution.entity';
import { findOfWorkflow } from '#libs/runs/executions/executions';
import { Payloads } from '#libs/runs/executions/record/payloads';
import { inOrder } from '#libs/runs/scenario/order';
import { runScenarios } from '#libs/runs/scenario/run-scenarios';
import type { Scenario } from '#libs/runs/scenario/scenario';
import { Deployments } from '#libs/runs/workflows/deployments';
import {
  buildScenario,
  type RecordedAnswer,
  type RecordedRun,
  withoutVolatileHeaders,
} from './recorded-scenario.ts';

/** A file with one scenario, which plays an execution again. */
export interface RecordedScenario {
  file: JsonObject;
  /** What the scenario does not play as the execution went. */
  differences: string[];
}

/** Larger values of a run are not put into a scenario, in bytes. */
const bytesMax = 2 * 1024 * 1024;
/** A run with more visits is not made into a scenario. */
const visitsMax = 10_000;
/** The scenario is tried for at most so long. */
const patienceMs = 2000;

/** Makes scenarios from executions. */
@Injectable()
export class RecordedScenarios {
  constructor(
    private readonly database: Database,
    private readonly deployments: Deployments,
    private readonly log: RunLog,
    private readonly payloads: Payloads,
  ) {}

  /** Makes a scenario from an execution that has completed or failed, or waits for people, and plays it once to see how it differs. */
  async recordScenario(workspaceId: string, id: string, workflowId: string): Promise<RecordedScenario> {
    const run = await this.database.atOneMoment(workspaceId, (tx) =>
      this.readRun(tx, { workspaceId, id, workflowId }),
    );
    const whole = buildScenario(run);
    const calm = withoutVolatileHeaders(whole);
    const ofCalm = await findDifferences(run, calm);
    // A workflow that reads such a header needs it.
    const ofWhole = ofCalm.length > 0 ? await findDifferences(run, whole) : ofCalm;
    const [scenario, differences] = ofWhole.length < ofCalm.length ? [whole, ofWhole] : [calm, ofCalm];
    // An output with a time or an id in it is another one each time.
    if (differences.length > 0 && differences.every((text) => text.startsWith('output')))
      delete scenario.expect.output;
    const file = { definition: run.definition, scenarios: [scenario] };
    return { file: file as unknown as JsonObject, differences };
  }

  private async readRun(
    tx: EntityManager,
    { workspaceId, id, workflowId }: { workspaceId: string; id: string; workflowId: string },
  ): Promise<RecordedRun> {
    const row = await findOfWorkflow(tx, id, workflowId);
    const { status } = row;
    if (status !== 'completed' && status !== 'failed' && status !== 'paused')
      throw new Conflict(
        `The execution is ${status}. A scenario is made from one that has completed or failed, or waits for people.`,
        'NOT_RECORDED',
      );
    const events = keepCounting(await this.log.readEvents(tx, row.id, 0));
    const visits = await find(tx, VisitRow, shownVisits, [row.id, visitsMax + 1]);
    // A run that only computed has no log.
    const isLogGone = events.length === 0 && visits.some(({ type }) => outsideTypes.has(type));
    if (isLogGone || visits.length > visitsMax)
      throw new Conflict(
        visits.length > visitsMax
          ? `The execution has more than ${visitsMax} visits, which is the most for a scenario.`
          : 'The log of the execution is gone, or it was run by an older release.',
        'NOT_RECORDED',
      );
    const owner = { workspaceId, executionId: row.id };
    const parts = { inputs: row.inputs, output: row.output, events } as unknown as Json;
    const whole = await this.payloads.resolveWithin(tx, owner, parts, bytesMax);
    if (holdsRef(whole))
      throw new Conflict(
        `The values of the execution are larger than ${bytesMax} bytes, which is the most for a scenario.`,
        'NOT_RECORDED',
      );
    const plan = await this.deployments.planWithin(tx, workspaceId, row.planHash);
    const answers = await send<Omit<RecordedAnswer, 'assignees'> & { assignees: string[] | null }>(
      tx,
      takenAnswers,
      [row.id],
    );
    return {
      ...(whole as unknown as Pick<RecordedRun, 'inputs' | 'output' | 'events'>),
      name: row.title ?? row.id,
      definition: await this.deployments.definitionOf(workspaceId, row),
      status,
      failure: row.failure,
      visits: inOrder(plan, visits).map(({ port, ...visit }) => ({
        ...visit,
        ...(port === null ? {} : { port }),
      })),
      answers: answers.map(({ assignees, ...answer }) => ({ ...answer, assignees: assignees ?? [] })),
    };
  }
}

/** Plays the scenario once. Returns what it does not play as the execution went. */
async function findDifferences({ definition }: RecordedRun, scenario: Scenario): Promise<string[]> {
  const [played] = await runScenarios({ definition, scenarios: [scenario] }, { patienceMs });
  return [...(played?.problems ?? []), ...(played?.differences ?? [])];
}

/** $1 execution, $2 most */
const shownVisits = `where t.execution_id = $1 and t.status <> 'skipped' order by t.seq limit $2`;

/** $1 execution */
const takenAnswers = /* sql */ `
select p.path, p.block_id as "blockId", r.resume_input as answers, r.person, p.asking #> '{approvals,assignees}' as assignees,
  (select name from json_array_elements_text(p.asking #> '{approvals,assignees}') name
    where r.person::jsonb -> 'names' ? lower(name) limit 1) as asked,
  greatest(0, floor(extract(epoch from r.queued_at - p.registered_at)))::int as "afterS"
from pause_points p join resume_entries r using (context_id)
where p.execution_id = $1 and r.status <> 'failed' order by p.registered_at, r.queued_at`;
