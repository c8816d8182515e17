import type { JsonObject } from '#libs/platform/json/json';
import { importNeeds, importOutcomes, importSources, type ImportSource } from '#libs/import/report';
import type { ImportedTrigger } from '#libs/import/triggers';
import { Bool, Int, ListOf, Obj, Objects, One, OneOf, Text, Texts } from '../http/fields.ts';
import { OpenedTriggerView } from '../triggers/triggers.dto.ts';
import { WorkspaceId } from '../http/workspace-query.ts';
import { WorkflowView } from './workflows.dto.ts';
import {
  FolderPath,
  WorkflowDefinition,
  WorkflowDescription,
  WorkflowName,
  nameMax,
} from './workflow-fields.ts';

export class ImportQuery {
  @WorkspaceId() workspaceId?: string;
  @OneOf(importSources, {
    optional: true,
    description: 'The product that made the file. Left out: Holdfast.',
  })
  from?: ImportSource;
  @Bool({
    query: true,
    optional: true,
    default: false,
    description: 'With `from`: a dry run, which gives the full answer and stores nothing.',
  })
  dryRun: boolean = false;
  @Text({
    optional: true,
    min: 1,
    max: nameMax,
    description: 'The name of the workflow. It replaces the name in the file.',
  })
  workflowName?: string;
}

export class OwnImportBody {
  @WorkspaceId() workspaceId?: string;
  @Text({ optional: true, max: 10, description: 'The version of the form of exports, `1`.' })
  version?: string;
  @WorkflowName() name!: string;
  @WorkflowDescription() description?: string;
  @FolderPath() folder?: string;
  @WorkflowDefinition() definition!: JsonObject;
}

/** The body of both kinds of import, for the description of the API. The conversion checks a file of another product. */
export class ImportBody {
  @WorkspaceId() workspaceId?: string;
  @Text({
    optional: true,
    max: 10,
    description: 'The version of the form of exports, `1`.',
  })
  version?: string;
  @Text({
    optional: true,
    max: nameMax,
    description:
      'The name; needed without `from`. A file of n8n has it here too; a file of Sim has it in `workflow`.',
  })
  name?: string;
  @WorkflowDescription() description?: string;
  @FolderPath() folder?: string;
  @Obj({ optional: true, description: 'The definition; needed without `from`.' }) definition?: JsonObject;
  @Objects({ optional: true, description: 'In a file of n8n: its nodes.' }) nodes?: JsonObject[];
  @Obj({
    optional: true,
    description: 'In a file of n8n: its connections, by the name of the node where they begin.',
  })
  connections?: JsonObject;
  @Obj({ optional: true, description: 'In a file of Sim: its name and description.' }) workflow?: JsonObject;
  @Obj({ optional: true, description: 'In a file of Sim: its blocks, edges and variables.' })
  state?: JsonObject;
}

export class ImportedBlockView {
  @Text({ description: 'The name of the block in the file.' }) name!: string;
  @Text({ description: 'The type of the block in the other product.' }) type!: string;
  @OneOf(importOutcomes, {
    description:
      '`kept`: it works as before. `changed`: it works in another way. `refused`: a placeholder, with which a deploy is refused.',
  })
  outcome!: string;
  @Text({
    nullable: true,
    description: 'The id of the new block, or `start`; null when there is none.',
  })
  becomes!: string | null;
  @Text({ description: 'The differences, or the advice for a replacement; empty when there are none.' })
  note!: string;
}

export class ImportNeedView {
  @OneOf(importNeeds, { description: 'The kind of resource.' }) kind!: string;
  @Text({ description: 'The name by which the workflow looks it up.' }) name!: string;
  @Text({ description: 'The purpose of the resource, in a sentence.' }) note!: string;
  @Objects({
    description:
      'Of a trigger: the settings as `POST /api/v1/workflows/{workflowId}/triggers` takes them, one for each time or address. Empty when it cannot be made.',
  })
  triggers!: ImportedTrigger[];
}

export class ImportSummaryView {
  @Int({ description: 'The number of blocks that work as before.' }) kept!: number;
  @Int({ description: 'The number of blocks that work in another way.' }) changed!: number;
  @Int({ description: 'The number of blocks that must be made by hand.' }) refused!: number;
}

export class ImportReportView {
  @One(() => ImportSummaryView, { description: 'The number of blocks by outcome.' })
  summary!: ImportSummaryView;
  @ListOf(() => ImportedBlockView, { description: 'All blocks of the file, each once.' })
  blocks!: ImportedBlockView[];
  @ListOf(() => ImportNeedView, {
    description: 'The resources that the file names but does not hold, and that must be made.',
  })
  needs!: ImportNeedView[];
  @Texts({ description: 'What is different or left out in the workflow as a whole, in sentences.' })
  notes!: string[];
}

/** The result of an import from another product. */
export class ForeignImportView {
  @One(() => WorkflowView, {
    nullable: true,
    description: 'The workflow that was created; null in a dry run.',
  })
  workflow!: WorkflowView | null;
  @Obj({ description: 'The definition made from the file.' }) definition!: JsonObject;
  @One(() => ImportReportView, {
    description: 'The outcome for each block, and the resources that must be made.',
  })
  report!: ImportReportView;
  @ListOf(() => OpenedTriggerView, {
    description:
      'The triggers that were made, with their addresses and secrets, which are shown only now. They start nothing before the first deploy. Empty in a dry run.',
  })
  triggers!: OpenedTriggerView[];
}
