// This file is generated from the description of the API: change that, and run `npm run clients`.
import type { Call } from '../call.ts';
import type { CallOptions } from '../options.ts';
import type { EventStream } from '../events.ts';
import type { AnswerOf, QueryOf, Schemas } from '../shapes.ts';
import { Resource } from '../resource.ts';

/** The calls of `client.jobs`. */
export class JobsResource extends Resource {
  /**
   * Read a job, or wait for its end.
   *
   * Shows the state of an execution. With `wait` the answer comes when the execution has ended, or after this number of seconds; then ask again. A run that waits for a person is `processing` and has `paused`.
   *
   * `GET /api/jobs/{jobId}`
   */
  get(jobId: string, params: QueryOf<'getJob'> = {}, options: CallOptions = {}): Call<AnswerOf<'getJob'>> {
    return this.transport.read({ id: 'getJob', verb: 'GET', path: `/api/jobs/${this.segment(jobId)}`, params }, options);
  }

  /**
   * Follow a job as server-sent events.
   *
   * Streams each state of a job as it comes, until the run has ended or waits for a person. A client that lost the connection sends the id of its last event and misses nothing.
   *
   * `GET /api/jobs/{jobId}/events`
   */
  follow(jobId: string, options: CallOptions = {}): EventStream<Schemas['JobView']> {
    return this.transport.follow({ id: 'followJob', verb: 'GET', path: `/api/jobs/${this.segment(jobId)}/events` }, options);
  }
}
