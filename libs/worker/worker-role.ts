import type { Server } from 'node:http';
import { Injectable } from '@nestjs/common';
import { DocumentOutbox } from '#libs/knowledge/ingestion/document-outbox';
import { Sandbox } from '#libs/platform/sandbox/sandbox';
import { Settings } from '#libs/platform/settings/settings';
import { TemporalClient } from '#libs/platform/temporal-client/temporal-client';
import { InlineStartOutbox } from '#libs/runs/executions/deliver/inline-start-outbox';
import { StartOutbox } from '#libs/runs/executions/deliver/start-outbox';
import { AnswerOutbox } from '#libs/runs/pauses/answer-outbox';
import type { HostedWorker } from '#libs/runs/temporal-workers/hosted-worker';
import { WorkflowHost } from '#libs/runs/temporal-workers/workflow-host';
import { ImportOutbox } from '#libs/tables/files/import-outbox';
import { EventOutbox } from '#libs/workspace/endpoints/event-outbox';
import { EffectHost } from './effect-host.ts';
import { WorkerEnds } from './effects/worker-ends.ts';
import { serveHealth } from './health.ts';
import { ImportHost } from './imports/import-host.ts';
import { IngestionHost } from './ingestion/ingestion-host.ts';
import { MaintenanceLoops } from './maintenance-loops.ts';
import { watchOutboxes, watchQueues } from './watch-work.ts';

/** The role of a worker, in a process of its own or in the API: it polls every queue, and keeps rows and Temporal in step. */
@Injectable()
export class WorkerRole {
  private readonly workers: HostedWorker[];
  private health: Server | undefined;

  constructor(
    workflows: WorkflowHost,
    effects: EffectHost,
    ingestion: IngestionHost,
    imports: ImportHost,
    private readonly loops: MaintenanceLoops,
    private readonly ends: WorkerEnds,
    private readonly sandbox: Sandbox,
    private readonly settings: Settings,
    private readonly temporal: TemporalClient,
    private readonly starts: StartOutbox,
    private readonly inlineStarts: InlineStartOutbox,
    private readonly answers: AnswerOutbox,
    private readonly documents: DocumentOutbox,
    private readonly importOutbox: ImportOutbox,
    private readonly events: EventOutbox,
  ) {
    this.workers = [workflows.worker, ...effects.workers, ...ingestion.workers, imports.worker];
  }

  /** Starts the work, and serves its health. `giveUp` is called when this process can no longer do it. */
  async start(giveUp: (why: string) => void): Promise<void> {
    const { workers, loops, sandbox, settings } = this;
    for (const worker of workers) worker.start();
    loops.start();
    for (const { name, lost } of workers)
      void lost.then(async (atMs) => {
        await this.ends.noteEnd(atMs);
        giveUp(`the worker ${name} cannot run again in this process, so it ends`);
      });
    this.health = await serveHealth(settings.workerHealthPort, settings.host, { workers, sandbox });
  }

  /** Adds the gauges of the work that waits. */
  watchWork(): void {
    watchOutboxes({
      executions: () => this.starts.lag(),
      inline_starts: () => this.inlineStarts.lag(),
      ended_runs: () => this.inlineStarts.endedLag(),
      answers: () => this.answers.lag(),
      documents: () => this.documents.lag(),
      imports: () => this.importOutbox.lag(),
      events: () => this.events.lag(),
    });
    const [, ...activities] = this.workers.map(({ name }) => name);
    watchQueues(this.temporal, this.settings.queue, activities);
  }

  /** Stops polling and the loops at the same moment, and waits for running tasks within their grace time. */
  async stop(): Promise<void> {
    this.health?.close();
    await Promise.all([...this.workers, this.loops].map((one) => one.stop()));
  }
}
