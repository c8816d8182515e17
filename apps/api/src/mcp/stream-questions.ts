import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { InputRequests, Server, ServerContext } from '@modelcontextprotocol/server';
import { isObject, type Json, type JsonObject } from '#libs/platform/json/json';
import { CompletionNotifier } from '#libs/platform/database/completion-notifier';
import { TooLarge } from '#libs/platform/errors/errors';
import { type Correspondent, isAnswer, toChannelName } from './legacy-sessions.ts';

/** Carries messages to the process that waits for them. */
export type Messages = Pick<CompletionNotifier, 'sendMessage' | 'onMessage'>;

/**
 * Asks clients of older revisions through the stream of an open call. The answer comes in a separate request, to any
 * process. That process passes it on to the process with the stream.
 */
@Injectable()
export class StreamQuestions {
  constructor(@Inject(CompletionNotifier) private readonly messages: Messages) {}

  /** The responses to these requests by key. A request without a response in time is left out. */
  async ask(
    { server, ctx }: { server: Server; ctx: ServerContext },
    requests: InputRequests,
    correspondent: Correspondent,
    signal: AbortSignal,
  ): Promise<JsonObject> {
    const answered = Object.entries(requests).map(async ([key, { method, params }]) => {
      const id = randomUUID();
      // The older revision gives each link an id, so that a client can learn when its page is done.
      const isLink = isObject(params) && params.mode === 'url';
      const sentParams = { ...params, ...(isLink ? { elicitationId: id } : {}) };
      const answer = this.awaitResult(toChannelName('question', correspondent, id), signal);
      const message = { jsonrpc: '2.0', id, method, params: sentParams } as const;
      await server.transport?.send(message, { relatedRequestId: ctx.mcpReq.id });
      const response = await answer;
      return response === undefined ? [] : [[key, response] as const];
    });
    return Object.fromEntries((await Promise.all(answered)).flat());
  }

  /** The result in the answer to one question; undefined after an error, or when the time is over. */
  private awaitResult(name: string, signal: AbortSignal): Promise<Json | undefined> {
    return new Promise((resolve) => {
      const end = (message?: Json) => {
        off();
        signal.removeEventListener('abort', giveUp);
        resolve(isObject(message) ? message.result : undefined);
      };
      const giveUp = () => end();
      const off = this.messages.onMessage(name, end);
      if (signal.aborted) giveUp();
      else signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  /**
   * Passes a message about an open call to the process that holds the call. True for an answer, because nobody else
   * needs it.
   */
  pass(correspondent: Correspondent, message: JsonObject): boolean {
    if (message.method === 'notifications/cancelled') this.cancel(correspondent, message.params);
    if (!isAnswer(message)) return false;
    this.answer(correspondent, message);
    return true;
  }

  /** Ignores an answer to an unknown question. */
  private answer(correspondent: Correspondent, message: JsonObject): void {
    const { id = null, result = null } = message;
    const name = toChannelName('question', correspondent, id);
    if (this.messages.sendMessage(name, 'result' in message ? { result } : {})) return;
    throw new TooLarge(
      'An answer on the stream of a call has at most 7 KB; answer on the page of the pause.',
    );
  }

  /** Calls the listener when the client no longer waits for this call. Returns a function that ends this. */
  onCancelled(correspondent: Correspondent, requestId: Json, listener: () => void): () => void {
    return this.messages.onMessage(toChannelName('call', correspondent, requestId), listener);
  }

  private cancel(correspondent: Correspondent, params: unknown): void {
    const { requestId } = isObject(params) ? params : {};
    if (requestId !== undefined)
      this.messages.sendMessage(toChannelName('call', correspondent, requestId), null);
  }
}
