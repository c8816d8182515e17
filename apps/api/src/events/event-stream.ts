import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { beginStream } from '../http/event-headers.ts';
import { RequestCallers } from '../http/caller-of-request.ts';
import { type WorkspaceEvent, WorkspaceEvents } from './workspace-events.ts';

/** A stream checks this often whether its caller may still read. A revoked key or session ends it. */
const checkEveryMs = 5000;

/** Server-sent events about one workspace, for one caller. */
@Injectable()
export class EventStream {
  constructor(
    private readonly events: WorkspaceEvents,
    private readonly callers: RequestCallers,
  ) {}

  /** Begins with the current state, unless `lastEventId` names it. */
  open(
    request: FastifyRequest,
    reply: FastifyReply,
    { workspaceId, lastEventId }: { workspaceId: string; lastEventId: string | undefined },
  ): Readable {
    beginStream(reply);
    return Readable.from(this.texts(request, workspaceId, lastEventId));
  }

  private async *texts(
    request: FastifyRequest,
    workspaceId: string,
    lastEventId: string | undefined,
  ): AsyncGenerator<string> {
    const line: WorkspaceEvent[] = [];
    let wake = (): void => undefined;
    const end = this.events.watchWorkspace(workspaceId, (event) => {
      // A slow reader gets all changes as one.
      if (line.length > 0) line.push(mergedWith(line.pop(), event));
      else line.push(event);
      wake();
    });
    this.events.stopping.addEventListener('abort', () => wake());
    try {
      const now = await this.events.readEvent(workspaceId);
      yield now.id === lastEventId ? ': nothing has changed\n\n' : textOf(now);
      while (!this.events.stopping.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, line.length > 0 ? 0 : checkEveryMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        if (!(await this.mayRead(request, workspaceId))) return;
        const event = line.pop();
        yield event ? textOf(event) : ': still there\n\n';
      }
    } finally {
      end();
    }
  }

  private async mayRead(request: FastifyRequest, workspaceId: string): Promise<boolean> {
    try {
      const caller = await this.callers.callerOf(request);
      caller.require(workspaceId, 'read');
      return true;
    } catch {
      return false;
    }
  }
}

function mergedWith(before: WorkspaceEvent | undefined, event: WorkspaceEvent): WorkspaceEvent {
  return { id: event.id, changed: [...new Set([...(before?.changed ?? []), ...event.changed])] };
}

function textOf({ id, changed }: WorkspaceEvent): string {
  return `id: ${id}\nevent: change\ndata: ${JSON.stringify({ changed })}\n\n`;
}
