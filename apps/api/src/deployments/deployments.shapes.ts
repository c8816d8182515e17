import type { JsonObject } from '#libs/platform/json/json';
import type { DeploymentResult } from '#libs/runs/workflows/deployments';
import type { Deployment, Listed } from '#libs/runs/workflows/workflow.entity';
import { Bool, Int, ListOf, Obj, OneOf, Text, Texts, Time } from '../http/fields.ts';
import { DetailView } from '../http/responds.ts';

export class DeployBody {
  @Text({ optional: true, min: 1, max: 100, description: 'A name for the version; left out, it has none.' })
  name?: string;
  @Text({ optional: true, max: 2000, description: 'Notes on the version; left out, there are none.' })
  description?: string;
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
  @Bool({ description: 'True when a version is live, so that the workflow can be executed.' })
  isDeployed!: boolean;
  @Time({
    nullable: true,
    description: 'When a version became live last, in ISO 8601 and UTC; null when none is.',
  })
  deployedAt!: string | null;
  @Int({ nullable: true, description: 'The number of the live version; null when none is.' }) version!:
    | number
    | null;
  @Texts({
    description: 'What may not be meant, a sentence each; a deploy with warnings is done all the same.',
  })
  warnings!: string[];

  static of({ deployedAt, ...rest }: DeploymentResult): DeploymentView {
    return { ...rest, deployedAt: deployedAt?.toISOString() ?? null };
  }
}

export class WaitingView {
  @Int({ description: 'The version that the executions are pinned to.' }) version!: number;
  @Int({ description: 'How many executions of it wait for people.' }) count!: number;
  @Texts({ description: 'The oldest, at most ten.' }) executionIds!: string[];
}

export class PreviewView {
  @ListOf(() => DetailView, { description: 'Why the draft would be refused.' }) faults!: DetailView[];
  @Texts({ description: 'What may not be meant, a sentence each.' }) warnings!: string[];
  @ListOf(() => WaitingView, { description: 'Executions that wait for people, by their version.' })
  waiting!: WaitingView[];
}

export class PreviewQuery {
  @OneOf(['deploy', 'rollback', 'undeploy'], {
    optional: true,
    description: 'Which change is meant; `deploy` when left out.',
  })
  action?: 'deploy' | 'rollback' | 'undeploy';
  @Int({ query: true, optional: true, min: 1, max: 2_147_483_647, description: 'Of a rollback.' })
  version?: number;
}

export class VersionSummaryView {
  @Text({ description: 'The id of the workflow; the number tells its versions apart.' }) id!: string;
  @Int({ description: 'The number of the version, from 1.' }) version!: number;
  @Text({ description: 'The name that its deploy gave it; empty when it gave none.' }) name!: string;
  @Text({ description: 'The notes of its deploy; empty when there were none.' }) description!: string;
  @Bool({ description: 'True for the one version that is live.' }) isActive!: boolean;
  @Texts({ description: 'What its deploy warned of, a sentence each.' }) warnings!: string[];
  @Text({ description: 'The id of the user or of the key that deployed it.' }) createdBy!: string;
  @Time({ description: 'When it was deployed, in ISO 8601 and UTC.' }) createdAt!: string;

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
