import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { Unavailable } from '#libs/platform/errors/errors';
import { routeConfigOf } from './route-config.ts';

/** Long enough that one large body, or the boot, does not count as having too much to do. */
const sampleMs = 3000;

/**
 * Refuses calls with a key before anything is done for them while the event loop runs behind by more than `delayMsMax` on
 * the average of the last three seconds. Health checks and pages are served: they say how the process is, and cost little.
 */
export async function refuseUnderPressure(server: FastifyInstance, delayMsMax: number): Promise<void> {
  await server.register(underPressure, {
    sampleInterval: sampleMs,
    maxEventLoopDelay: delayMsMax,
    pressureHandler: async (request) => {
      if (routeConfigOf(request).needsKey)
        throw new Unavailable(
          'The service has more to do than it can; send the request again after the seconds in Retry-After.',
        );
    },
  });
}
