import { Injectable } from '@nestjs/common';
import type { Plan, PlanScript } from '#libs/language/definition/plan';
import type { JsonObject } from '#libs/platform/json/json';
import { Deployments, testVersion, toTestHash } from '#libs/runs/workflows/deployments';
import { ExecutionStarter, type StartedExecution, type Starter } from '../accept/start-execution.ts';

/** What is tested, and how. */
export interface TestWish {
  inputs: JsonObject;
  /** A definition in the place of the draft. */
  definition?: JsonObject;
  /** Reads the answers in the place of calls, and throws when they do not fit the plan. With them no call is made; without them all are. */
  readScript?: (plan: Plan) => PlanScript;
}

/** Runs drafts as executions that are marked as tests. */
@Injectable()
export class TestRuns {
  constructor(
    private readonly deployments: Deployments,
    private readonly starter: ExecutionStarter,
  ) {}

  /** Accepts and starts a test, through the door of all executions. Throws for faults in what is tested, before anything is stored. */
  async startTest(
    starter: Starter,
    workflowId: string,
    once: { id: string; isRetry: boolean },
    { inputs, definition: given, readScript }: TestWish,
  ): Promise<StartedExecution> {
    const { workspaceId } = starter;
    const draft = await this.deployments.compileDraft(workspaceId, workflowId, given);
    const { workflowName, definition } = draft;
    const script = readScript?.(draft.plan);
    const plan = script ? { ...draft.plan, script } : draft.plan;
    const planHash = toTestHash(once.id);
    const tested = { workflowId, workflowName, version: testVersion, planHash, plan };
    return this.starter.startExecution(starter, workflowId, once, {
      inputs,
      tested,
      trigger: 'test',
      mode: 'async',
      activeMsMax: null,
      store: (tx) =>
        this.deployments.storeTest(tx, { workspaceId, executionId: once.id }, { plan, definition }),
    });
  }
}
