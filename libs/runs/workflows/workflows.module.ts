import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { DefinitionWork } from './definition-work.ts';
import { Deployments } from './deployments.ts';
import { Listing } from './listing.ts';
import { Activation, Deployment, StoredPlan, Workflow } from './workflow.entity.ts';
import { Workflows } from './workflows.ts';

@Module({
  imports: [DatabaseModule, TypeOrmModule.forFeature([Workflow, Deployment, StoredPlan, Activation])],
  providers: [Workflows, Deployments, Listing, DefinitionWork],
  exports: [Workflows, Deployments, Listing, DefinitionWork],
})
export class WorkflowsModule {}
