import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { terminal } from '#libs/executions/execution.entity';
import { Executions } from '#libs/executions/executions';
import { SettledWaiters } from '#libs/executions/settled-waiters';
import { ExecutionViews } from './execution-views.ts';
import { jobIdOf, JobView } from './executions.shapes.ts';

/** Longest silence before a comment keeps proxies from closing the stream. */
const keepAliveMs = 15_000;

/** Server-sent events of one job: an event a state, the last one `done`. */
@Injectable()
export class JobStream {
  constructor(
    private readonly executions: Executions,
    private readonly waiters: SettledWaiters,
    private readonly views: ExecutionViews,
  ) {}

  /** An id names a state, so that a client that comes back with `Last-Event-ID` hears only what is new. */
  open(
    reply: FastifyReply,
    workspaceId: string,
    executionId: string,
    lastEventId: string | undefined,
  ): Readable {
    reply
      .status(200)
      .header('Content-Type', 'text/event-stream; charset=utf-8')
      .header('Cache-Control', 'no-store');
    return Readable.from(this.events(workspaceId, executionId, lastEventId));
  }

  private async *events(
    workspaceId: string,
    executionId: string,
    lastEventId: string | undefined,
  ): AsyncGenerator<string> {
    let seen = lastEventId;
    for (;;) {
      const found = await this.waiters.wait(
        executionId,
        () => this.change(workspaceId, executionId, seen),
        keepAliveMs,
      );
      if (!found) {
        // The client comes back with `Last-Event-ID`, to another process.
        if (this.waiters.closing) return;
        yield ': still there\n\n';
        continue;
      }
      seen = found.id;
      yield `id: ${found.id}\nevent: ${found.done ? 'done' : 'status'}\ndata: ${found.data}\n\n`;
      if (found.done) return;
    }
  }

  private async change(workspaceId: string, executionId: string, seen: string | undefined) {
    const row = await this.executions.get(workspaceId, executionId);
    const view = JobView.of(row, jobIdOf(row.id), await this.views.paused(row));
    const data = JSON.stringify(view);
    const id = createHash('sha256').update(data).digest('base64url').slice(0, 16);
    const done = terminal(row.status);
    return id === seen && !done ? null : { id, data, done };
  }
}
