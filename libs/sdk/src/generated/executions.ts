// This file is generated from the description of the API: change that, and run `npm run clients`.
import type { Call } from '../call.ts';
import type { CallOptions } from '../options.ts';
import type { AnswerOf, DataOf, QueryOf } from '../shapes.ts';
import { Resource } from '../resource.ts';

/** The calls of `client.executions`. */
export class ExecutionsResource extends Resource {
  /**
   * Read one execution with its block log.
   *
   * Shows one execution with its inputs, its output and its block log. The block log has pages; pass `nextCursor` as `cursor` to get the next page.
   *
   * `GET /api/workflows/{workflowId}/executions/{executionId}`
   */
  get(workflowId: string, executionId: string, params: QueryOf<'getExecution'> = {}, options: CallOptions = {}): Call<AnswerOf<'getExecution'>> {
    return this.transport.read({ id: 'getExecution', verb: 'GET', path: `/api/workflows/${this.segment(workflowId)}/executions/${this.segment(executionId)}`, params }, options);
  }

  /**
   * Read a large value of an execution.
   *
   * Gives a value that a block log shows as a reference because it is large. Pass the `$payload` of the reference as `valueId`.
   *
   * `GET /api/workflows/{workflowId}/executions/{executionId}/values/{valueId}`
   */
  getValue(workflowId: string, executionId: string, valueId: string, options: CallOptions = {}): Call<DataOf<'getExecutionValue'>> {
    return this.transport.read({ id: 'getExecutionValue', verb: 'GET', path: `/api/workflows/${this.segment(workflowId)}/executions/${this.segment(executionId)}/values/${this.segment(valueId)}`, valuePath: ['data'] }, options);
  }

  /**
   * Cancel an execution.
   *
   * Asks an execution to end, and answers at once. Effects are told to stop, and open pauses close. Read the execution, or its job, to see when it has ended.
   *
   * `POST /api/workflows/{workflowId}/executions/{executionId}/cancel`
   */
  cancel(workflowId: string, executionId: string, options: CallOptions = {}): Call<AnswerOf<'cancelExecution'>> {
    return this.transport.read({ id: 'cancelExecution', verb: 'POST', path: `/api/workflows/${this.segment(workflowId)}/executions/${this.segment(executionId)}/cancel` }, options);
  }

  /**
   * Read the timeline of an execution as a graph.
   *
   * Shows the way of an execution through its graph, the times of each block, and the open pauses. `pageUrl` shows this as a page: anyone with the link can open it for a day, while the key or session that asked for it lives.
   *
   * `GET /api/v1/executions/{executionId}/timeline`
   */
  getTimeline(executionId: string, params: QueryOf<'getTimeline'> = {}, options: CallOptions = {}): Call<AnswerOf<'getTimeline'>> {
    return this.transport.read({ id: 'getTimeline', verb: 'GET', path: `/api/v1/executions/${this.segment(executionId)}/timeline`, params }, options);
  }
}
