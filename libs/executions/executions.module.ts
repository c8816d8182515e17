import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseModule } from '#libs/database/database';
import { WorkflowsModule } from '#libs/workflows/workflows';
import { Beginnings } from './beginnings.ts';
import { BlockLog } from './block-log.ts';
import { Children } from './children.ts';
import { CommittedEffects } from './committed-effects.ts';
import { Continuations } from './continuations.ts';
import { Execution, Visit } from './execution.entity.ts';
import { Descendants } from './descendants.ts';
import { Executions } from './executions.ts';
import { Handovers } from './handovers.ts';
import { Payloads } from './payloads.ts';
import { PureStretches } from './pure-stretches.ts';
import { Reconciler } from './reconciler.ts';
import { Recorder } from './recorder.ts';
import { Relay } from './relay.ts';
import { Resets } from './resets.ts';
import { Retention } from './retention.ts';
import { SentCalls } from './sent-calls.ts';
import { SettledWaiters } from './settled-waiters.ts';
import { Starter } from './starter.ts';
import { Timelines } from './timelines.ts';

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
