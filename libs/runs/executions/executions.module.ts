import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { WorkflowsModule } from '#libs/runs/workflows/workflows.module';
import { LimitsModule } from '#libs/workspace/limits/limits.module';
import { ExecutionStarter } from './accept/start-execution.ts';
import { ExecutionAcceptor } from './accept/accept-execution.ts';
import { BlockLog } from './read/block-log.ts';
import { StoredValues } from './read/stored-values.ts';
import { Children } from './accept/children.ts';
import { EffectCheckpoints } from './record/effect-checkpoints.ts';
import { RunAdvance } from './advance/run-advance.ts';
import { RunLog } from './advance/run-log.ts';
import { Backtests } from './control/backtests.ts';
import { EffectHolds } from './control/effect-holds.ts';
import { HostLimits } from './control/host-limits.ts';
import { RunForks } from './control/run-forks.ts';
import { RunRetries } from './control/run-retries.ts';
import { TestRuns } from './control/test-runs.ts';
import { Execution, VisitRow } from './execution.entity.ts';
import { Descendants } from './accept/descendants.ts';
import { Executions } from './executions.ts';
import { InlineStartOutbox } from './deliver/inline-start-outbox.ts';
import { Payloads } from './record/payloads.ts';
import { Flows } from './accept/flows.ts';
import { Holds } from './accept/holds.ts';
import { InlineRunner } from './accept/inline-runner.ts';
import { Reconciler } from './deliver/reconciler.ts';
import { Recorder } from './record/recorder.ts';
import { StartOutbox } from './deliver/start-outbox.ts';
import { Resets } from './record/resets.ts';
import { Retention } from './retention.ts';
import { AtMostOnceClaims } from './record/at-most-once-claims.ts';
import { CompletionNotifierModule } from '#libs/platform/database/completion-notifier.module';
import { ExecutionWaiters } from './deliver/execution-waiters.ts';
import { WorkflowStarter } from './deliver/workflow-starter.ts';
import { DirectRecovery } from './direct/direct-recovery.ts';
import { DirectRunner } from './direct/direct-runner.ts';
import { LeaseKeeper } from './direct/lease-keeper.ts';
import { LeaseWatch } from './direct/lease-watch.ts';
import { WaitingCallers } from './direct/waiting-callers.ts';
import { StepWriter } from './direct/step-writer.ts';
import { Timelines } from './read/timelines.ts';

const providers = [
  Executions,
  Payloads,
  AtMostOnceClaims,
  EffectCheckpoints,
  ExecutionWaiters,
  WorkflowStarter,
  ExecutionAcceptor,
  Flows,
  Holds,
  ExecutionStarter,
  InlineRunner,
  RunAdvance,
  RunLog,
  Backtests,
  EffectHolds,
  HostLimits,
  RunForks,
  RunRetries,
  TestRuns,
  DirectRecovery,
  DirectRunner,
  LeaseKeeper,
  LeaseWatch,
  StepWriter,
  WaitingCallers,
  InlineStartOutbox,
  Resets,
  Recorder,
  Retention,
  StartOutbox,
  Reconciler,
  BlockLog,
  StoredValues,
  Timelines,
  Children,
  Descendants,
];

@Module({
  imports: [
    DatabaseModule,
    CompletionNotifierModule,
    WorkflowsModule,
    LimitsModule,
    TypeOrmModule.forFeature([Execution, VisitRow]),
  ],
  providers,
  exports: [...providers, CompletionNotifierModule],
})
export class ExecutionsModule {}
