import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { HttpAnswer } from '../http/answer.ts';
import { streamed } from '../http/streamed.ts';
import { LastingAnswers } from '../http/lasting-answers.ts';
import { type WorkspaceEvent, WorkspaceEvents } from './workspace-events.ts';

/** The longest silence. A comment keeps proxies from closing the stream. */
const keepAliveMs = 5000;

/** Server-sent events about one workspace, for one caller. */
@Injectable()
export class WorkspaceEventStream {
  constructor(
    private readonly events: WorkspaceEvents,
    private readonly lasting: LastingAnswers,
  ) {}

  /** Begins with the current state, unless `lastEventId` names it. */
  open(
    request: FastifyRequest,
    { workspaceId, lastEventId }: { workspaceId: string; lastEventId: string | undefined },
  ): HttpAnswer<Readable> {
    return streamed(this.lasting.events(request, this.texts(workspaceId, lastEventId)));
  }

  private async *texts(workspaceId: string, lastEventId: string | undefined): AsyncGenerator<string> {
    const line: WorkspaceEvent[] = [];
    let wake = (): void => undefined;
    const end = this.events.watchWorkspace(workspaceId, (event) => {
      // A slow reader gets all changes as one.
      if (line.length > 0) line.push(mergedWith(line.pop(), event));
      else line.push(event);
      wake();
    });
    const stop = () => wake();
    this.events.stopping.addEventListener('abort', stop);
    try {
      const now = await this.events.readEvent(workspaceId);
      yield now.id === lastEventId ? ': nothing has changed\n\n' : formatEvent(now);
      while (!this.events.stopping.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, line.length > 0 ? 0 : keepAliveMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        const event = line.pop();
        yield event ? formatEvent(event) : ': still there\n\n';
      }
    } finally {
      this.events.stopping.removeEventListener('abort', stop);
      end();
    }
  }
}

function mergedWith(before: WorkspaceEvent | undefined, event: WorkspaceEvent): WorkspaceEvent {
  return { id: event.id, changed: [...new Set([...(before?.changed ?? []), ...event.changed])] };
}

function formatEvent({ id, changed }: WorkspaceEvent): string {
  return `id: ${id}\nevent: change\ndata: ${JSON.stringify({ changed })}\n\n`;
}
