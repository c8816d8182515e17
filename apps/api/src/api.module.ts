import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { TemporalWorkersModule } from '#libs/runs/temporal-workers/temporal-workers.module';
import { TemporalClientModule } from '#libs/platform/temporal-client/temporal-client.module';
import { PagesModule } from '#libs/platform/cursors/pages.module';
import { Callers } from '#libs/workspace/auth/callers';
import { OAuthRecords } from '#libs/workspace/oauth/oauth-records';
import { Mail } from '#libs/platform/mail/mail';
import { Settings } from '#libs/platform/settings/settings';
import { SettingsModule } from '#libs/platform/settings/settings.module';
import { DirectEffectsModule } from '#libs/worker/effects.module';
import { WorkerModule } from '#libs/worker/worker.module';
import { foreignRefusals } from './compat/refusals.ts';
import { CompatRuns } from './compat/runs.ts';
import { RunStreams } from './compat/run-streams.ts';
import { controllers } from './controllers.ts';
import { WorkspaceEventStream } from './events/event-stream.ts';
import { WorkspaceEvents } from './events/workspace-events.ts';
import { AnswerNames } from './http/answer-names.ts';
import { LastingAnswers } from './http/lasting-answers.ts';
import { RefusalFormats } from './http/refusal-formats.ts';
import { RequestCallers } from './http/request-callers.ts';
import { ExecutionViews } from './executions/execution-views.ts';
import { Execute } from './executions/execute.ts';
import { JobStream } from './executions/job-stream.ts';
import { RunControl } from './executions/run-control.ts';
import { CallerGuard } from './http/caller.guard.ts';
import { ErrorFilter } from './http/error.filter.ts';
import { AccessTokens } from './oauth/access-tokens.ts';
import { AuthorizationServer } from './oauth/authorization-server.ts';
import { Consenters } from './oauth/consenters.ts';
import { PauseLinkResolver } from './pauses/pause-link-resolver.ts';
import { AgentAnswers } from './mcp/agent-answers.ts';
import { AgentRuns } from './mcp/agent-runs.ts';
import { LegacyCalls } from './mcp/legacy-calls.ts';
import { StreamQuestions } from './mcp/stream-questions.ts';
import { ApiOperations } from './mcp/operations.ts';
import { OperatorCalls } from './mcp/operator-calls.ts';
import { rpcRefusals } from './mcp/rpc-refusal.ts';
import { RunProgress } from './mcp/run-progress.ts';
import { RunResults } from './mcp/run-results.ts';
import { ToolChanges } from './mcp/tool-changes.ts';
import { ToolCalls } from './mcp/tool-calls.ts';
import { WorkflowTools } from './mcp/workflow-tools.ts';
import { Processings } from './knowledge/processings.ts';
import { CallersByProof } from './request-callers.ts';
import { serviceModules } from './service-modules.ts';
import { Resume } from './pauses/resume.ts';
import { SessionCallers } from './sign-in/session-callers.ts';
import { SignInEdge } from './sign-in/sign-in-edge.ts';
import { SignInMails } from './sign-in/sign-in-mails.ts';
import { SpentLinks } from './sign-in/spent-links.ts';
import { SignInMeter } from './sign-in/sign-in-meter.ts';
import { TriggersOfDefinitions } from './triggers/defined-triggers.ts';
import { Hooks } from './triggers/hooks.ts';
import { TimelineViews } from './timelines/timeline-views.ts';

/** The forms of refusals that differ from ours, by the paths that have them. */
export const refusalFormats = new RefusalFormats([rpcRefusals, foreignRefusals]);

@Module({
  imports: [
    SettingsModule,
    TemporalClientModule,
    PagesModule,
    TemporalWorkersModule,
    DirectEffectsModule,
    ...serviceModules,
  ],
  controllers,
  providers: [
    AgentAnswers,
    AgentRuns,
    LegacyCalls,
    StreamQuestions,
    ApiOperations,
    OperatorCalls,
    RunProgress,
    RunResults,
    ToolCalls,
    ToolChanges,
    WorkflowTools,
    WorkspaceEvents,
    { provide: APP_GUARD, useClass: CallerGuard },
    { provide: RefusalFormats, useValue: refusalFormats },
    ErrorFilter,
    { provide: APP_FILTER, useExisting: ErrorFilter },
    AccessTokens,
    Consenters,
    {
      provide: AuthorizationServer,
      inject: [Settings, Callers, OAuthRecords],
      useFactory: AuthorizationServer.load,
    },
    Execute,
    Hooks,
    WorkspaceEventStream,
    ExecutionViews,
    JobStream,
    RunControl,
    AnswerNames,
    LastingAnswers,
    PauseLinkResolver,
    Mail,
    Processings,
    Resume,
    { provide: RequestCallers, useClass: CallersByProof },
    CompatRuns,
    RunStreams,
    SessionCallers,
    SignInEdge,
    SignInMails,
    SignInMeter,
    SpentLinks,
    TimelineViews,
    TriggersOfDefinitions,
  ],
})
export class ApiModule {}

/** The API in a process that is a worker too. */
@Module({ imports: [ApiModule, WorkerModule] })
export class ApiAndWorkerModule {}
