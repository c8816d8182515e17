import type { IncomingMessage, ServerResponse } from 'node:http';
import { Webhooks } from '#libs/sdk/src/webhooks';
import { LocalServer } from './local-server.ts';

interface ReceivedEvent {
  type: string;
  data: { executionId: string; workflowName: string };
}

/** Hears of events, as somebody else's system would: it believes only what is signed with its secret. */
export class EventReceiver extends LocalServer {
  readonly events: ReceivedEvent[] = [];
  /** The secret of the endpoint, which is known once the endpoint is made. */
  secret = '';

  static start(): Promise<EventReceiver> {
    return new EventReceiver().listen();
  }

  protected async answer(request: IncomingMessage, response: ServerResponse, text: string): Promise<void> {
    try {
      // The signature proves that the body comes from the product, which documents its shape.
      const event = await new Webhooks().unwrap(text, request.headers, this.secret);
      this.events.push(event as ReceivedEvent);
      response.writeHead(200).end();
    } catch {
      response.writeHead(401).end();
    }
  }
}
