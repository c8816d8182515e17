// This file is generated from the description of the API: change that, and run `npm run clients`.
import type { Call } from '../call.ts';
import type { CallOptions } from '../options.ts';
import type { AnswerOf } from '../shapes.ts';
import { Resource } from '../resource.ts';

/** The calls of `client.health`. */
export class HealthResource extends Resource {
  /**
   * Check that the process is alive.
   *
   * Tells a supervisor that the process needs no restart. It asks no database, because a restart does not bring a database back.
   *
   * `GET /health/live`
   */
  checkLiveness(options: CallOptions = {}): Call<AnswerOf<'checkLiveness'>> {
    return this.transport.read({ id: 'checkLiveness', verb: 'GET', path: `/health/live` }, options);
  }

  /**
   * Check that the process can serve requests.
   *
   * Tells a load balancer whether to send calls here. Without Temporal it stays ready: executions are accepted and start later.
   *
   * `GET /health/ready`
   */
  checkReadiness(options: CallOptions = {}): Call<AnswerOf<'checkReadiness'>> {
    return this.transport.read({ id: 'checkReadiness', verb: 'GET', path: `/health/ready` }, options);
  }
}
