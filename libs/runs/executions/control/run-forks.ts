import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { buildTitle } from '#libs/language/definition/title';
import { isEffectType } from '#libs/language/definition/blocks/registry';
import { checkRunInputs } from '#libs/language/definition/inputs';
import { checkOutput } from '#libs/language/definition/outputs';
import { checkInput, replaceParams, takesInput } from '#libs/language/definition/block-input';
import { findBlock, type Plan, type PlanBlock } from '#libs/language/definition/plan';
import { LoggedRun, type LoggedStep } from '#libs/language/engine/logged-run';
import { buildFacts, type EditedVisit } from '#libs/language/engine/state';
import { readClockMs } from '#libs/platform/clock/database-clock';
import { accepted as acceptedExecutions } from '#libs/platform/telemetry/metrics/metrics';
import { Limits, type LimitStatus, type Payer } from '#libs/workspace/limits/limits';
import { Database, send } from '#libs/platform/database/database';
import { Conflict, Invalid, NotFound } from '#libs/platform/errors/errors';
import { type Json, type JsonObject, objectOf } from '#libs/platform/json/json';
import { toStoredJson } from '#libs/platform/text/whole-text';
import { Deployments, testVersion, toTestHash } from '#libs/runs/workflows/deployments';
import { acceptedRow, holdIn } from '../accept/accept-execution.ts';
import { acceptExecution, enqueueInlineStart } from '../accept/accept.sql.ts';
import type { AcceptedExecution } from '../accept/accepted-execution.ts';
import { placeInFlow, requireEntry } from '../accept/flows.ts';
import { toHeldRefusal } from '../accept/holds.ts';
import { RunLog } from '../advance/run-log.ts';
import { insertEvents, saveSnapshot } from '../advance/run-log.sql.ts';
import { toRecord, toRecorded } from '../advance/run-step.ts';
import { InlineStartOutbox } from '../deliver/inline-start-outbox.ts';
import { toCarriedStart } from '../deliver/workflow-starter.ts';
import type { Execution } from '../execution.entity.ts';
import { findOfWorkflow } from '../executions.ts';
import { pack } from '../record/pack.ts';
import { buildEffectKey } from '../record/effect-key.ts';
import { copying, Payloads, storing } from '../record/payloads.ts';
import { Recorder } from '../record/recorder.ts';
import {
  findKnownEnds,
  type GivenOutput,
  isIndependent,
  type KnownEnds,
  noOutput,
  outsideTypes,
  renewReferences,
  replayKnownEnds,
} from './known-ends.ts';
import * as sql from './run-forks.sql.ts';
import { findSentKeys } from './sent-keys.ts';

/** What a caller asks for. */
export interface ForkWish {
  workflowId: string;
  /** The path of the visit from which the run goes on anew; undefined: everything runs anew. */
  from?: string;
  /** The version to run; undefined: that of the execution. */
  version?: number;
  /** Other inputs. */
  inputs?: JsonObject;
  /** The output of the visit `from`, which is then not carried out. */
  output?: Json;
  /** Values in place of parameters of the visit `from`; null takes one away. */
  input?: JsonObject;
}

export interface ForkedVisit {
  path: string;
  blockId: string;
  name: string;
  type: string;
  /** True when a call, or the calls of a child, are made again under keys of the fork. */
  repeatsCalls: boolean;
  /** The key that the call had, or will have; null without a call of its own, and where nobody knows it any more. */
  key: string | null;
}

/** What a fork takes over, and what it carries out anew. */
export interface ForkedVisits {
  /** The visits whose results the fork takes over. */
  kept: ForkedVisit[];
  /**
   * The visits that begin anew with the fork, in whatever version, and then those of the original that follow when the run comes to them.
   * Calls happen again, under keys of the fork.
   */
  repeated: ForkedVisit[];
}

/** A fork before its commit. */
export interface Fork extends Pick<
  AcceptedExecution,
  'version' | 'planHash' | 'workflowId' | 'workflowName' | 'isTest'
> {
  madeFrom: NonNullable<AcceptedExecution['madeFrom']>;
  plan: Plan;
  inputs: JsonObject;
  /** The visits of the original that the fork may take over, and those that its version can carry out anew. */
  former: { kept: Visited[]; repeated: Visited[] };
  /** The keys of the calls that it takes over, by the path of their visit. */
  keys: Map<string, string>;
  known: KnownEnds;
  given: GivenOutput | undefined;
  edited: EditedVisit | undefined;
}

/** Who makes a fork, and under which id. */
export type ForkedBy = Pick<AcceptedExecution, 'executionId' | 'workspaceId' | 'actor' | 'origin'>;

/** A visit of the original. */
interface Visited extends Omit<ForkedVisit, 'repeatsCalls' | 'key'> {
  seq: number;
  status: string;
}

/** Makes executions from others: with their inputs, and with what they had done up to a visit. */
@Injectable()
export class RunForks {
  constructor(
    private readonly database: Database,
    private readonly deployments: Deployments,
    private readonly log: RunLog,
    private readonly payloads: Payloads,
    private readonly recorder: Recorder,
    private readonly inlineStarts: InlineStartOutbox,
    private readonly limits: Limits,
  ) {}

  /** Prepares a fork and writes nothing. Throws when it is not possible, and says why. */
  prepareFork(workspaceId: string, id: string, wish: ForkWish): Promise<Fork> {
    return this.database.within(workspaceId, async (tx) => {
      const execution = await findOfWorkflow(tx, id, wish.workflowId);
      if (execution.isTest && (wish.version ?? execution.version) !== execution.version)
        throw Invalid.field(
          'version',
          'is not for a test, whose fork runs the same draft: execute the version, or test another draft',
          'is_test',
        );
      const [workflow] = await send(tx, 'select from workflows where id = $1', [execution.workflowId]);
      if (!workflow)
        throw new Conflict(
          'The workflow of this execution was deleted, so no other execution of it begins.',
          'WORKFLOW_DELETED',
        );
      const { version, planHash } = await findVersion(tx, execution, wish.version);
      const plan = await this.deployments.planWithin(tx, workspaceId, planHash);
      const about = {
        madeFrom: {
          executionId: execution.id,
          path: wish.from ?? null,
          ...(wish.input ? { input: Object.keys(wish.input) } : {}),
        },
        version,
        planHash,
        plan,
        workflowId: execution.workflowId,
        workflowName: execution.workflowName,
        isTest: execution.isTest,
        inputs: await this.readInputs(tx, execution, plan, wish.inputs),
      };
      if (wish.from !== undefined)
        return { ...about, ...(await this.readKept(tx, execution, plan, { ...wish, from: wish.from })) };
      for (const member of ['output', 'input'] as const)
        if (wish[member] !== undefined)
          throw Invalid.field(
            member,
            `is the ${member} of a visit: name the visit with \`from\``,
            'required',
          );
      const former = { kept: [], repeated: filterByPlan(await readVisits(tx, id), plan) };
      return { ...about, former, keys: new Map(), known: new Map(), given: undefined, edited: undefined };
    });
  }

  /** Says what a fork would do, and writes nothing. Throws when the run does not come to the visit that the fork is about. */
  previewFork(fork: Fork, by: ForkedBy): ForkedVisits {
    return listVisits(fork, replayFork(toForkedExecution(fork, by), fork).step, unknownId);
  }

  /** Makes the execution of a fork, within the limits of its payer. Returns their state, and what the fork does. */
  async makeFork(
    fork: Fork,
    { payer, ...by }: ForkedBy & { payer: Payer },
    along?: (tx: EntityManager) => Promise<void>,
  ): Promise<{ limitStatus: LimitStatus; visits: ForkedVisits }> {
    const execution = toForkedExecution(fork, by);
    const { mode, trigger } = execution;
    const { limitStatus, place } = await this.limits.admitExecution(payer, mode);
    let visits: ForkedVisits | undefined;
    try {
      visits = await this.commitFork(execution, fork, along);
    } finally {
      place.endAcceptance(visits !== undefined);
    }
    acceptedExecutions.inc({ mode, trigger });
    return { limitStatus, visits };
  }

  /**
   * Runs the fork up to the first thing that it must do anew, and commits it as the given execution. Does nothing when an execution with that id
   * was committed before, but `along`. Throws when the run does not come to the visit that the fork is about.
   */
  private async commitFork(
    execution: AcceptedExecution,
    fork: Fork,
    along: (tx: EntityManager) => Promise<void> = nothing,
  ): Promise<ForkedVisits> {
    const { workspaceId, executionId } = execution;
    const inputs = pack(fork.inputs);
    const output = fork.given && pack(fork.given.output);
    const accepted = { ...execution, inputs: inputs.value };
    const entry = fork.plan.flow && !fork.isTest && requireEntry(fork.plan.flow, fork.inputs);
    const { known, copies } = renewReferences(fork.known);
    const given = fork.given && output && { ...fork.given, output: output.value };
    const { run, step } = replayFork(accepted, { ...fork, known, given });
    const record = toRecord(toRecorded(accepted), run, step);
    const start = record.outcome
      ? { ended: { outcome: record.outcome, blocks: run.blocks.all } }
      : toCarriedStart({ number: run.number, usedMs: 0 }, execution.origin);
    const row = {
      ...acceptedRow(accepted, inputs.payloads),
      status: 'running',
      started_at: new Date(run.startedAtMs),
    };
    const events = step.logged.map(({ number, event }) => ({ number, event: toStoredJson(event) }));
    await this.database.within(workspaceId, async (tx) => {
      const [made] = await send(tx, acceptExecution, [JSON.stringify(row)]);
      const hold = holdIn(made);
      if (hold) throw toHeldRefusal(hold);
      await along(tx);
      if (made?.['is_new'] !== true) return;
      if (fork.version === testVersion)
        await send(tx, sql.copyTest, [workspaceId, accepted.planHash, fork.planHash]);
      await this.recorder.recordWithin(tx, record, {
        along: [
          ...copying(execution, fork.madeFrom.executionId, copies),
          ...storing(execution, output?.payloads ?? []),
          [insertEvents, [executionId, workspaceId, JSON.stringify(events), new Date(step.atMs)]],
          [saveSnapshot, [executionId, workspaceId, run.number, toStoredJson(run.snapshot)]],
        ],
      });
      if (entry && !record.outcome) {
        await send(tx, sql.setLine, [executionId, entry.key]);
        if ((await placeInFlow(tx, executionId, JSON.stringify(start))) === 'wait') return;
      }
      await send(tx, enqueueInlineStart, [executionId, workspaceId, JSON.stringify(start)]);
    });
    // The outbox starts it when this does not.
    await this.inlineStarts.ensureStarted(workspaceId, executionId).catch(() => undefined);
    return listVisits(fork, step, executionId);
  }

  /** The inputs of the fork: other ones, or those of the execution. Throws when they do not fit the version. */
  private async readInputs(
    tx: EntityManager,
    { workspaceId, id, inputs: former }: Execution,
    plan: Plan,
    wanted: JsonObject | undefined,
  ): Promise<JsonObject> {
    const own = { workspaceId, executionId: id };
    const given = wanted ?? objectOf(await this.payloads.resolveWithin(tx, own, former));
    const { inputs, details } = checkRunInputs(plan, given);
    if (details.length > 0) throw new Invalid(details);
    return inputs;
  }

  /** Finds what the fork takes over, and what it runs anew. */
  private async readKept(
    tx: EntityManager,
    { id }: Execution,
    plan: Plan,
    { from: path, output, input }: ForkWish & { from: string },
  ): Promise<Pick<Fork, 'former' | 'keys' | 'known' | 'given' | 'edited'>> {
    const visits = await readVisits(tx, id);
    const from = visits.find((visit) => visit.path === path);
    if (!from)
      throw Invalid.field(
        'from',
        'names no visit that has run: take a `path` of the block log',
        'unknown_visit',
      );
    const block = findBlock(plan.blocks, from.blockId);
    if (!block)
      throw new Conflict(
        `The version to run has no block ${from.blockId}. Fork from a visit of a block that it has.`,
        'BLOCK_MISSING',
      );
    const edited = input && toEdited(block, { path, input, output });
    const events = await this.log.readEvents(tx, id, 0);
    if (output !== undefined) {
      if (!outsideTypes.has(block.type)) throw noOutput(path);
      // The answers of a pause are checked by its form, once the run has come to it.
      const details = block.type === 'human' ? [] : checkOutput(block, output, 'output');
      if (details.length > 0) throw new Invalid(details);
    }
    const isKept = (visit: Visited) =>
      visit !== from && (visit.seq < from.seq || isIndependent(plan.blocks, visit.path, path));
    const kept = visits.filter(isKept);
    const keptPaths = new Set(kept.map((visit) => visit.path));
    const known = findKnownEnds(events, (one) => keptPaths.has(one));
    const calls = plan.script
      ? []
      : kept.filter(({ type, path: one }) => isEffectType(type) && known.has(one));
    const keys = await findSentKeys(
      tx,
      this.log,
      { executionId: id, events },
      calls.map((visit) => visit.path),
    );
    const isRepeated = (visit: Visited) => !isKept(visit) && (visit !== from || output === undefined);
    return {
      keys,
      known,
      given: output === undefined ? undefined : { path, output },
      edited,
      former: { kept, repeated: filterByPlan(visits.filter(isRepeated), plan) },
    };
  }
}

async function findVersion(
  tx: EntityManager,
  { workflowId, version, planHash }: Execution,
  wanted = version,
): Promise<{ version: number; planHash: string }> {
  if (wanted === version) return { version, planHash };
  const [found] = await send(tx, sql.planOfVersion, [workflowId, wanted]);
  if (!found) throw new NotFound('version');
  return { version: wanted, planHash: String(found['plan_hash']) };
}

const nothing = async () => undefined;

/** The execution of a fork, before its commit. */
const toForkedExecution = (
  { madeFrom, plan, version, planHash, workflowId, workflowName, isTest, inputs }: Fork,
  by: ForkedBy,
): AcceptedExecution => ({
  ...by,
  workflowId,
  workflowName,
  title: buildTitle(plan, inputs),
  version,
  planHash: version === testVersion ? toTestHash(by.executionId) : planHash,
  inputs,
  madeFrom,
  isTest,
  mode: 'async',
  trigger: isTest ? 'test' : 'api',
  activeMsMax: null,
  acceptedAtMs: readClockMs(),
});

/** Returns the visit with its replaced parameters. Throws when its block cannot have them. */
function toEdited(
  block: PlanBlock,
  { path, input, output }: { path: string; input: JsonObject; output: Json | undefined },
): EditedVisit {
  if (output !== undefined)
    throw Invalid.field(
      'input',
      'must be left out beside `output`: the visit is then not carried out',
      'conflict',
    );
  if (!takesInput(block))
    throw new Conflict(
      `The block at ${path} decides by expressions, so it takes no input: change the workflow, deploy it, and fork into that version.`,
      'TAKES_NO_INPUT',
    );
  const details = checkInput(block, input, 'input');
  if (details.length > 0) throw new Invalid(details);
  return { path, params: replaceParams(block, input) };
}

/** Runs the fork as far as is known. Throws when the run does not come to the visit that is given an input or an output. */
function replayFork(
  execution: AcceptedExecution,
  { plan, version, known, given, edited }: Pick<Fork, 'plan' | 'version' | 'known' | 'given' | 'edited'>,
): { run: LoggedRun; step: LoggedStep } {
  const { inputs, acceptedAtMs: nowMs } = execution;
  const run = LoggedRun.open(plan, { inputs, run: buildFacts(execution, nowMs), nowMs });
  const step = replayKnownEnds(run, known, { given, edited, nowMs });
  const changed = (given ?? edited)?.path;
  if (changed !== undefined && !step.visits.some(({ path }) => path === changed))
    throw new Conflict(
      `In version ${version} the run does not come to ${changed} with these inputs and what is kept. Fork from an earlier visit.`,
      'VISIT_NOT_REACHED',
    );
  return { run, step };
}

/** The visits that ran, in their order. */
async function readVisits(tx: EntityManager, id: string): Promise<Visited[]> {
  const rows = (await send(tx, sql.visitsOf, [id])) as unknown as Visited[];
  return rows.filter(({ status }) => status !== 'skipped');
}

/** The visits that the version to run can carry out anew. */
const filterByPlan = (visits: Visited[], { blocks }: Plan): Visited[] => {
  const known = new Set(visits.map(({ blockId }) => blockId).filter((id) => findBlock(blocks, id)));
  return visits.filter(({ blockId }) => known.has(blockId));
};

/** Stands for the id of a fork that is not made yet. */
const unknownId = '{id of the fork}';

/** What a fork does, from what follows at once from all that is known, and from what the original did after that. */
function listVisits(
  { former, keys, known, given, plan }: Fork,
  { visits }: LoggedStep,
  executionId: string,
): ForkedVisits {
  const reached = new Set(visits.map(({ path }) => path));
  const taken = new Set(visits.filter(({ status }) => status !== 'skipped').map(({ path }) => path));
  // What only computes gives the same again, so it is in neither list.
  const before = new Set(former.kept.map(({ path }) => path));
  const kept = former.kept.filter(({ path }) => known.has(path) && taken.has(path));
  const begun = visits.filter(({ path }) => taken.has(path) && !before.has(path) && path !== given?.path);
  const later = former.repeated.filter(({ path }) => !reached.has(path));
  return {
    kept: kept.map((visit) => ({
      ...pickVisit(visit),
      repeatsCalls: false,
      key: keys.get(visit.path) ?? null,
    })),
    repeated: [...begun, ...later].map((visit) => {
      const isCall = isEffectType(visit.type);
      const key = isCall && !plan.script ? buildEffectKey({ executionId }, { visit }) : null;
      return { ...pickVisit(visit), repeatsCalls: isCall || visit.type === 'workflow', key };
    }),
  };
}

const pickVisit = ({ path, blockId, name, type }: Omit<Visited, 'seq' | 'status'>) => ({
  path,
  blockId,
  name,
  type,
});
