import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { NotFound } from '#libs/platform/errors/errors';
import type { Plan } from '#libs/language/definition/plan';
import { readAnswers } from '#libs/runs/scenario/script';
import { TestRuns } from '#libs/runs/executions/control/test-runs';
import { Executions } from '#libs/runs/executions/executions';
import { RecordedScenarios } from '#libs/runs/history/recorded-scenarios';
import { Deployments } from '#libs/runs/workflows/deployments';
import { HttpAnswer, KeyedWork } from '../http/answer.ts';
import { Idempotent } from '../http/answer.interceptor.ts';
import { ApiResult } from '../http/api-result.ts';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RequirePermission, Unmetered } from '../http/route-decorators.ts';
import { HeldView } from './execution-fields.ts';
import { ExecutionViews } from './execution-views.ts';
import { AcknowledgementView } from './executions.dto.ts';
import { ExecutionDefinitionView, RecordedScenarioView, TestBody } from './tests.dto.ts';

@ApiTags('Execution and jobs')
@Controller('api')
export class TestsController {
  constructor(
    private readonly tests: TestRuns,
    private readonly executions: Executions,
    private readonly deployments: Deployments,
    private readonly scenarios: RecordedScenarios,
    private readonly views: ExecutionViews,
  ) {}

  @Post('v1/workflows/:workflowId/test')
  @ApiOperation({
    summary: 'Run the draft of a workflow as a test',
    description:
      'Runs the draft, or the definition of the body, as an execution that is marked as a test: `isTest` is true, and `version` is 0. Its calls are made, unless the body has `effects` or `children` as a scenario has them. A test is in no statistics and in the usage of no workflow; it tells no endpoint, starts no trigger, raises no alert and waits in no line.',
  })
  @RequirePermission('write', 'workflow')
  @Unmetered()
  @ApiBody({ type: TestBody, required: false })
  @Idempotent('exec')
  @ApiResult(202, { data: AcknowledgementView }, 'The test was accepted as a job.', {
    also: [402, 409, 422],
  })
  testWorkflow(
    @CurrentCaller() admission: Admission,
    @Param('workflowId') workflowId: string,
    @Body() body: TestBody,
  ) {
    return new KeyedWork(`test ${workflowId}`, body, async (once) => {
      const { inputs = {}, definition, effects, children } = body;
      const answers = { ...(effects && { effects }), ...(children && { children }) };
      const readScript = effects || children ? (plan: Plan) => readAnswers(answers, plan) : undefined;
      const wish = { inputs, definition, readScript };
      const { limitStatus, hold } = await this.tests.startTest(admission, workflowId, once, wish);
      const data = {
        ...this.views.acknowledgement(once.id, limitStatus),
        ...(hold ? { held: HeldView.of(hold) } : {}),
      };
      return new HttpAnswer({ data }, { limits: { status: limitStatus, bucket: 'async' } });
    });
  }

  @Get('workflows/:workflowId/executions/:executionId/definition')
  @ApiOperation({
    summary: 'Read the definition that an execution runs',
    description: 'Gives the definition of the version of an execution, or of the draft that it tests.',
  })
  @RequirePermission('read', 'workflow')
  @ApiResult(200, { data: ExecutionDefinitionView }, 'The definition, as it was when the execution began.')
  async getExecutionDefinition(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('workflowId') workflowId: string,
    @Param('executionId') executionId: string,
  ) {
    const row = await this.executions.getExecution(workspaceId, executionId);
    if (row.workflowId !== workflowId) throw new NotFound('execution');
    const definition = await this.deployments.definitionOf(workspaceId, row);
    return { data: { version: row.version, definition } satisfies ExecutionDefinitionView };
  }

  @Get('workflows/:workflowId/executions/:executionId/scenario')
  @ApiOperation({
    summary: 'Make a scenario from an execution',
    description:
      'Gives a file with one scenario: the definition of the execution, its inputs, what its calls and children returned, what people answered and when, and its end. It names secrets and has none of their values. The scenario was played once; `differences` says where the play went another way.',
  })
  @RequirePermission('read', 'workflow')
  @ApiResult(200, { data: RecordedScenarioView }, 'The file, as `holdfast scenario` plays it.', {
    also: [409],
  })
  async getScenario(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('workflowId') workflowId: string,
    @Param('executionId') executionId: string,
  ) {
    const { file, differences } = await this.scenarios.recordScenario(workspaceId, executionId, workflowId);
    return { data: { scenario: file, differences } satisfies RecordedScenarioView };
  }
}
