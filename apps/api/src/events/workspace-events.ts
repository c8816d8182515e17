import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { type WorkspacePulse, WorkspacePulses } from '#libs/runs/history/workspace-pulse';

/** A watched workspace is checked this often, for any number of watchers. */
const everyMs = 1000;

/** A change of a workspace: the parts that differ from the event before. */
export interface WorkspaceEvent {
  id: string;
  changed: string[];
}

/** The state of a workspace while somebody watches it. */
interface WatchedWorkspace {
  pulse: WorkspacePulse | null;
  readonly emitter: EventEmitter;
  timer: NodeJS.Timeout | null;
}

/** Tells the watchers of a workspace that something has changed. The process checks once a second for all of them. */
@Injectable()
export class WorkspaceEvents implements OnModuleDestroy {
  private readonly log = new Logger(WorkspaceEvents.name);
  private readonly watched = new Map<string, WatchedWorkspace>();
  private readonly stopped = new AbortController();

  constructor(private readonly pulses: WorkspacePulses) {}

  /** Aborted when this process stops. Watchers go on at another process. */
  get stopping(): AbortSignal {
    return this.stopped.signal;
  }

  /** Calls the listener with each change from now on. Returns a function that ends this. */
  watchWorkspace(workspaceId: string, listener: (event: WorkspaceEvent) => void): () => void {
    const watched = this.watched.get(workspaceId) ?? this.begin(workspaceId);
    watched.emitter.on('event', listener);
    return () => {
      watched.emitter.off('event', listener);
      if (watched.emitter.listenerCount('event') > 0) return;
      if (watched.timer) clearTimeout(watched.timer);
      this.watched.delete(workspaceId);
    };
  }

  /** The event for the current state of the workspace. */
  async readEvent(workspaceId: string): Promise<WorkspaceEvent> {
    return { id: toEventId(await this.pulses.readPulse(workspaceId)), changed: [] };
  }

  onModuleDestroy(): void {
    this.stopped.abort();
    for (const { timer } of this.watched.values()) if (timer) clearTimeout(timer);
  }

  private begin(workspaceId: string): WatchedWorkspace {
    const watched: WatchedWorkspace = {
      pulse: null,
      emitter: new EventEmitter().setMaxListeners(0),
      timer: null,
    };
    this.watched.set(workspaceId, watched);
    void this.look(workspaceId, watched);
    return watched;
  }

  /** The next check begins after the last one has ended, so that a slow database gets no more of them. */
  private async look(workspaceId: string, watched: WatchedWorkspace): Promise<void> {
    try {
      const pulse = await this.pulses.readPulse(workspaceId);
      const before = watched.pulse;
      watched.pulse = pulse;
      const changed = before ? Object.keys(pulse).filter((part) => pulse[part] !== before[part]) : [];
      if (changed.length > 0) watched.emitter.emit('event', { id: toEventId(pulse), changed });
    } catch (error) {
      this.log.warn(`The changes of ${workspaceId} cannot be read now: ${String(error)}`);
    }
    if (this.watched.get(workspaceId) !== watched || this.stopped.signal.aborted) return;
    watched.timer = setTimeout(() => void this.look(workspaceId, watched), everyMs);
    watched.timer.unref();
  }
}

function toEventId(pulse: WorkspacePulse): string {
  return createHash('sha256').update(JSON.stringify(pulse)).digest('base64url').slice(0, 16);
}
