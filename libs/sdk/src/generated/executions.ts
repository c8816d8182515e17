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
   * Shows one execution with its inputs, its output and what each block did. The blocks come by pages; pass `nextCursor` as `cursor` for the next.
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
   * Asks an execution to end. It is answered at once; blocks that reach outside are told to stop, and open pauses close. Read the execution, or its job, to see when it has ended.
   *
   * `POST /api/workflows/{workflowId}/executions/{executionId}/cancel`
   */
  cancel(workflowId: string, executionId: string, options: CallOptions = {}): Call<AnswerOf<'cancelExecution'>> {
    return this.transport.read({ id: 'cancelExecution', verb: 'POST', path: `/api/workflows/${this.segment(workflowId)}/executions/${this.segment(executionId)}/cancel` }, options);
  }

  /**
   * Read what an execution did when, as a graph.
   *
   * Shows which way an execution went through its graph, when each block ran, and which pauses are open. `pageUrl` is the same as a page that anyone with the link can open for a day.
   *
   * `GET /api/v1/executions/{executionId}/timeline`
   */
  getTimeline(executionId: string, params: QueryOf<'getTimeline'> = {}, options: CallOptions = {}): Call<AnswerOf<'getTimeline'>> {
    return this.transport.read({ id: 'getTimeline', verb: 'GET', path: `/api/v1/executions/${this.segment(executionId)}/timeline`, params }, options);
  }
}
