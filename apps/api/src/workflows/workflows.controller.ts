import { Body, Controller, Delete, Get, Headers, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Audit } from '#libs/workspace/audit/audit';
import { definitionSchema } from '#libs/language/definition/shapes/schema';
import { ApiError, Invalid } from '#libs/platform/errors/errors';
import type { ImportNeed, ImportSource } from '#libs/import/report';
import { Settings } from '#libs/platform/settings/settings';
import type { Principal } from '#libs/triggers/trigger.entity';
import { Triggers } from '#libs/triggers/triggers';
import { DefinitionWork } from '#libs/runs/workflows/definition-work';
import { Deployments } from '#libs/runs/workflows/deployments';
import { Listing } from '#libs/runs/workflows/listing';
import type { Workflow } from '#libs/runs/workflows/workflow.entity';
import { Workflows } from '#libs/runs/workflows/workflows';
import { cutText } from '#libs/platform/text/whole-text';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { Public, RequirePermission } from '../http/route-decorators.ts';
import { ApiOperations } from '../mcp/operations.ts';
import { buildTriggerSchema } from '../triggers/trigger-schema.ts';
import { toFields } from '../triggers/trigger-fields.ts';
import { CreateTriggerBody, OpenedTriggerView } from '../triggers/triggers.dto.ts';
import { WorkspaceCursorQuery } from '../http/cursor-query.ts';
import { type HttpAnswer, versioned } from '../http/answer.ts';
import { TakesIfMatch, versionsIn } from '../http/etag.ts';
import { RawBody } from '../http/raw-input.ts';
import { ApiResult, ApiResultOneOf } from '../http/api-result.ts';
import { readShape, requireChange } from '../http/validation.ts';
import { ForeignImportView, ImportBody, ImportQuery, OwnImportBody } from './import.dto.ts';
import {
  CreateWorkflowBody,
  DeletedView,
  ExportView,
  FolderView,
  ListedWorkflowView,
  UpdateWorkflowBody,
  ValidateBody,
  ValidationView,
  WorkflowQuery,
  WorkflowStatusView,
  WorkflowView,
} from './workflows.dto.ts';
import { nameMax } from './workflow-fields.ts';

const exportVersion = '1';

@ApiTags('Workflows')
@Controller('api')
export class WorkflowsController {
  constructor(
    private readonly workflows: Workflows,
    private readonly deployments: Deployments,
    private readonly listing: Listing,
    private readonly audit: Audit,
    private readonly work: DefinitionWork,
    private readonly triggers: Triggers,
    private readonly settings: Settings,
    private readonly operations: ApiOperations,
  ) {}

  @Get('v1/workflows')
  @ApiOperation({
    summary: 'List the workflows',
    description:
      'Finds workflows by a part of their name, by folder and by state. Each comes with its last execution and without its definition.',
  })
  @RequirePermission('read', 'workspace')
  @ApiResult(
    200,
    { data: [ListedWorkflowView], totalCount: 'whole' },
    'One page of workflows, the oldest first, and the number of all that match.',
    { paged: true },
  )
  async listWorkflows(@CurrentCaller() { workspaceId }: Admission, @Query() query: WorkflowQuery) {
    const { items, totalCount, nextCursor } = await this.listing.workflows(workspaceId, query);
    return { data: items.map((item) => ListedWorkflowView.of(item)), totalCount, nextCursor };
  }

  @Get('v1/folders')
  @ApiOperation({
    summary: 'List the folders that hold workflows',
    description:
      'Lists the folders with the number of workflows in each. A folder exists as long as a workflow names it.',
  })
  @RequirePermission('read', 'workspace')
  @ApiResult(200, { data: [FolderView] }, 'One page of folders, in the order of their paths.', {
    paged: true,
  })
  async listFolders(@CurrentCaller() { workspaceId }: Admission, @Query() query: WorkspaceCursorQuery) {
    const { items, nextCursor } = await this.listing.folders(workspaceId, query);
    return { data: items, nextCursor };
  }

  @Post('v1/workflows')
  @ApiOperation({
    summary: 'Create a workflow',
    description:
      'Stores a draft. It may still have faults: `POST /api/v1/workflows/validate` lists them, and a deploy refuses them. The name must be free in the workspace.',
  })
  @RequirePermission('write', 'workspace')
  @ApiResult(201, { data: WorkflowView }, 'The workflow was created; it runs once it is deployed.', {
    also: [409],
  })
  async createWorkflow(
    @CurrentCaller() { workspaceId }: Admission,
    @Body() { name, description = '', folder = '', definition }: CreateWorkflowBody,
  ) {
    const created = await this.workflows.create(workspaceId, { name, description, folder, definition });
    return toAnswer(created);
  }

  /** Reports all faults and warnings at once and stores nothing. */
  @Post('v1/workflows/validate')
  @ApiOperation({
    summary: 'Check a definition without storing it',
    description:
      'Lists every fault and warning of a definition and stores nothing. It takes the body of a create, so that one file serves both calls.',
  })
  @RequirePermission('read', 'workspace')
  @ApiResult(
    200,
    { data: ValidationView },
    'The result of the check. `valid` is true when the definition can be deployed.',
  )
  async validateDefinition(
    @CurrentCaller() { workspaceId }: Admission,
    @Body() { definition }: ValidateBody,
  ) {
    const { faults, warnings } = await this.deployments.check(workspaceId, definition);
    return { data: { valid: faults.length === 0, faults, warnings } };
  }

  @Post('v1/workflows/import')
  @ApiOperation({
    summary: 'Create a workflow from an export',
    description:
      'Creates a workflow from an export of this or another installation. With `from` it takes the file of another product and reports the outcome for each of its blocks. Secrets and tables are not in an export; they are found by their names.',
  })
  @RequirePermission('write', 'workspace')
  @ApiBody({ type: ImportBody })
  @ApiResultOneOf(
    201,
    [WorkflowView, ForeignImportView],
    'The workflow that was created from the export. With `from` the answer also has the definition and the report.',
    { also: [409] },
  )
  async importWorkflow(
    @CurrentCaller() { workspaceId, caller }: Admission,
    @Query() query: ImportQuery,
    @RawBody() body: unknown,
  ): Promise<HttpAnswer<{ data: WorkflowView }> | { data: ForeignImportView }> {
    if (query.from) return this.importForeign({ workspaceId, actor: caller.actor }, query.from, query, body);
    if (query.dryRun)
      throw Invalid.field(
        'dryRun',
        'needs from; POST /api/v1/workflows/validate tries a definition',
        'needs_from',
      );
    const own = await readShape(OwnImportBody, body);
    const { name, description = '', folder = '', definition } = own;
    const workflow = { name: query.workflowName ?? name, description, folder, definition };
    return toAnswer(await this.workflows.create(workspaceId, workflow));
  }

  @Get('v1/workflows/:workflowId')
  @ApiOperation({
    summary: 'Read one workflow with its draft',
    description:
      'Shows a workflow with its draft. The live version may differ: see `GET /api/workflows/{workflowId}/status`. Send the ETag of the answer as If-Match with a change or a deploy: it is refused when the workflow has changed since.',
  })
  @RequirePermission('read', 'workflow')
  @ApiResult(200, { data: WorkflowView }, 'The workflow with its draft definition.')
  async getWorkflow(@CurrentCaller() { workspaceId }: Admission, @Param('workflowId') id: string) {
    return toAnswer(await this.workflows.get(workspaceId, id));
  }

  @Patch('v1/workflows/:workflowId')
  @ApiOperation({
    summary: 'Change name, description or draft',
    description:
      'Changes only the sent members. A new definition is a new draft; only a deploy changes the live version. With If-Match it is refused when the workflow has changed since.',
  })
  @RequirePermission('write', 'workflow')
  @TakesIfMatch('the workflow')
  @ApiResult(200, { data: WorkflowView }, 'The workflow as it is after the change.', { also: [409, 412] })
  async updateWorkflow(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('workflowId') id: string,
    @Headers('if-match') ifMatch: string | undefined,
    @Body() changes: UpdateWorkflowBody,
  ) {
    requireChange(changes, ['name', 'description', 'folder', 'definition']);
    const expected = versionsIn(ifMatch, 'a workflow');
    return toAnswer(await this.workflows.update(workspaceId, id, changes, expected));
  }

  @Delete('v1/workflows/:workflowId')
  @ApiOperation({
    summary: 'Delete a workflow with its versions',
    description:
      'Deletes the draft and every version. This cannot be undone. The executions stay in the logs until their retention ends.',
  })
  @RequirePermission('admin', 'workflow')
  @ApiResult(
    200,
    { data: DeletedView },
    'The workflow and its versions were deleted; its executions stay in the logs.',
  )
  async deleteWorkflow(@CurrentCaller() { workspaceId }: Admission, @Param('workflowId') id: string) {
    await this.workflows.delete(workspaceId, id);
    return { data: { id, deleted: true } };
  }

  @Get('v1/workflows/:workflowId/export')
  @ApiOperation({
    summary: 'Export the draft',
    description:
      'Gives the draft as a body for `POST /api/v1/workflows/import`, for a copy, a backup or another installation.',
  })
  @RequirePermission('read', 'workflow')
  @ApiResult(200, { data: ExportView }, 'The draft, as a body for import.')
  async exportWorkflow(@CurrentCaller() { workspaceId }: Admission, @Param('workflowId') id: string) {
    const { name, description, folder, definition } = await this.workflows.get(workspaceId, id);
    await this.audit.noteEvent(workspaceId, {
      action: 'workflow.exported',
      resourceType: 'workflow',
      resourceId: id,
    });
    return { data: { version: exportVersion, name, description, folder, definition } };
  }

  private async importForeign(
    { workspaceId, actor }: { workspaceId: string; actor: Principal },
    from: ImportSource,
    { dryRun, workflowName }: ImportQuery,
    body: unknown,
  ): Promise<{ data: ForeignImportView }> {
    const names = await this.work.runJob(workspaceId, 'workflowsNamedIn', from, body);
    const workflows = await this.workflows.idsByName(workspaceId, names);
    const converted = await this.work.runJob(workspaceId, 'convertFile', from, body, { workflows });
    const { name, description, definition, report } = converted;
    const workflow = {
      name: cutText(workflowName ?? name ?? '', nameMax),
      description,
      folder: '',
      definition,
    };
    if (workflow.name === '')
      throw Invalid.field('workflowName', 'is required, since the file names no workflow', 'required');
    if (dryRun) return { data: { workflow: null, definition, report, triggers: [] } };
    const created = WorkflowView.of(await this.workflows.create(workspaceId, workflow));
    const triggers = await this.importTriggers(workspaceId, created.id, report.needs, actor);
    return { data: { workflow: created, definition, report, triggers } };
  }

  /** Makes the triggers of a file. One that cannot be made stays in the report, with the reason. */
  private async importTriggers(
    workspaceId: string,
    workflowId: string,
    needs: ImportNeed[],
    actor: Principal,
  ): Promise<OpenedTriggerView[]> {
    const made: OpenedTriggerView[] = [];
    for (const need of needs)
      for (const wanted of need.triggers)
        try {
          const fields = toFields(await readShape(CreateTriggerBody, wanted));
          const opened = await this.triggers.create(workspaceId, workflowId, fields, actor);
          made.push(OpenedTriggerView.ofOpened(opened, this.settings.publicUrl));
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          const reason = error instanceof Invalid ? (error.details?.[0]?.message ?? '') : error.message;
          need.note += ` The trigger ${wanted.name} was not made: ${reason}.`;
        }
    return made;
  }

  @Get('workflows/:workflowId/status')
  @ApiOperation({
    summary: 'Read the deployment status of a workflow',
    description: 'Shows if a version is live, and if the draft has changed since its deploy.',
  })
  @RequirePermission('read', 'workflow')
  @ApiResult(200, WorkflowStatusView, 'The deployment status: live or not, and changed since or not.')
  async getWorkflowStatus(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('workflowId') id: string,
  ): Promise<WorkflowStatusView> {
    const workflow = await this.workflows.get(workspaceId, id);
    const isDeployed = workflow.liveVersion !== null;
    const live =
      workflow.liveVersion === null
        ? null
        : await this.deployments.version(workspaceId, id, workflow.liveVersion);
    return {
      isDeployed,
      deployedAt: workflow.deployedAt?.toISOString() ?? null,
      needsRedeployment: live !== null && live.definitionHash !== workflow.definitionHash,
    };
  }

  /** The JSON Schema for editors and generators. */
  @Get('v1/definition-schema')
  @ApiOperation({
    summary: 'Read the JSON Schema of a definition',
    description:
      'Gives the JSON Schema of a definition, for editors that complete and check, and for programs that generate workflows. No key is needed.',
  })
  @Public()
  @ApiResponse({
    status: 200,
    description: 'The JSON Schema that every definition must satisfy.',
    content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
  })
  getDefinitionSchema() {
    return definitionSchema(buildTriggerSchema(this.operations.document));
  }
}

/** Returns a workflow with the ETag of its draft. */
function toAnswer(workflow: Workflow): HttpAnswer<{ data: WorkflowView }> {
  return versioned({ data: WorkflowView.of(workflow) }, { version: workflow.revision });
}
