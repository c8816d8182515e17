import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseModule } from '#libs/platform/database/database';
import { WorkflowsModule } from '#libs/runs/workflows/workflows';
import { Beginnings } from './accept/accept-execution.ts';
import { BlockLog } from './read/block-log.ts';
import { Children } from './accept/children.ts';
import { CommittedEffects } from './record/effect-checkpoints.ts';
import { Continuations } from './accept/inline-resumer.ts';
import { Execution, Visit } from './execution.entity.ts';
import { Descendants } from './accept/descendants.ts';
import { Executions } from './executions.ts';
import { Handovers } from './deliver/start-outbox.ts';
import { Payloads } from './record/payloads.ts';
import { PureStretches } from './accept/inline-runner.ts';
import { Reconciler } from './deliver/reconciler.ts';
import { Recorder } from './record/recorder.ts';
import { Relay } from './deliver/start-relay.ts';
import { Resets } from './record/resets.ts';
import { Retention } from './retention.ts';
import { SentCalls } from './record/at-most-once-claims.ts';
import { SettledWaiters } from './deliver/completion-notifier.ts';
import { Starter } from './deliver/starter.ts';
import { Timelines } from './read/timelines.ts';

const providers = [
  Executions,
  Payloads,
  SentCalls,
  CommittedEffects,
  SettledWaiters,
  Starter,
  Beginnings,
  PureStretches,
  Continuations,
  Handovers,
  Resets,
  Recorder,
  Retention,
  Relay,
  Reconciler,
  BlockLog,
  Timelines,
  Children,
  Descendants,
];

@Module({
  imports: [DatabaseModule, WorkflowsModule, TypeOrmModule.forFeature([Execution, Visit])],
  providers,
  exports: providers,
})
export class ExecutionsModule {}
