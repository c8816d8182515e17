import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Client, Connection, type WorkflowClientInterceptor } from '@temporalio/client';
import {
  type DataConverter,
  defaultPayloadConverter,
  ExternalStorage,
  type Headers,
} from '@temporalio/common';
import proto from '@temporalio/proto';
import { NativeConnection } from '@temporalio/worker';
import { Database } from '#libs/platform/database/database';
import { CannotStart } from '#libs/platform/settings/cannot-start';
import { Settings, type TemporalSettings } from '#libs/platform/settings/settings';
import { presentOrigin } from '#libs/platform/telemetry/tracing/origin';
import { type KeptEngine, readEngineId, readKeptEngine, refuseOther } from './engine.ts';
import { EndedStarts } from './ended-starts.ts';
import { SealingCodec } from './payload-codec.ts';
import { payloadBytesMax, PayloadStore } from './payload-store.ts';

const { TaskQueueType: Type } = proto.temporal.api.enums.v1;
const taskTypes = { workflow: Type.TASK_QUEUE_TYPE_WORKFLOW, activity: Type.TASK_QUEUE_TYPE_ACTIVITY };
const backlogMsMax = 1000;
const engineMsMax = 2000;

/** The modules of the failure converters, without and with sealing of payloads. Sources that are not compiled have none. */
const [failures, sealedFailures] = ['failure-converter', 'sealed-failures']
  .map((name) => fileURLToPath(new URL(`../../../temporal/${name}.js`, import.meta.url)))
  .map((path) => (existsSync(path) ? path : undefined));

/** Adds the origin of the current call to each start. The run passes it to its activities and child runs. */
const tracedStarts: WorkflowClientInterceptor = {
  startWithDetails: (input, next) => next({ ...input, headers: withOrigin(input.headers) }),
  startUpdateWithStart: (input, next) =>
    next({ ...input, workflowStartHeaders: withOrigin(input.workflowStartHeaders) }),
};

function withOrigin(headers: Headers): Headers {
  const traceHeaders = Object.entries(presentOrigin()).map(([name, value]) => [
    name,
    defaultPayloadConverter.toPayload(value),
  ]);
  return { ...headers, ...Object.fromEntries(traceHeaders) };
}

/**
 * The connections of this process to Temporal. The boot needs none of them. Calls fail while Temporal is unreachable.
 */
@Injectable()
export class TemporalClient implements OnApplicationShutdown {
  /** The client for everything but eager starts. Connects at its first use, and again after a lost connection. */
  readonly client: Client;
  /** The data converter of every client and worker. It seals all payloads if there are keys, then stores large payloads. */
  readonly dataConverter: DataConverter;
  readonly codec: SealingCodec;
  readonly store: PayloadStore;
  readonly endedStarts: EndedStarts;
  private readonly lazy: Connection;
  private native: { connection: NativeConnection; client: Client } | null = null;
  private connecting: Promise<NativeConnection> | null = null;

  constructor(
    private readonly settings: Settings,
    private readonly database: Database,
  ) {
    const { namespace } = settings.temporal;
    this.lazy = Connection.lazy({ ...toConnection(settings.temporal), connectTimeout: '5s' });
    const { payloadKeys } = settings;
    this.codec = new SealingCodec(payloadKeys);
    const sealing = { payloadCodecs: [this.codec], failureConverterPath: sealedFailures };
    this.store = new PayloadStore(database);
    const externalStorage = new ExternalStorage({
      drivers: [this.store],
      payloadSizeThreshold: payloadBytesMax,
    });
    this.dataConverter = {
      externalStorage,
      ...(payloadKeys.length > 0 ? sealing : { failureConverterPath: failures }),
    };
    this.client = this.clientOn(this.lazy, namespace);
    this.endedStarts = new EndedStarts(
      {
        connection: this.lazy,
        namespace,
        dataConverter: this.dataConverter,
        interceptors: [tracedStarts],
      },
      this.codec,
    );
  }

  get namespace(): string {
    return this.settings.temporal.namespace;
  }

  /**
   * The connection on which workers poll. Eager starts must use the same connection. Throws while Temporal is unreachable.
   */
  async nativeConnection(): Promise<NativeConnection> {
    if (this.native) return this.native.connection;
    // Several workers start at the same time, and all must get the same connection.
    this.connecting ??= this.connect().finally(() => (this.connecting = null));
    return this.connecting;
  }

  /** Throws `CannotStart` when the runs of the database are in another Temporal. While none answers, the first connection of a worker asks. */
  async refuseOtherEngine(): Promise<void> {
    await this.confirmEngine().catch((error: unknown) => {
      if (error instanceof CannotStart) throw error;
    });
  }

  private async confirmEngine(): Promise<void> {
    const [kept] = await this.database.system<KeptEngine>(readKeptEngine);
    if (!kept?.engine_id) return;
    const read = () => readEngineId(this.lazy, this.namespace);
    refuseOther(kept, await this.lazy.withDeadline(Date.now() + engineMsMax, read), this.settings.temporal);
  }

  private async connect(): Promise<NativeConnection> {
    await this.confirmEngine();
    const { address, apiKey, namespace } = this.settings.temporal;
    const connection = await NativeConnection.connect({
      address,
      apiKey,
      tls: toTls(this.settings.temporal),
    });
    this.native = { connection, client: this.clientOn(connection, namespace) };
    return connection;
  }

  /** The client for eager starts, once a workflow worker of this process has connected. */
  get eagerClient(): Client | null {
    return this.native?.client ?? null;
  }

  /** True when the server answers within this time; for readiness. */
  async reachable(withinMs: number): Promise<boolean> {
    try {
      await this.lazy.withDeadline(Date.now() + withinMs, () => this.lazy.healthService.check({}));
      return true;
    } catch {
      return false;
    }
  }

  /** Temporal's estimate for a task queue: how many tasks wait, and the age of the oldest in seconds. Throws while Temporal is unreachable. */
  async backlog(queue: string, kind: 'workflow' | 'activity'): Promise<{ count: number; oldestS: number }> {
    const { stats } = await this.lazy.withDeadline(Date.now() + backlogMsMax, () =>
      this.lazy.workflowService.describeTaskQueue({
        namespace: this.namespace,
        taskQueue: { name: queue },
        taskQueueType: taskTypes[kind],
        reportStats: true,
      }),
    );
    const { seconds, nanos } = stats?.approximateBacklogAge ?? {};
    return {
      count: Number(stats?.approximateBacklogCount ?? 0),
      oldestS: Number(seconds ?? 0) + (nanos ?? 0) / 1e9,
    };
  }

  private clientOn(connection: Connection | NativeConnection, namespace: string): Client {
    const interceptors = { workflow: [tracedStarts] };
    return new Client({ connection, namespace, dataConverter: this.dataConverter, interceptors });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.native?.connection.close().catch(() => undefined);
    await this.lazy.close().catch(() => undefined);
  }
}

/**
 * Returns the options of a connection of the client. It asks a name server for addresses alone: Docker 20.10 leaves a question for other
 * records on an internal network without an answer for half a minute.
 */
export function toConnection(settings: TemporalSettings) {
  const channelArgs = { 'grpc.service_config_disable_resolution': 1 };
  return { address: settings.address, apiKey: settings.apiKey, tls: toTls(settings), channelArgs };
}

function toTls({ tls }: TemporalSettings) {
  if (tls === undefined || tls === true) return tls;
  const read = (path: string | undefined) => (path ? readFileSync(path) : undefined);
  const [crt, key] = [read(tls.cert), read(tls.key)];
  return {
    serverNameOverride: tls.serverName,
    serverRootCACertificate: read(tls.ca),
    clientCertPair: crt && key ? { crt, key } : undefined,
  };
}
