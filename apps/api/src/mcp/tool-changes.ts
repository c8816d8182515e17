import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { ServerEventBus } from '@modelcontextprotocol/server';
import { CompletionNotifier } from '#libs/platform/database/completion-notifier';

/** Tells whoever listens to a server that its list of tools has changed, in whichever process that was committed. */
@Injectable()
export class ToolChanges implements OnModuleDestroy {
  private readonly stop = new AbortController();

  constructor(private readonly waiters: CompletionNotifier) {}

  /** Aborted when this process stops: a client listens again, to another one. */
  get closing(): AbortSignal {
    return this.stop.signal;
  }

  /** The events of one workspace. Only the database gives them, so that each process hears the same. */
  busOf(workspaceId: string): ServerEventBus {
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
