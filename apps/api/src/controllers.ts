import { AuditLogsController } from './audit-logs/audit-logs.controller.ts';
import { BulkController } from './bulk/bulk.controller.ts';
import { CodecController } from './codec/codec.controller.ts';
import { ForeignLogsController } from './compat/logs.controller.ts';
import { ResourcesController } from './compat/resources.controller.ts';
import { ResumesController } from './compat/resumes.controller.ts';
import { RunsController } from './compat/runs.controller.ts';
import { DeploymentsController } from './deployments/deployments.controller.ts';
import { DocsController } from './docs/docs.controller.ts';
import { HomeController } from './docs/home.controller.ts';
import { ReferenceController } from './docs/reference.controller.ts';
import { CalendarsController } from './calendars/calendars.controller.ts';
import { AlertsController } from './alerts/alerts.controller.ts';
import { EndpointsController } from './endpoints/endpoints.controller.ts';
import { EventsController } from './events/events.controller.ts';
import { ExecuteController } from './executions/execute.controller.ts';
import { ExecutionsController } from './executions/executions.controller.ts';
import { RunControlController } from './executions/run-control.controller.ts';
import { TestsController } from './executions/tests.controller.ts';
import { HealthController } from './health/health.controller.ts';
import { HoldsController } from './holds/holds.controller.ts';
import { ChunksController } from './knowledge/chunks.controller.ts';
import { DocumentsController } from './knowledge/documents.controller.ts';
import { KnowledgeController } from './knowledge/knowledge.controller.ts';
import { MemberCapsController } from './limits/member-caps.controller.ts';
import { UsageController } from './limits/usage.controller.ts';
import { UsageLimitsController } from './limits/usage-limits.controller.ts';
import { LogsController } from './logs/logs.controller.ts';
import { McpController } from './mcp/mcp.controller.ts';
import { OperatorsController } from './mcp/operators.controller.ts';
import { McpServersController } from './mcp/mcp-servers.controller.ts';
import { ConsentController } from './oauth/consent.controller.ts';
import { InboxController } from './pauses/inbox.controller.ts';
import { PauseFilesController } from './pauses/pause-files.controller.ts';
import { PausesController } from './pauses/pauses.controller.ts';
import { RequestsController } from './pauses/requests.controller.ts';
import { ResumePageController } from './pauses/resume-page.controller.ts';
import { ResumeController } from './pauses/resume.controller.ts';
import { SavedViewsController } from './saved-views/saved-views.controller.ts';
import { SecretsController } from './secrets/secrets.controller.ts';
import { MeController } from './sign-in/me.controller.ts';
import { InvitationSignInController } from './sign-in/invitation-sign-in.controller.ts';
import { PasskeySignInController } from './sign-in/passkey-sign-in.controller.ts';
import { ProviderSignInController } from './sign-in/provider-sign-in.controller.ts';
import { SignInController } from './sign-in/sign-in.controller.ts';
import { TableExportsController } from './tables/exports.controller.ts';
import { TableImportsController } from './tables/imports.controller.ts';
import { RowsController } from './tables/rows.controller.ts';
import { TableColumnsController } from './tables/table-columns.controller.ts';
import { TablesController } from './tables/tables.controller.ts';
import { TimelineController } from './timelines/timeline.controller.ts';
import { TimelinePageController } from './timelines/timeline-page.controller.ts';
import { FormsController } from './forms/forms.controller.ts';
import { HooksController } from './triggers/hooks.controller.ts';
import { BackfillsController } from './triggers/backfills.controller.ts';
import { TriggersController } from './triggers/triggers.controller.ts';
import { WorkflowsController } from './workflows/workflows.controller.ts';
import { InvitationsController } from './workspaces/invitations.controller.ts';
import { KeysController } from './workspaces/keys.controller.ts';
import { WorkspacesController } from './workspaces/workspaces.controller.ts';

/** Every controller of this API. */
export const controllers = [
  AuditLogsController,
  BulkController,
  ConsentController,
  AlertsController,
  CalendarsController,
  EndpointsController,
  EventsController,
  HoldsController,
  ExecuteController,
  ExecutionsController,
  RunControlController,
  TestsController,
  TimelineController,
  TimelinePageController,
  DeploymentsController,
  WorkflowsController,
  BackfillsController,
  TriggersController,
  HooksController,
  FormsController,
  PausesController,
  PauseFilesController,
  InboxController,
  KnowledgeController,
  DocumentsController,
  ChunksController,
  LogsController,
  McpController,
  McpServersController,
  OperatorsController,
  RequestsController,
  ResumeController,
  ResumePageController,
  TablesController,
  TableColumnsController,
  TableExportsController,
  TableImportsController,
  RowsController,
  WorkspacesController,
  InvitationsController,
  KeysController,
  SavedViewsController,
  SecretsController,
  SignInController,
  InvitationSignInController,
  PasskeySignInController,
  ProviderSignInController,
  MeController,
  UsageLimitsController,
  UsageController,
  MemberCapsController,
  RunsController,
  ResumesController,
  ResourcesController,
  ForeignLogsController,
  HealthController,
  CodecController,
  HomeController,
  ReferenceController,
  DocsController,
];
