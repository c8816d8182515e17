import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { ServerEventBus } from '@modelcontextprotocol/server';
import { CompletionNotifier } from '#libs/platform/database/completion-notifier';

/** Tells the listeners of a server that its list of tools has changed, from any process. */
@Injectable()
export class ToolChanges implements OnModuleDestroy {
  private readonly stop = new AbortController();

  constructor(private readonly waiters: CompletionNotifier) {}

  /** Aborted when this process stops. A client then listens to another process. */
  get closing(): AbortSignal {
    return this.stop.signal;
  }

  /** The events of one workspace. They come only through the database, so that every process gets the same. */
  getBus(workspaceId: string): ServerEventBus {
    return {
      publish: () => undefined,
      subscribe: (listener) =>
        this.waiters.onNotice(`tools ${workspaceId}`, () => listener({ kind: 'tools_list_changed' })),
    };
  }

  onModuleDestroy(): void {
    this.stop.abort();
  }
}
