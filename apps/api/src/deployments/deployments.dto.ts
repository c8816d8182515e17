import type { JsonObject } from '#libs/platform/json/json';
import type { DeploymentResult } from '#libs/runs/workflows/deployments';
import type { Deployment, Listed } from '#libs/runs/workflows/workflow.entity';
import { Bool, Int, ListOf, Obj, OneOf, Text, Texts, Time } from '../http/fields.ts';
import { DetailView } from '../http/api-result.ts';
import { IsDeployed, LiveSince, LiveVersion } from '../workflows/workflow-fields.ts';

export class DeployBody {
  @Text({ optional: true, min: 1, max: 100, description: 'A name for the version. Left out: no name.' })
  name?: string;
  @Text({ optional: true, max: 2000, description: 'Notes on the version. Left out: no notes.' })
  description?: string;
  @Bool({
    optional: true,
    default: false,
    description:
      'Refuses a definition that names a secret, table, knowledge base or workflow that does not exist.',
  })
  strict?: boolean;
}

export class RollbackBody {
  @Int({
    optional: true,
    min: 1,
    max: 2_147_483_647,
    description: 'The number of the version. Left out: the previous live version.',
  })
  version?: number;
}

export class DeploymentView {
  @Text({ description: 'The id of the workflow.' }) id!: string;
  @IsDeployed() isDeployed!: boolean;
  @LiveSince() deployedAt!: string | null;
  @LiveVersion() version!: number | null;
  @Texts({
    description: 'The warnings about likely mistakes, a sentence each. Warnings do not stop a deploy.',
  })
  warnings!: string[];

  static of({ deployedAt, ...rest }: DeploymentResult): DeploymentView {
    return { ...rest, deployedAt: deployedAt?.toISOString() ?? null };
  }
}

export class WaitingView {
  @Int({ description: 'The version that the executions are pinned to.' }) version!: number;
  @Int({ description: 'The number of its executions that wait for people.' }) count!: number;
  @Texts({ description: 'The ids of the oldest of these executions, ten at most.' }) executionIds!: string[];
}

export class PreviewView {
  @ListOf(() => DetailView, { description: 'The faults for which a deploy of the draft would be refused.' })
  faults!: DetailView[];
  @Texts({ description: 'The warnings about likely mistakes, a sentence each.' }) warnings!: string[];
  @ListOf(() => WaitingView, { description: 'Executions that wait for people, by their version.' })
  waiting!: WaitingView[];
}

export class PreviewQuery {
  @OneOf(['deploy', 'rollback', 'undeploy'], {
    optional: true,
    description: 'The change to preview. Left out: `deploy`.',
  })
  action?: 'deploy' | 'rollback' | 'undeploy';
  @Int({
    query: true,
    optional: true,
    min: 1,
    max: 2_147_483_647,
    description: 'For a rollback: the number of the version.',
  })
  version?: number;
}

export class VersionSummaryView {
  @Text({ description: 'The id of the workflow. The number identifies the version.' }) id!: string;
  @Int({ description: 'The number of the version, from 1.' }) version!: number;
  @Text({ description: 'The name that was given at the deploy; empty when there was none.' }) name!: string;
  @Text({ description: 'The notes that were given at the deploy; empty when there were none.' })
  description!: string;
  @Bool({ description: 'True for the live version.' }) isActive!: boolean;
  @Texts({ description: 'The warnings at its deploy, a sentence each.' }) warnings!: string[];
  @Text({ description: 'The id of the user or of the key that deployed it.' }) createdBy!: string;
  @Time({ description: 'The time at which it was deployed, in ISO 8601 and UTC.' }) createdAt!: string;

  static of(
    { workflowId, version, name, description, warnings, createdBy, createdAt }: Listed<Deployment>,
    live: number | null,
  ): VersionSummaryView {
    const isActive = version === live;
    return {
      id: workflowId,
      version,
      name,
      description,
      isActive,
      warnings,
      createdBy,
      createdAt: createdAt.toISOString(),
    };
  }
}

export class VersionView extends VersionSummaryView {
  @Obj({ description: 'The definition, as it was when it was deployed; it never changes.' })
  definition!: JsonObject;

  static override of(deployment: Deployment, live: number | null): VersionView {
    return { ...VersionSummaryView.of(deployment, live), definition: deployment.definition };
  }
}
