import type { FastifyInstance, FastifyRequest } from 'fastify';
import { UnsupportedBody } from '#libs/platform/errors/errors';
import { StorageQuota } from '#libs/workspace/limits/storage-quota';
import type { CalledTriggers } from '#libs/triggers/called-triggers';
import { PublicRateLimiter } from '../http/public-rate-limiter.ts';
import { getRouteFlags } from '../http/route-config.ts';

/** What one address may send, and what one form takes, in a minute and in this process. */
const [perAddress, perForm] = [30, 600];

/** Meters what is sent from forms, and refuses files that a form does not take, before any of it is read. */
export function checkFormBeforeBody(
  server: FastifyInstance,
  triggers: CalledTriggers,
  room: StorageQuota,
): void {
  const addresses = new PublicRateLimiter(perAddress);
  const forms = new PublicRateLimiter(perForm);
  const checkPost = async (request: FastifyRequest) => {
    addresses.countRequest(request.ip, performance.now());
    const { token } = request.params as { token: string };
    const { id, form, workspaceId } = await triggers.findForm(token);
    forms.countRequest(id, performance.now());
    const takesFiles = form.fields?.some(({ type }) => type === 'file') === true;
    if (!/^\s*multipart\//i.test(request.headers['content-type'] ?? '')) return;
    if (!takesFiles) throw new UnsupportedBody('This form takes no files.');
    await room.require(workspaceId);
  };
  server.addHook('onRequest', async (request) => {
    if (getRouteFlags(request).isForm === true && request.method === 'POST') await checkPost(request);
  });
}
