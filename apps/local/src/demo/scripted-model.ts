import type { IncomingMessage, ServerResponse } from 'node:http';
import { LocalServer } from './local-server.ts';

/** The part of a question to the demo's model that its script reads. */
interface ModelRequest {
  model: string;
  messages: { role: string; content: string }[];
}

/**
 * Stands in for a language model, over `POST /v1/chat/completions`: it follows a script and understands nothing. It
 * proposes a refund when the complaint has the word "broken", else an explanation.
 */
export class ScriptedModel extends LocalServer {
  /** The model that each turn asked for. */
  readonly models: string[] = [];

  static start(): Promise<ScriptedModel> {
    return new ScriptedModel().listen();
  }

  /** The value of `LLM_BASE_URL`. */
  get url(): string {
    return `http://${this.address}/v1`;
  }

  protected answer(request: IncomingMessage, response: ServerResponse, body: string): void {
    const isTurn = request.method === 'POST' && request.url === '/v1/chat/completions';
    response.writeHead(isTurn ? 200 : 404, { 'content-type': 'application/json' });
    if (!isTurn) return void response.end('{"error":{"message":"There are only chat completions here."}}');
    const turn = JSON.parse(body) as ModelRequest;
    this.models.push(turn.model);
    response.end(JSON.stringify(completionOf(turn)));
  }
}

function completionOf({ model, messages }: ModelRequest): object {
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
