import type { Call } from './call.ts';
import { readConnection } from './connection.ts';
import type { EventStream } from './events.ts';
import { Executions } from './executions.ts';
import { AccountResource } from './generated/account.ts';
import { AlertsResource } from './generated/alerts.ts';
import { CalendarsResource } from './generated/calendars.ts';
import { AuditLogsResource } from './generated/audit-logs.ts';
import { DeploymentsResource } from './generated/deployments.ts';
import { EndpointsResource } from './generated/endpoints.ts';
import { HealthResource } from './generated/health.ts';
import { BulkResource } from './generated/bulk.ts';
import { HoldsResource } from './generated/holds.ts';
import { InvitationsResource } from './generated/invitations.ts';
import { JobsResource } from './generated/jobs.ts';
import { KeysResource } from './generated/keys.ts';
import { KnowledgeResource } from './generated/knowledge.ts';
import { LogsResource } from './generated/logs.ts';
import { McpServersResource } from './generated/mcp-servers.ts';
import { MembersResource } from './generated/members.ts';
import { SavedViewsResource } from './generated/saved-views.ts';
import { SecretsResource } from './generated/secrets.ts';
import { SignInResource } from './generated/sign-in.ts';
import { TablesResource } from './generated/tables.ts';
import { TriggersResource } from './generated/triggers.ts';
import { UsageResource } from './generated/usage.ts';
import { WorkspacesResource } from './generated/workspaces.ts';
import type { CallOptions, HoldfastOptions } from './options.ts';
import { Pauses } from './pauses.ts';
import { Transport } from './transport.ts';
import { Webhooks } from './webhooks.ts';
import { type DeployedWorkflows, NamedWorkflow, Workflows } from './workflows.ts';

type WorkflowName = [keyof DeployedWorkflows] extends [never]
  ? string
  : Extract<keyof DeployedWorkflows, string>;
type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * A client of one installation of Holdfast. Every operation of its API is a method, grouped by resource: `client.tables.rows.list(id)`.
 * Throws ConfigurationError when the settings cannot be used.
 */
export class Holdfast {
  readonly workflows: Workflows;
  readonly deployments: DeploymentsResource;
  readonly executions: Executions;
  readonly jobs: JobsResource;
  readonly pauses: Pauses;
  readonly logs: LogsResource;
  readonly triggers: TriggersResource;
  readonly mcpServers: McpServersResource;
  readonly alerts: AlertsResource;
  readonly calendars: CalendarsResource;
  readonly bulk: BulkResource;
  readonly holds: HoldsResource;
  readonly endpoints: EndpointsResource;
  readonly tables: TablesResource;
  readonly knowledge: KnowledgeResource;
  readonly savedViews: SavedViewsResource;
  readonly secrets: SecretsResource;
  readonly keys: KeysResource;
  readonly workspaces: WorkspacesResource;
  readonly members: MembersResource;
  readonly invitations: InvitationsResource;
  readonly account: AccountResource;
  readonly signIn: SignInResource;
  readonly usage: UsageResource;
  readonly auditLogs: AuditLogsResource;
  readonly health: HealthResource;
  readonly webhooks = new Webhooks();
  readonly #transport: Transport;

  constructor(options: HoldfastOptions = {}) {
    const transport = new Transport(readConnection(options));
    this.#transport = transport;
    this.workflows = new Workflows(transport);
    this.deployments = new DeploymentsResource(transport);
    this.executions = new Executions(transport);
    this.jobs = new JobsResource(transport);
    this.pauses = new Pauses(transport);
    this.logs = new LogsResource(transport);
    this.triggers = new TriggersResource(transport);
    this.mcpServers = new McpServersResource(transport);
    this.alerts = new AlertsResource(transport);
    this.calendars = new CalendarsResource(transport);
    this.bulk = new BulkResource(transport);
    this.holds = new HoldsResource(transport);
    this.endpoints = new EndpointsResource(transport);
    this.tables = new TablesResource(transport);
    this.knowledge = new KnowledgeResource(transport);
    this.savedViews = new SavedViewsResource(transport);
    this.secrets = new SecretsResource(transport);
    this.keys = new KeysResource(transport);
    this.workspaces = new WorkspacesResource(transport);
    this.members = new MembersResource(transport);
    this.invitations = new InvitationsResource(transport);
    this.account = new AccountResource(transport);
    this.signIn = new SignInResource(transport);
    this.usage = new UsageResource(transport);
    this.auditLogs = new AuditLogsResource(transport);
    this.health = new HealthResource(transport);
  }

  /** One workflow by its name. `holdfast types` writes the types of its inputs and of its output. */
  workflow<Name extends WorkflowName>(name: Name): NamedWorkflow<Name> {
    return new NamedWorkflow(this.workflows, name);
  }

  /** Any call of the API, for what is newer than this client. `path` begins with a slash. */
  get<T = unknown>(path: string, query?: object, options?: CallOptions): Call<T> {
    return this.#call('GET', path, query, options);
  }

  post<T = unknown>(path: string, body?: object, options?: CallOptions): Call<T> {
    return this.#call('POST', path, body, options);
  }

  put<T = unknown>(path: string, body?: object, options?: CallOptions): Call<T> {
    return this.#call('PUT', path, body, options);
  }

  patch<T = unknown>(path: string, body?: object, options?: CallOptions): Call<T> {
    return this.#call('PATCH', path, body, options);
  }

  delete<T = unknown>(path: string, query?: object, options?: CallOptions): Call<T> {
    return this.#call('DELETE', path, query, options);
  }

  /** Any stream of server-sent events, opened anew behind the last event when the connection breaks. */
  follow<T = unknown>(path: string, query?: object, options: CallOptions = {}): EventStream<T> {
    const request = { id: path, verb: 'GET', path, ...(query ? { params: query } : {}) };
    return this.#transport.follow(request, options);
  }

  #call<T>(verb: Verb, path: string, params?: object, options: CallOptions = {}): Call<T> {
    const hasBody = verb !== 'GET' && verb !== 'DELETE';
    const request = {
      id: path,
      verb,
      path,
      ...(params ? { params } : {}),
      ...(hasBody ? { body: 'json' as const } : {}),
    };
    return this.#transport.read(request, options);
  }
}

export { Call, PageCall, type WithResponse } from './call.ts';
export { Download } from './download.ts';
export * from './errors.ts';
export { EventStream, type ServerEvent } from './events.ts';
export type { Job, OpenPause, PausePoint, WaitedJob, WaitOptions } from './executions.ts';
export type { CallOptions, HoldfastOptions, LogEntry, UploadProgress } from './options.ts';
export { Page } from './page.ts';
export type { AnswerOf, BodyOf, DataOf, OperationId, QueryOf, Schemas } from './shapes.ts';
export type { Content, FileInput } from './uploads.ts';
export { type WebhookEvent, WebhookError } from './webhooks.ts';
export type { AnswerParams } from './pauses.ts';
export type {
  Acknowledgement,
  DeployedWorkflows,
  ExecuteParams,
  NamedWorkflow,
  Result,
} from './workflows.ts';
export { version } from './version.ts';
