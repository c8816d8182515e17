import type { JsonObject } from '#libs/platform/json/json';
import type { DeploymentResult } from '#libs/runs/workflows/deployments';
import type { MadeTriggerChange } from '#libs/runs/workflows/trigger-keeper';
import type { Deployment, Listed } from '#libs/runs/workflows/workflow.entity';
import { triggerKinds } from '#libs/triggers/trigger.entity';
import {
  Bool,
  Int,
  ListOf,
  NameOf,
  Obj,
  One,
  OneOf,
  Text,
  Texts,
  Time,
  versionBounds,
} from '../http/fields.ts';
import { DetailView } from '../http/api-result.ts';
import { BacktestView } from './backtests.dto.ts';
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
    ...versionBounds,
    description: 'The number of the version. Left out: the previous live version.',
  })
  version?: number;
}

export class TriggerChangeView {
  @OneOf(['added', 'changed', 'restored', 'removed'], {
    description:
      'What becomes of the trigger. One that an earlier version has carried is restored with its address, secret, state and hold. One of another kind is removed and added.',
  })
  change!: string;
  @OneOf(triggerKinds, { description: 'What the trigger waits for.' }) kind!: string;
  @Text({ description: 'The name of the trigger, by which a deploy finds it again.' }) name!: string;
  @Texts({ description: 'The members that differ, as `schedule.cron`; empty for another change.' })
  fields!: string[];
  @OneOf(['new', 'kept', 'closed'], {
    nullable: true,
    description:
      'What becomes of its address. A closed one answers 404 until a version has the trigger again. Null for a kind without an address.',
  })
  address!: string | null;
  @Text({
    nullable: true,
    description: 'The reason for which this trigger is held, and stays so; null when it is not.',
  })
  heldFor!: string | null;
}

export class MadeTriggerChangeView extends TriggerChangeView {
  @Text({ description: 'The id of the trigger.' }) id!: string;
  @Text({ nullable: true, description: 'The address of a new trigger, shown only now; else null.' })
  url!: string | null;
  @Text({ nullable: true, description: 'The secret that was made for it, shown only now; else null.' })
  secret!: string | null;
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
  @ListOf(() => MadeTriggerChangeView, {
    description: 'The triggers of `start.triggers` that were made, changed or deleted.',
  })
  triggers!: MadeTriggerChangeView[];

  /** Returns what may be stored: no address and no secret. */
  static of({ deployedAt, triggers, ...rest }: DeploymentResult): DeploymentView {
    const changes = triggers.map((change) => ({ ...change, url: null, secret: null }));
    return { ...rest, deployedAt: deployedAt?.toISOString() ?? null, triggers: changes };
  }

  /** Returns the answer with what is shown only to the call that made it. */
  static withAddresses(view: DeploymentView, made: MadeTriggerChange[]): DeploymentView {
    const shown = new Map(made.map(({ id, url = null, secret = null }) => [id, { url, secret }]));
    return { ...view, triggers: view.triggers.map((one) => ({ ...one, ...shown.get(one.id) })) };
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
  @ListOf(() => TriggerChangeView, {
    description: 'The triggers of `start.triggers` that would be made, changed or deleted.',
  })
  triggers!: TriggerChangeView[];
  @One(() => BacktestView, {
    optional: true,
    nullable: true,
    description:
      'With `backtest`: what the last executions would have done on it; null when faults keep it from being replayed. Without `backtest` it is absent.',
  })
  backtest?: BacktestView | null;
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
    ...versionBounds,
    description: 'For a rollback: the number of the version.',
  })
  version?: number;
  @Int({
    query: true,
    optional: true,
    min: 1,
    max: 200,
    description:
      'For a deploy and a rollback: the number of executions, the newest first, to replay on the draft or the version. Left out: none.',
  })
  backtest?: number;
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
  @NameOf('createdBy') createdByName?: string | null;
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
