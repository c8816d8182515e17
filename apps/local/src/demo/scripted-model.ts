import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** The part of a question to the demo's model that its script reads. */
interface Turn {
  model: string;
  messages: { role: string; content: string }[];
}

/**
 * Stands in for a language model, over `POST /v1/chat/completions`: it follows a script and understands nothing. It
 * proposes a refund when the complaint has the word "broken", else an explanation.
 */
export class ScriptedModel {
  /** The model that each turn asked for. */
  readonly models: string[] = [];
  private readonly server: Server;

  /** Listens on a free port of this machine. */
  static async start(): Promise<ScriptedModel> {
    const model = new ScriptedModel();
    model.server.listen(0, '127.0.0.1');
    await once(model.server, 'listening');
    return model;
  }

  private constructor() {
    this.server = createServer((request, response) => {
      // The worker that asks may be stopped at any moment; then there is nobody to answer.
      this.take(request, response).catch(() => response.destroy());
    });
  }

  /** `127.0.0.1:port`, as `EGRESS_ALLOW` wants it. */
  get address(): string {
    const address = this.server.address();
    if (typeof address !== 'object' || !address) throw new Error('The scripted model does not listen.');
    return `${address.address}:${address.port}`;
  }

  /** The value of `LLM_BASE_URL`. */
  get url(): string {
    return `http://${this.address}/v1`;
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const isTurn = request.method === 'POST' && request.url === '/v1/chat/completions';
    response.writeHead(isTurn ? 200 : 404, { 'content-type': 'application/json' });
    if (!isTurn) return void response.end('{"error":{"message":"There are only chat completions here."}}');
    const turn = JSON.parse(Buffer.concat(chunks).toString()) as Turn;
    this.models.push(turn.model);
    response.end(JSON.stringify(completionOf(turn)));
  }
}

function completionOf({ model, messages }: Turn): object {
  const isBroken = messages.at(-1)?.content.includes('broken') ?? false;
  const proposal = isBroken
    ? { action: 'refund', reason: 'The goods arrived broken.' }
    : { action: 'explain', reason: 'The complaint names no damage.' };
  return {
    id: 'chatcmpl-scripted',
    object: 'chat.completion',
    created: 0,
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: JSON.stringify(proposal) },
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  };
}
