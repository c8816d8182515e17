import type { JsonObject } from '#libs/definition/values';
import { executionStatuses } from '#libs/executions/execution.entity';
import { folderMax } from '#libs/workflows/folder';
import type { Folder, ListedWorkflow } from '#libs/workflows/listing';
import type { Listed, Workflow } from '#libs/workflows/workflow.entity';
import { Bool, Int, ListOf, Obj, One, OneOf, Text, Texts, Time } from '../http/fields.ts';
import { DetailView } from '../http/responds.ts';
import { WorkspaceCursorQuery } from '../http/cursor-query.ts';
import { WorkspaceId } from '../http/workspace-query.ts';

const nameMax = 128;
const descriptionMax = 2000;

export class CreateWorkflowBody {
  @WorkspaceId() workspaceId?: string;
  @Text({ min: 1, max: nameMax }) name!: string;
  @Text({ optional: true, max: descriptionMax }) description?: string;
  @Text({ optional: true, max: folderMax, description: 'A path, as `sales/eu`; empty at the top.' })
  folder?: string;
  @Obj({ description: 'The definition; /api/v1/definition-schema holds its JSON Schema.' })
  definition!: JsonObject;
}

export class UpdateWorkflowBody {
  @WorkspaceId() workspaceId?: string;
  @Text({ optional: true, min: 1, max: nameMax }) name?: string;
  @Text({ optional: true, max: descriptionMax }) description?: string;
  @Text({ optional: true, max: folderMax, description: 'A path, as `sales/eu`; empty at the top.' })
  folder?: string;
  @Obj({ optional: true }) definition?: JsonObject;
}

/** A definition alone, or all that a create takes: only the definition is looked at. */
export class ValidateBody {
  @WorkspaceId() workspaceId?: string;
  @Text({ optional: true, max: nameMax, description: 'Taken and not looked at.' }) name?: string;
  @Text({ optional: true, max: descriptionMax, description: 'Taken and not looked at.' })
  description?: string;
  @Text({ optional: true, max: folderMax, description: 'Taken and not looked at.' }) folder?: string;
  @Obj({ description: 'The definition; /api/v1/definition-schema holds its JSON Schema.' })
  definition!: JsonObject;
}

export class WorkflowQuery extends WorkspaceCursorQuery {
  @Bool({ query: true, optional: true, default: false, description: 'Only workflows that are deployed.' })
  deployedOnly: boolean = false;
  @OneOf(['deployed', 'draft'], { optional: true, description: '`draft`: those that are not deployed.' })
  state?: 'deployed' | 'draft';
  @Text({ optional: true, min: 1, max: nameMax, description: 'A part of the name, in any case.' })
  name?: string;
  @Text({ optional: true, max: folderMax, description: 'A folder, with all that lies below it.' })
  folder?: string;
}

/** A workflow without its definition, as lists show it. */
export class WorkflowSummaryView {
  @Text() id!: string;
  @Text() workspaceId!: string;
  @Text() name!: string;
  @Text() description!: string;
  @Text({ description: 'A path, as `sales/eu`; empty at the top.' }) folder!: string;
  @Bool() isDeployed!: boolean;
  @Time({ nullable: true }) deployedAt!: string | null;
  @Int({ nullable: true, description: 'The live version.' }) version!: number | null;
  @Time() createdAt!: string;
  @Time() updatedAt!: string;

  static of({
    id,
    workspaceId,
    name,
    description,
    folder,
    liveVersion,
    deployedAt,
    createdAt,
    updatedAt,
  }: Listed<Workflow>): WorkflowSummaryView {
    return {
      id,
      workspaceId,
      name,
      description,
      folder,
      isDeployed: liveVersion !== null,
      deployedAt: deployedAt?.toISOString() ?? null,
      version: liveVersion,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    };
  }
}

export class LastExecutionView {
  @Text() executionId!: string;
  @OneOf(executionStatuses) status!: string;
  @Time() createdAt!: string;
}

export class ListedWorkflowView extends WorkflowSummaryView {
  @One(() => LastExecutionView, { nullable: true, description: 'Null when it was never executed.' })
  lastExecution!: LastExecutionView | null;

  static override of(workflow: ListedWorkflow): ListedWorkflowView {
    return { ...WorkflowSummaryView.of(workflow), lastExecution: workflow.lastExecution };
  }
}

export class FolderView implements Folder {
  @Text({ description: 'Empty at the top.' }) path!: string;
  @Int({ description: 'Workflows that lie in it, without those below.' }) workflowCount!: number;
  @Int() deployedCount!: number;
}

export class WorkflowView extends WorkflowSummaryView {
  @Obj() definition!: JsonObject;

  static override of(workflow: Workflow): WorkflowView {
    return { ...WorkflowSummaryView.of(workflow), definition: workflow.definition };
  }
}

export class ValidationView {
  @Bool() valid!: boolean;
  @ListOf(() => DetailView) faults!: DetailView[];
  @Texts() warnings!: string[];
}

export class WorkflowStatusView {
  @Bool() isDeployed!: boolean;
  @Time({ nullable: true }) deployedAt!: string | null;
  @Bool({ description: 'The draft differs from the live version.' }) needsRedeployment!: boolean;
}

/** An exported workflow, in the form that import takes. */
export class ExportView {
  @Text() version!: string;
  @Text() name!: string;
  @Text() description!: string;
  @Text() folder!: string;
  @Obj() definition!: JsonObject;
}

export class ImportBody {
  @WorkspaceId() workspaceId?: string;
  @Text({ optional: true, max: 10 }) version?: string;
  @Text({ min: 1, max: nameMax }) name!: string;
  @Text({ optional: true, max: descriptionMax }) description?: string;
  @Text({ optional: true, max: folderMax, description: 'A path, as `sales/eu`; empty at the top.' })
  folder?: string;
  @Obj() definition!: JsonObject;
}

export class DeletedView {
  @Text() id!: string;
  @Bool() deleted!: boolean;
}
