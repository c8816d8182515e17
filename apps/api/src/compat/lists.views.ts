import type { Workspace } from '#libs/workspace/auth/people.entity';
import type { FullLogEntry, LogEntry } from '#libs/runs/history/logs';
import type { Table } from '#libs/tables/schema/table';
import type { ListedWorkflow } from '#libs/runs/workflows/listing';
import { buildSpans } from '../executions/trace-spans.ts';
import { SearchItemView } from '../knowledge/knowledge.dto.ts';
import { TableView } from '../tables/tables.dto.ts';
import { WorkflowSummaryView } from '../workflows/workflows.dto.ts';
import { toClientStatus } from './runs.views.ts';

/** A folder in the clients' form: from the root, with a slash. */
const toFolderPath = (folder: string) => `/${folder}`;

/** A folder in our form. */
export const folderIn = (folderPath: string) => folderPath.replace(/^\//, '');

/** `runCount` is null, because counting all executions of a workflow takes longer the more there are. */
export function foreignWorkflow(workflow: ListedWorkflow) {
  const { folder, version: _, ...summary } = WorkflowSummaryView.of(workflow);
  return {
    ...summary,
    folderPath: toFolderPath(folder),
    runCount: null,
    lastRunAt: workflow.lastExecution?.createdAt ?? null,
  };
}

/** Tables have no folder and no lock. */
export function foreignTable(table: Table) {
  const locks = { schemaLocked: false, insertLocked: false, updateLocked: false, deleteLocked: false };
  return { ...TableView.of(table), folderPath: toFolderPath(''), locks, job: null };
}

export function foreignWorkspace({ id, name, createdAt, updatedAt }: Workspace, memberCount: number) {
  return {
    id,
    name,
    logoUrl: null,
    memberCount,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

function toTimes({ createdAt, startedAt, endedAt }: LogEntry) {
  return {
    // The clients need a time. An execution that has not begun gets the time of its acceptance.
    startedAt: (startedAt ?? createdAt).toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  };
}

const toDuration = ({ startedAt, endedAt }: LogEntry) =>
  startedAt && endedAt ? endedAt.getTime() - startedAt.getTime() : null;

const toCost = ({ cost }: LogEntry) => (cost === null ? null : { total: cost });

export function foreignRun(entry: LogEntry) {
  const { executionId: runId, workflowId, status, trigger } = entry;
  return {
    runId,
    workflowId,
    status: toClientStatus(status),
    trigger,
    ...toTimes(entry),
    durationMs: toDuration(entry),
    cost: toCost(entry),
  };
}

export function foreignLog(entry: LogEntry) {
  const { durationMs: totalDurationMs, ...run } = foreignRun(entry);
  return {
    kind: 'workflow',
    ...run,
    deploymentVersionId: entry.deploymentId,
    level: entry.status === 'failed' ? 'error' : 'info',
    totalDurationMs,
    files: null,
  };
}

export function foreignFullLog(
  entry: FullLogEntry,
  parts: { includeTraceSpans: boolean; includeFinalOutput: boolean },
) {
  const { id, name, description, deleted } = entry.workflow;
  return {
    ...foreignLog(entry),
    workflow: { id, name, description, deleted },
    ...(parts.includeFinalOutput ? { finalOutput: entry.output } : {}),
    ...(parts.includeTraceSpans ? { traceSpans: buildSpans(entry.blocks) } : {}),
  };
}

type FoundChunk = Parameters<typeof SearchItemView.of>[0];

export function foreignResult(result: FoundChunk, n: number, publicUrl: string) {
  const { similarity, ...item } = SearchItemView.of(result, publicUrl);
  const knowledgeBaseId = result.baseId;
  return { knowledgeBaseId, ...item, similarity, rankScore: similarity, rank: n + 1 };
}
