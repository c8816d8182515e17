import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { HttpAnswer } from '../http/answer.ts';
import { streamed } from '../http/streamed.ts';
import { LastingAnswers } from '../http/lasting-answers.ts';
import { writeJson } from '#libs/platform/json/unread-json';
import { terminal, type Execution } from '#libs/runs/executions/execution.entity';
import { Executions } from '#libs/runs/executions/executions';
import { ExecutionWaiters } from '#libs/runs/executions/deliver/execution-waiters';
import type { LinkReader } from '../pauses/caller-links.ts';
import { ExecutionViews } from './execution-views.ts';
import { toJobId, JobView, type PausedView } from './executions.dto.ts';

/** The longest silence. A comment keeps proxies from closing the stream. */
const keepAliveMs = 15_000;

/** One state of a job. The rank orders states. All snapshots of a pause have the same rank. */
interface State {
  id: string;
  rank: number;
  data: string;
  done: boolean;
}

/** Server-sent events of one job: an event for each state, and `done` at the end. */
@Injectable()
export class JobStream {
  constructor(
    private readonly executions: Executions,
    private readonly waiters: ExecutionWaiters,
    private readonly views: ExecutionViews,
    private readonly lasting: LastingAnswers,
  ) {}

  /**
   * Begins with the current state, or after the state that `lastEventId` names. Missed states follow in order, with the
   * times of the row. A pause that is over is left out.
   */
  open(
    request: FastifyRequest,
    reader: LinkReader,
    { executionId, lastEventId }: { executionId: string; lastEventId?: string },
  ): HttpAnswer<Readable> {
    return streamed(this.lasting.events(request, this.events(reader, executionId, lastEventId)));
  }

  private async *events(
    reader: LinkReader,
    executionId: string,
    lastEventId: string | undefined,
  ): AsyncGenerator<string> {
    let lastSeen = lastEventId;
    for (;;) {
      const states = await this.waiters.waitForExecution(
        executionId,
        () => this.statesAfter(lastSeen, reader, executionId),
        keepAliveMs,
      );
      if (!states) {
        // The client returns with `Last-Event-ID`, to another process.
        if (this.waiters.closing) return;
        yield ': still there\n\n';
        continue;
      }
      for (const { id, data, done } of states) {
        lastSeen = id;
        yield `id: ${id}\nevent: ${done ? 'done' : 'status'}\ndata: ${data}\n\n`;
        if (done) return;
      }
    }
  }

  /** The states that a client who has `seen` lacks, the current one last; null when it lacks none. */
  private async statesAfter(
    lastSeen: string | undefined,
    reader: LinkReader,
    executionId: string,
  ): Promise<State[] | null> {
    const row = await this.executions.getExecution(reader.workspaceId, executionId);
    const now = toState(row, await this.views.paused(row, reader));
    if (now.id === lastSeen && !now.done) return null;
    if (lastSeen === undefined) return [now];
    const passed = listPassedStates(row).filter(
      ({ id, rank }) => id !== lastSeen && rank > parseRank(lastSeen) && rank < now.rank,
    );
    return [...passed, now];
  }
}

/** The earlier states of the row, as a reader would have seen them then. */
function listPassedStates(row: Execution): State[] {
  const before = { ...row, output: null, failure: null, completedAt: null };
  const queued = toState({ ...before, status: 'queued', startedAt: null }, null);
  return row.startedAt ? [queued, toState({ ...before, status: 'running' }, null)] : [queued];
}

function toState(row: Execution, paused: PausedView | null): State {
  const done = terminal(row.status);
  const rank = done ? 3 : paused ? 2 : row.status === 'queued' ? 0 : 1;
  const data = writeJson(JobView.of(row, toJobId(row.id), paused));
  const digest = createHash('sha256').update(data).digest('base64url').slice(0, 16);
  return { id: `${rank}.${digest}`, rank, data, done };
}

/** An unknown id counts as one before the first state. */
function parseRank(id: string): number {
  return Number(/^([0-3])\./.exec(id)?.[1] ?? -1);
}
