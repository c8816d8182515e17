import type { JsonObject } from '#libs/platform/json/json';

/** The addresses at which a receiver reads what an event tells of: in the API, and in the console where it has a page. */
export function toLinks(publicUrl: string, workspaceId: string, data: JsonObject): Record<string, string> {
  const at = (path: string, id: unknown) => `${publicUrl}${path}${String(id)}`;
  const { executionId, workflowId, contextId, documentId, knowledgeBaseId } = data;
  const { tableId, importId, rowId, triggerId } = data;
  const console = `/console/w/${workspaceId}`;
  if (rowId !== undefined) return { api: at(`/api/v1/tables/${String(tableId)}/rows/`, rowId) };
  if (triggerId !== undefined)
    return { api: at(`/api/v1/workflows/${String(workflowId)}/triggers/`, triggerId) };
  if (contextId !== undefined)
    return {
      api: at(`/api/resume/${String(workflowId)}/${String(executionId)}/`, contextId),
      console: at(`${console}/inbox?open=`, contextId),
    };
  if (executionId !== undefined)
    return {
      api: at(`/api/workflows/${String(workflowId)}/executions/`, executionId),
      console: at(`${console}/executions/`, executionId),
    };
  if (documentId !== undefined)
    return { api: at(`/api/v1/knowledge/${String(knowledgeBaseId)}/documents/`, documentId) };
  if (importId !== undefined) return { api: at(`/api/v1/tables/${String(tableId)}/imports/`, importId) };
  return workflowId === undefined ? {} : { api: at('/api/v1/workflows/', workflowId) };
}
