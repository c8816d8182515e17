import type { JsonObject } from '#libs/platform/json/json';
import { importNeeds, importOutcomes, importSources, type ImportSource } from '#libs/language/import/report';
import { folderMax } from '#libs/runs/workflows/folder';
import { Bool, Int, ListOf, Obj, Objects, One, OneOf, Text } from '../http/fields.ts';
import { WorkspaceId } from '../http/workspace-query.ts';
import { descriptionMax, nameMax, WorkflowView } from './workflows.shapes.ts';

export class ImportQuery {
  @WorkspaceId() workspaceId?: string;
  @OneOf(importSources, {
    optional: true,
    description: 'The product whose file it is. Left out, it is an export of Holdfast.',
  })
  from?: ImportSource;
  @Bool({
    query: true,
    optional: true,
    default: false,
    description: 'With `from`: answers the same and stores nothing.',
  })
  dryRun: boolean = false;
  @Text({
    optional: true,
    min: 1,
    max: nameMax,
    description: 'The name of the workflow, in place of the one in the file.',
  })
  workflowName?: string;
}

export class OwnImportBody {
  @WorkspaceId() workspaceId?: string;
  @Text({ optional: true, max: 10, description: 'The version of the form of exports, `1`.' })
  version?: string;
  @Text({ min: 1, max: nameMax, description: 'The name, which no other workflow of the workspace may have.' })
  name!: string;
  @Text({ optional: true, max: descriptionMax, description: 'What it is for; empty when left out.' })
  description?: string;
  @Text({ optional: true, max: folderMax, description: 'A path, as `sales/eu`; empty at the top.' })
  folder?: string;
  @Obj({ description: 'The definition; /api/v1/definition-schema holds its JSON Schema.' })
  definition!: JsonObject;
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
    description: 'The name; needed without `from`. A file of n8n has it too, and one of Sim in `workflow`.',
  })
  name?: string;
  @Text({ optional: true, max: descriptionMax, description: 'What it is for; empty when left out.' })
  description?: string;
  @Text({ optional: true, max: folderMax, description: 'A path, as `sales/eu`; empty at the top.' })
  folder?: string;
  @Obj({ optional: true, description: 'The definition; needed without `from`.' }) definition?: JsonObject;
  @Objects({ optional: true, description: 'Of a file of n8n: its nodes.' }) nodes?: JsonObject[];
  @Obj({
    optional: true,
    description: 'Of a file of n8n: its connections, by the name of the node where they begin.',
  })
  connections?: JsonObject;
  @Obj({ optional: true, description: 'Of a file of Sim: its name and description.' }) workflow?: JsonObject;
  @Obj({ optional: true, description: 'Of a file of Sim: its blocks, edges and variables.' })
  state?: JsonObject;
}

export class ImportedBlockView {
  @Text({ description: 'The name of the block in the file.' }) name!: string;
  @Text({ description: 'The type that it has in the other product.' }) type!: string;
  @OneOf(importOutcomes, {
    description:
      '`kept` does the same as before, `changed` does it in another way, `refused` is a placeholder that refuses a deploy.',
  })
  outcome!: string;
  @Text({
    nullable: true,
    description: 'The id of the block that it became, or `start`; null when there is none.',
  })
  becomes!: string | null;
  @Text({ description: 'What is different, or what to do instead; empty when there is nothing to say.' })
  note!: string;
}

export class ImportNeedView {
  @OneOf(importNeeds, { description: 'The kind of thing.' }) kind!: string;
  @Text({ description: 'The name under which it is looked for.' }) name!: string;
  @Text({ description: 'What it is for, in a sentence.' }) note!: string;
}

export class ImportSummaryView {
  @Int({ description: 'How many blocks do the same as before.' }) kept!: number;
  @Int({ description: 'How many do it in another way.' }) changed!: number;
  @Int({ description: 'How many have to be made by hand.' }) refused!: number;
}

export class ImportReportView {
  @One(() => ImportSummaryView, { description: 'How many blocks there are of each outcome.' })
  summary!: ImportSummaryView;
  @ListOf(() => ImportedBlockView, { description: 'Every block of the file, each once.' })
  blocks!: ImportedBlockView[];
  @ListOf(() => ImportNeedView, { description: 'What the file names and does not hold, and must be made.' })
  needs!: ImportNeedView[];
}

/** The result of an import from another product. */
export class ForeignImportView {
  @One(() => WorkflowView, {
    nullable: true,
    description: 'The workflow that was created; null in a dry run.',
  })
  workflow!: WorkflowView | null;
  @Obj({ description: 'The definition that the file became.' }) definition!: JsonObject;
  @One(() => ImportReportView, { description: 'What became of each block, and what must be made.' })
  report!: ImportReportView;
}
