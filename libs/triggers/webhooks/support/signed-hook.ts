import { createHmac } from 'node:crypto';
import { Pool } from 'undici';
import type { JsonObject } from '#libs/platform/json/json';

/** The address of a trigger that takes signed deliveries. They go to its APIs in turn. */
export class Hook {
  private turn = 0;

  private constructor(
    private readonly pools: Pool[],
    private readonly path: string,
    private readonly secret: Buffer,
  ) {}

  /** Creates the trigger. The bodies of its deliveries are the inputs of the workflow. */
  static async create(
    post: (path: string, body: object) => Promise<JsonObject>,
    baseUrls: string[],
    workflowId: string,
  ): Promise<Hook> {
    const { data } = await post(`/api/v1/workflows/${workflowId}/triggers`, {
      kind: 'webhook',
      name: 'Bench',
      webhook: { scheme: 'standard-webhooks' },
    });
    const { url, secret } = data as { url: string; secret: string };
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const pools = baseUrls.map((baseUrl) => new Pool(baseUrl));
    return new Hook(pools, new URL(url).pathname, key);
  }

  /** Delivers one event. */
  async deliver(id: string, body = '{"amount":7}'): Promise<{ status: number; text: string }> {
    const time = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', this.secret).update(`${id}.${time}.${body}`).digest('base64');
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': time,
      'webhook-signature': `v1,${signature}`,
    };
    const pool = this.pools[this.turn++ % this.pools.length];
    if (!pool) throw new Error('The hook has no address.');
    const answer = await pool.request({ path: this.path, method: 'POST', headers, body });
    return { status: answer.statusCode, text: await answer.body.text() };
  }

  async stop(): Promise<void> {
    await Promise.all(this.pools.map((pool) => pool.close()));
  }
}
