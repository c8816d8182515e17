import type { ServerResponse } from 'node:http';
import { type Received, Receiver } from './receiver.ts';

/** The answer of the model to one request. */
export interface Said {
  /** Text is sent unchanged. Anything else becomes the JSON of a structured answer. */
  content?: unknown;
  refusal?: string;
  finishReason?: string;
  /** An error instead of an answer. */
  status?: number;
  headers?: Record<string, string>;
}

/** One request as an OpenAI-compatible server reads it. */
export interface Asked {
  authorization: string | undefined;
  body: {
    model: string;
    messages: { role: string; content: string }[];
    temperature?: number;
    max_tokens?: number;
    response_format?: { type: string; json_schema: { name: string; schema: object; strict: boolean } };
  };
}

/** A server for `POST /v1/chat/completions`. The test decides its answers. */
export class ModelServer {
  readonly asked: Asked[] = [];

  private constructor(
    private readonly receiver: Receiver,
    readonly url: string,
  ) {}

  /** `answer` gets the request and the number of earlier requests. */
  static async start(answer: (asked: Asked, before: number) => Said): Promise<ModelServer> {
    const receiver = await Receiver.start((call, response) => {
      if (call.path !== '/v1/chat/completions') return void response.writeHead(404).end('{}');
      const asked = { authorization: call.headers.authorization, body: JSON.parse(call.body) };
      server.asked.push(asked);
      say(response, asked, answer(asked, server.asked.length - 1));
    });
    const server = new ModelServer(receiver, receiver.url('/v1'));
    return server;
  }

  get received(): Received[] {
    return this.receiver.received;
  }

  stop(): void {
    this.receiver.stop();
  }
}

function say(response: ServerResponse, { body }: Asked, said: Said): void {
  const { content = 'hello', refusal, status = 200, headers = {}, finishReason = 'stop' } = said;
  response.writeHead(status, headers);
  if (status !== 200) return void response.end('{"error":{"message":"no"}}');
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const message = refusal
    ? { role: 'assistant', content: null, refusal }
    : { role: 'assistant', content: text };
  response.end(
    JSON.stringify({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model: `${body.model}-2026`,
      choices: [{ index: 0, message, finish_reason: finishReason }],
      usage: { prompt_tokens: 11, completion_tokens: 4, total_tokens: 15 },
    }),
  );
}
