import type { Call } from './call.ts';
import { PausesResource } from './generated/pauses.ts';
import type { CallOptions } from './options.ts';
import type { Schemas } from './shapes.ts';

export interface AnswerParams {
  /** The fields of the form by their names. */
  input?: Record<string, unknown>;
}

/** The calls of `client.pauses`. */
export class Pauses extends PausesResource {
  /**
   * Answers a pause, and resolves when the run has ended or waits again.
   *
   * `POST /api/resume/{workflowId}/{executionId}/{contextId}`
   */
  answer(
    workflowId: string,
    executionId: string,
    contextId: string,
    params: AnswerParams = {},
    options: CallOptions = {},
  ): Call<Schemas['ResumeResultView']> {
    return this.#send([workflowId, executionId, contextId], { ...params }, options);
  }

  /** Answers a pause, and resolves when the answer is accepted; the run goes on behind it. */
  startAnswer(
    workflowId: string,
    executionId: string,
    contextId: string,
    params: AnswerParams = {},
    options: CallOptions = {},
  ): Call<Schemas['ResumeAcknowledgementView']> {
    return this.#send([workflowId, executionId, contextId], { ...params, async: true }, options);
  }

  #send<T>(ids: string[], params: object, options: CallOptions): Call<T> {
    const path = `/api/resume/${ids.map((id) => this.segment(id)).join('/')}`;
    const request = {
      id: 'resumeExecution',
      verb: 'POST',
      path,
      params,
      body: 'json' as const,
      idempotent: true,
    };
    return this.transport.read(request, options);
  }
}
