import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { Unavailable } from '#libs/platform/errors/errors';
import { getRouteFlags } from './route-config.ts';

/** Long enough that one large body, or the boot, does not count as overload. */
const sampleMs = 3000;

/**
 * Refuses hooks and calls with a key at once while the event loop is late by more than `delayMsMax`, on the average of the last
 * three seconds. Health checks and pages are still served: they show the state of the process and cost little.
 */
export async function refuseUnderPressure(server: FastifyInstance, delayMsMax: number): Promise<void> {
  await server.register(underPressure, {
    sampleInterval: sampleMs,
    maxEventLoopDelay: delayMsMax,
    pressureHandler: async (request) => {
      const { needsKey, isHook } = getRouteFlags(request);
      if (needsKey || isHook)
        throw new Unavailable(
          'The service is overloaded; send the request again after the seconds in Retry-After.',
        );
    },
  });
}
