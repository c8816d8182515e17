import type { JsonObject } from '#libs/definition/values';
import type { DeploymentResult } from '#libs/workflows/deployments';
import type { Deployment, Listed } from '#libs/workflows/workflow.entity';
import { Bool, Int, ListOf, Obj, OneOf, Text, Texts, Time } from '../http/fields.ts';
import { DetailView } from '../http/responds.ts';

export class DeployBody {
  @Text({ optional: true, min: 1, max: 100 }) name?: string;
  @Text({ optional: true, max: 2000 }) description?: string;
  @Bool({
    optional: true,
    default: false,
    description:
      'Refuses a definition that names a secret, table, knowledge base or workflow which there is not.',
  })
  strict?: boolean;
}

export class RollbackBody {
  @Int({
    optional: true,
    min: 1,
    max: 2_147_483_647,
    description: 'Left out: the version that was live before.',
  })
  version?: number;
}

export class DeploymentView {
  @Text({ description: 'The workflow.' }) id!: string;
  @Bool() isDeployed!: boolean;
  @Time({ nullable: true }) deployedAt!: string | null;
  @Int({ nullable: true }) version!: number | null;
  @Texts() warnings!: string[];

  static of({ deployedAt, ...rest }: DeploymentResult): DeploymentView {
    return { ...rest, deployedAt: deployedAt?.toISOString() ?? null };
  }
}

export class WaitingView {
  @Int() version!: number;
  @Int() count!: number;
  @Texts({ description: 'The oldest, at most ten.' }) executionIds!: string[];
}

export class PreviewView {
  @ListOf(() => DetailView, { description: 'Why the draft would be refused.' }) faults!: DetailView[];
  @Texts() warnings!: string[];
  @ListOf(() => WaitingView, { description: 'Executions that wait for people, by their version.' })
  waiting!: WaitingView[];
}

export class PreviewQuery {
  @OneOf(['deploy', 'rollback', 'undeploy'], { optional: true, description: 'deploy when left out.' })
  action?: 'deploy' | 'rollback' | 'undeploy';
  @Int({ query: true, optional: true, min: 1, max: 2_147_483_647, description: 'Of a rollback.' })
  version?: number;
}

export class VersionSummaryView {
  @Text() id!: string;
  @Int() version!: number;
  @Text() name!: string;
  @Text() description!: string;
  @Bool() isActive!: boolean;
  @Texts() warnings!: string[];
  @Text() createdBy!: string;
  @Time() createdAt!: string;

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
  @Obj() definition!: JsonObject;

  static override of(deployment: Deployment, live: number | null): VersionView {
    return { ...VersionSummaryView.of(deployment, live), definition: deployment.definition };
  }
}
