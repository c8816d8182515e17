import type { JsonObject } from '#libs/platform/json/json';
import { executionStatuses } from '#libs/runs/executions/execution.entity';
import { folderMax } from '#libs/runs/workflows/folder';
import type { Folder, ListedWorkflow } from '#libs/runs/workflows/listing';
import type { Listed, Workflow } from '#libs/runs/workflows/workflow.entity';
import { Bool, Int, ListOf, Obj, One, OneOf, Text, Texts, Time } from '../http/fields.ts';
import { DetailView } from '../http/api-result.ts';
import { WorkspaceCursorQuery } from '../http/cursor-query.ts';
import { WorkspaceId } from '../http/workspace-query.ts';
import {
  FolderPath,
  IsDeployed,
  LiveSince,
  LiveVersion,
  WorkflowDefinition,
  WorkflowDescription,
  WorkflowName,
  nameMax,
  descriptionMax,
} from './workflow-fields.ts';

export class CreateWorkflowBody {
  @WorkspaceId() workspaceId?: string;
  @WorkflowName() name!: string;
  @WorkflowDescription() description?: string;
  @FolderPath() folder?: string;
  @WorkflowDefinition() definition!: JsonObject;
}

export class UpdateWorkflowBody {
  @WorkspaceId() workspaceId?: string;
  @Text({ optional: true, min: 1, max: nameMax, description: 'The new name. Left out: no change.' })
  name?: string;
  @Text({ optional: true, max: descriptionMax, description: 'The new description. Left out: no change.' })
  description?: string;
  @FolderPath() folder?: string;
  @Obj({
    optional: true,
    description: 'The new draft as a whole. Left out: no change. The live version does not change.',
  })
  definition?: JsonObject;
}

/** A definition alone, or the whole body of a create. Only the definition is checked. */
export class ValidateBody {
  @WorkspaceId() workspaceId?: string;
  @Text({ optional: true, max: nameMax, description: 'Accepted and ignored.' }) name?: string;
  @Text({ optional: true, max: descriptionMax, description: 'Accepted and ignored.' })
  description?: string;
  @Text({ optional: true, max: folderMax, description: 'Accepted and ignored.' }) folder?: string;
  @WorkflowDefinition() definition!: JsonObject;
}

export class WorkflowQuery extends WorkspaceCursorQuery {
  @Bool({ query: true, optional: true, default: false, description: 'Only workflows that are deployed.' })
  deployedOnly: boolean = false;
  @OneOf(['deployed', 'draft'], {
    optional: true,
    description: '`deployed`: only deployed workflows. `draft`: only workflows that are not deployed.',
  })
  state?: 'deployed' | 'draft';
  @Text({ optional: true, min: 1, max: nameMax, description: 'A part of the name, in upper or lower case.' })
  name?: string;
  @Text({ optional: true, max: folderMax, description: 'The path of a folder. Its subfolders are included.' })
  folder?: string;
}

/** A workflow in lists, without its definition. */
export class WorkflowSummaryView {
  @Text({ description: 'The id of the workflow, which begins with `wf_`.' }) id!: string;
  @Text({ description: 'The id of its workspace.' }) workspaceId!: string;
  @Text({ description: 'The name, which is unique in the workspace.' }) name!: string;
  @Text({ description: 'The description of the workflow; empty when there is none.' }) description!: string;
  @Text({ description: 'The path of the folder, for example `sales/eu`; empty for the top.' })
  folder!: string;
  @IsDeployed() isDeployed!: boolean;
  @LiveSince() deployedAt!: string | null;
  @LiveVersion() version!: number | null;
  @Time({ description: 'The time of creation, in ISO 8601 and UTC.' }) createdAt!: string;
  @Time({ description: 'The time of the last change, in ISO 8601 and UTC.' }) updatedAt!: string;

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
  @Text({ description: 'The id of the execution, which begins with `exec_`.' }) executionId!: string;
  @OneOf(executionStatuses, { description: 'The state of that execution.' }) status!: string;
  @Time({ description: 'The time of acceptance, in ISO 8601 and UTC.' }) createdAt!: string;
}

class RecentExecutionView {
  @OneOf(executionStatuses, { description: 'The state of that execution.' }) status!: string;
  @Int({ nullable: true, description: 'Milliseconds from start to end; null while it runs.' })
  duration!: number | null;
}

export class ListedWorkflowView extends WorkflowSummaryView {
  @One(() => LastExecutionView, {
    nullable: true,
    description: 'The last execution; null when there was none.',
  })
  lastExecution!: LastExecutionView | null;
  @ListOf(() => RecentExecutionView, { description: 'The last twelve executions at most, the oldest first.' })
  recentExecutions!: RecentExecutionView[];

  static override of(workflow: ListedWorkflow): ListedWorkflowView {
    const { lastExecution, recentExecutions } = workflow;
    return { ...WorkflowSummaryView.of(workflow), lastExecution, recentExecutions };
  }
}

export class FolderView implements Folder {
  @Text({ description: 'The path of the folder; empty for the top.' }) path!: string;
  @Int({ description: 'The number of workflows in the folder, without its subfolders.' })
  workflowCount!: number;
  @Int({ description: 'The number of deployed workflows among these.' }) deployedCount!: number;
}

export class WorkflowView extends WorkflowSummaryView {
  @Obj({ description: 'The draft. Executions run the live version.' }) definition!: JsonObject;

  static override of(workflow: Workflow): WorkflowView {
    return { ...WorkflowSummaryView.of(workflow), definition: workflow.definition };
  }
}

export class ValidationView {
  @Bool({ description: 'True when there are no faults and a deploy is possible.' }) valid!: boolean;
  @ListOf(() => DetailView, {
    description: 'Every fault, with its block and the path of its field; empty when there are none.',
  })
  faults!: DetailView[];
  @Texts({ description: 'The warnings about likely mistakes, a sentence each.' }) warnings!: string[];
}

export class WorkflowStatusView {
  @IsDeployed() isDeployed!: boolean;
  @LiveSince() deployedAt!: string | null;
  @Bool({ description: 'True when the draft differs from the live version.' }) needsRedeployment!: boolean;
}

/** An exported workflow, in the form for an import. */
export class ExportView {
  @Text({ description: 'The version of the form of exports, `1`.' }) version!: string;
  @Text({ description: 'The name of the workflow.' }) name!: string;
  @Text({ description: 'The description of the workflow; empty when there is none.' }) description!: string;
  @Text({ description: 'The path of the folder, for example `sales/eu`; empty for the top.' })
  folder!: string;
  @Obj({ description: 'The draft.' }) definition!: JsonObject;
}

export class DeletedView {
  @Text({ description: 'The id of the deleted resource. A secret has its name here.' }) id!: string;
  @Bool({ description: 'Always true.' }) deleted!: boolean;
}
