import { createHmac } from 'node:crypto';
import { Pool } from 'undici';
import type { JsonObject } from '#libs/platform/json/json';

/** The address of a trigger that takes signed deliveries. */
export class Hook {
  private constructor(
    private readonly pool: Pool,
    private readonly path: string,
    private readonly secret: Buffer,
  ) {}

  /** Creates the trigger. Its deliveries give their amount to the workflow. */
  static async create(
    post: (path: string, body: object) => Promise<JsonObject>,
    baseUrl: string,
    workflowId: string,
  ): Promise<Hook> {
    const { data } = await post(`/api/v1/workflows/${workflowId}/triggers`, {
      kind: 'webhook',
      name: 'Bench',
      webhook: { scheme: 'standard-webhooks' },
    });
    const { url, secret } = data as { url: string; secret: string };
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return new Hook(new Pool(baseUrl), new URL(url).pathname, key);
  }

  /** Delivers one event. Returns the status of the answer. */
  async deliver(id: string): Promise<number> {
    const body = '{"amount":7}';
    const time = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', this.secret).update(`${id}.${time}.${body}`).digest('base64');
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': time,
      'webhook-signature': `v1,${signature}`,
    };
    const answer = await this.pool.request({ path: this.path, method: 'POST', headers, body });
    await answer.body.dump();
    return answer.statusCode;
  }

  stop(): Promise<void> {
    return this.pool.close();
  }
}
