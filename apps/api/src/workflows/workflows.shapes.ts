import type { JsonObject } from '#libs/platform/json/json';
import { executionStatuses } from '#libs/runs/executions/execution.entity';
import { folderMax } from '#libs/runs/workflows/folder';
import type { Folder, ListedWorkflow } from '#libs/runs/workflows/listing';
import type { Listed, Workflow } from '#libs/runs/workflows/workflow.entity';
import { Bool, Int, ListOf, Obj, One, OneOf, Text, Texts, Time } from '../http/fields.ts';
import { DetailView } from '../http/responds.ts';
import { WorkspaceCursorQuery } from '../http/cursor-query.ts';
import { WorkspaceId } from '../http/workspace-query.ts';

export const nameMax = 128;
export const descriptionMax = 2000;

export class CreateWorkflowBody {
  @WorkspaceId() workspaceId?: string;
  @Text({ min: 1, max: nameMax, description: 'The name, which no other workflow of the workspace may have.' })
  name!: string;
  @Text({ optional: true, max: descriptionMax, description: 'What it is for; empty when left out.' })
  description?: string;
  @Text({ optional: true, max: folderMax, description: 'A path, as `sales/eu`; empty at the top.' })
  folder?: string;
  @Obj({ description: 'The definition; /api/v1/definition-schema holds its JSON Schema.' })
  definition!: JsonObject;
}

export class UpdateWorkflowBody {
  @WorkspaceId() workspaceId?: string;
  @Text({ optional: true, min: 1, max: nameMax, description: 'The new name; left out, it stays.' })
  name?: string;
  @Text({ optional: true, max: descriptionMax, description: 'The new description; left out, it stays.' })
  description?: string;
  @Text({ optional: true, max: folderMax, description: 'A path, as `sales/eu`; empty at the top.' })
  folder?: string;
  @Obj({
    optional: true,
    description: 'The new draft as a whole; left out, it stays. What is live is not touched.',
  })
  definition?: JsonObject;
}

/** A definition alone, or the whole body of a create. Only the definition is checked. */
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

/** A workflow in lists, without its definition. */
export class WorkflowSummaryView {
  @Text({ description: 'The id of the workflow, which begins with `wf_`.' }) id!: string;
  @Text({ description: 'The id of the workspace that it belongs to.' }) workspaceId!: string;
  @Text({ description: 'The name, which is unique in the workspace.' }) name!: string;
  @Text({ description: 'What it is for; empty when nobody has said.' }) description!: string;
  @Text({ description: 'A path, as `sales/eu`; empty at the top.' }) folder!: string;
  @Bool({ description: 'True when a version is live, so that it can be executed.' }) isDeployed!: boolean;
  @Time({
    nullable: true,
    description: 'When a version became live last, in ISO 8601 and UTC; null when none is.',
  })
  deployedAt!: string | null;
  @Int({ nullable: true, description: 'The live version.' }) version!: number | null;
  @Time({ description: 'When it was created, in ISO 8601 and UTC.' }) createdAt!: string;
  @Time({ description: 'When it was changed last, in ISO 8601 and UTC.' }) updatedAt!: string;

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
  @Time({ description: 'When it was accepted, in ISO 8601 and UTC.' }) createdAt!: string;
}

class RecentExecutionView {
  @OneOf(executionStatuses, { description: 'The state of that execution.' }) status!: string;
  @Int({ nullable: true, description: 'Milliseconds from start to end; null while it runs.' })
  duration!: number | null;
}

export class ListedWorkflowView extends WorkflowSummaryView {
  @One(() => LastExecutionView, { nullable: true, description: 'Null when it was never executed.' })
  lastExecution!: LastExecutionView | null;
  @ListOf(() => RecentExecutionView, { description: 'The last twelve executions at most, the oldest first.' })
  recentExecutions!: RecentExecutionView[];

  static override of(workflow: ListedWorkflow): ListedWorkflowView {
    const { lastExecution, recentExecutions } = workflow;
    return { ...WorkflowSummaryView.of(workflow), lastExecution, recentExecutions };
  }
}

export class FolderView implements Folder {
  @Text({ description: 'Empty at the top.' }) path!: string;
  @Int({ description: 'Workflows that lie in it, without those below.' }) workflowCount!: number;
  @Int({ description: 'How many of these are deployed.' }) deployedCount!: number;
}

export class WorkflowView extends WorkflowSummaryView {
  @Obj({ description: 'The draft; what runs is the live version.' }) definition!: JsonObject;

  static override of(workflow: Workflow): WorkflowView {
    return { ...WorkflowSummaryView.of(workflow), definition: workflow.definition };
  }
}

export class ValidationView {
  @Bool({ description: 'True when there are no faults, so that a deploy would be done.' }) valid!: boolean;
  @ListOf(() => DetailView, {
    description: 'Every fault, with its block and the path of its field; empty when there are none.',
  })
  faults!: DetailView[];
  @Texts({ description: 'What may not be meant, a sentence each.' }) warnings!: string[];
}

export class WorkflowStatusView {
  @Bool({ description: 'True when a version is live, so that it can be executed.' }) isDeployed!: boolean;
  @Time({
    nullable: true,
    description: 'When a version became live last, in ISO 8601 and UTC; null when none is.',
  })
  deployedAt!: string | null;
  @Bool({ description: 'The draft differs from the live version.' }) needsRedeployment!: boolean;
}

/** An exported workflow, in the form for an import. */
export class ExportView {
  @Text({ description: 'The version of the form of exports, `1`.' }) version!: string;
  @Text({ description: 'The name of the workflow.' }) name!: string;
  @Text({ description: 'What it is for; empty when nobody has said.' }) description!: string;
  @Text({ description: 'A path, as `sales/eu`; empty at the top.' }) folder!: string;
  @Obj({ description: 'The draft.' }) definition!: JsonObject;
}

export class DeletedView {
  @Text({ description: 'The id of what was deleted; of a secret, its name.' }) id!: string;
  @Bool({ description: 'Always true.' }) deleted!: boolean;
}
