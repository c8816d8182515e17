import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { HttpAnswer } from '../http/answer.ts';
import { streamed } from '../http/streamed.ts';
import { LastingAnswers } from '../http/lasting-answers.ts';
import { writeJson } from '#libs/platform/json/unread-json';
import type { Json } from '#libs/platform/json/json';
import type { Execution } from '#libs/runs/executions/execution.entity';
import { Executions } from '#libs/runs/executions/executions';
import { CompletionNotifier } from '#libs/platform/database/completion-notifier';
import { CompatRuns } from './runs.ts';
import type { OutputSelection } from './selections.ts';

/** The longest silence. A sign of life keeps proxies and clients from closing the stream. */
const keepAliveMs = 15_000;

const parting = 'The service stops; read the run to see how it goes on.';

/** The kinds of streams: lines of JSON, or server-sent events. Both end with the result. */
export type StreamKind = 'lines' | 'events';

/** A committed run with a follower. */
export interface Followed {
  workspaceId: string;
  runId: string;
  selectors: string[];
}

/** Streams that last until a run has ended or waits for a person. */
@Injectable()
export class RunStreams {
  constructor(
    private readonly executions: Executions,
    private readonly waiters: CompletionNotifier,
    private readonly runs: CompatRuns,
    private readonly lasting: LastingAnswers,
  ) {}

  openRunStream(request: FastifyRequest, kind: StreamKind, followed: Followed): HttpAnswer<Readable> {
    const parts = kind === 'lines' ? this.lines(followed) : this.events(followed);
    const type = kind === 'lines' ? 'application/x-ndjson' : 'text/event-stream';
    return streamed(this.lasting.events(request, parts), type);
  }

  private async *lines(followed: Followed): AsyncGenerator<string> {
    for await (const row of this.until(followed)) {
      if (row === 'alive') yield line({ type: 'heartbeat' });
      else if (row === 'parting')
        yield line({ type: 'error', error: parting, code: 'SERVICE_UNAVAILABLE', status: 503 });
      else
        yield line({ type: 'final', data: await this.runs.view(row, await this.selections(row, followed)) });
    }
  }

  private async *events(followed: Followed): AsyncGenerator<string> {
    for await (const row of this.until(followed)) {
      if (row === 'alive') yield ': still there\n\n';
      else if (row === 'parting') yield event({ event: 'error', error: parting });
      else yield* this.ending(row, await this.selections(row, followed));
    }
  }

  private selections(row: Execution, { selectors }: Followed): Promise<OutputSelection[]> {
    return this.runs.selectionsFor(row, selectors);
  }

  private async *ending(row: Execution, selections: OutputSelection[]): AsyncGenerator<string> {
    const view = await this.runs.view(row, selections);
    for (const { selector, blockId } of selections) {
      const value = view.blockOutputs?.[selector];
      if (value !== undefined) yield event({ blockId, chunk: toText(value) });
    }
    const { runId, status, output, error } = view;
    const success = status === 'completed' || status === 'paused';
    const data = { success, runId, status, output, ...(error ? { error: error.message } : {}) };
    yield event({ event: 'final', data });
    yield event('[DONE]');
  }

  /** Yields signs of life until the run has settled, then its row. Yields `parting` when this process stops before. */
  private async *until({ workspaceId, runId }: Followed): AsyncGenerator<Execution | 'alive' | 'parting'> {
    for (;;) {
      const row = await this.executions.waitUntilSettled(workspaceId, runId, keepAliveMs);
      yield row ?? (this.waiters.closing ? 'parting' : 'alive');
      if (row || this.waiters.closing) return;
    }
  }
}

const line = (value: object) => `${writeJson(value)}\n`;
const event = (value: object | string) => `data: ${writeJson(value)}\n\n`;
const toText = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value));
