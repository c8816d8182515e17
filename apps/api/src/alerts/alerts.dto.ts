import { type AlertMetric, alertMetrics, type AlertRule } from '#libs/runs/alerts/alert-rules';
import { Bool, Int, Num, OneOf, Text, Time } from '../http/fields.ts';
import { nameMax } from '../workflows/workflow-fields.ts';

const [thresholdMin, thresholdMax] = [0, 1e12];
const [windowMin, windowMax, hour] = [60, 7 * 86_400, 3600];

const metricText =
  '`failuresInRow`: executions that failed since the last one that completed. `failureRate`: the percentage that failed of those that ended. `duration`: the 95th percentile in milliseconds. `cost`: the cost in dollars. `inactivity`: the seconds since an execution began.';
const thresholdText = 'The rule is broken from this value on, in the unit of the metric.';
const windowText =
  'The seconds that `failureRate`, `duration` and `cost` look at. Executions that began in them and have ended count, 10,000 at most.';
const fewestText = 'With fewer executions in the window, `failureRate` and `duration` say nothing.';
const cooldownText = 'A rule that is broken tells so again after these seconds, and not before.';
const ofText = 'The workflow; null: all workflows of the workspace together.';

export class CreateAlertRuleBody {
  @Text({ min: 1, max: nameMax, description: 'The name, which the event has.' }) name!: string;
  @Text({ optional: true, nullable: true, max: 100, description: ofText }) workflowId?: string | null;
  @OneOf(alertMetrics, { description: metricText }) metric!: AlertMetric;
  @Num({ min: thresholdMin, max: thresholdMax, description: thresholdText }) threshold!: number;
  @Int({ optional: true, min: windowMin, max: windowMax, default: hour, description: windowText })
  windowSeconds?: number;
  @Int({ optional: true, min: 1, max: 1000, default: 5, description: fewestText }) minExecutions?: number;
  @Int({ optional: true, min: windowMin, max: windowMax, default: hour, description: cooldownText })
  cooldownSeconds?: number;
  @Bool({ optional: true, default: true, description: 'False: the rule is not checked.' })
  enabled?: boolean;
}

export class UpdateAlertRuleBody {
  @Text({ optional: true, min: 1, max: nameMax, description: 'The new name. Left out: no change.' })
  name?: string;
  @OneOf(alertMetrics, { optional: true, description: metricText }) metric?: AlertMetric;
  @Num({ optional: true, min: thresholdMin, max: thresholdMax, description: thresholdText })
  threshold?: number;
  @Int({ optional: true, min: windowMin, max: windowMax, description: windowText }) windowSeconds?: number;
  @Int({ optional: true, min: 1, max: 1000, description: fewestText }) minExecutions?: number;
  @Int({ optional: true, min: windowMin, max: windowMax, description: cooldownText })
  cooldownSeconds?: number;
  @Bool({ optional: true, description: 'False: the rule is not checked.' }) enabled?: boolean;
}

export class AlertRuleView {
  @Text({ description: 'The id of the rule, which begins with `alr_`.' }) id!: string;
  @Text({ description: 'The id of its workspace.' }) workspaceId!: string;
  @Text({ nullable: true, description: ofText }) workflowId!: string | null;
  @Text({ description: 'The name.' }) name!: string;
  @OneOf(alertMetrics, { description: metricText }) metric!: AlertMetric;
  @Num({ description: thresholdText }) threshold!: number;
  @Int({ description: windowText }) windowSeconds!: number;
  @Int({ description: fewestText }) minExecutions!: number;
  @Int({ description: cooldownText }) cooldownSeconds!: number;
  @Bool({ description: 'False while the rule is not checked.' }) enabled!: boolean;
  @Bool({ description: 'True while the rule is broken, and has told so.' }) isRaised!: boolean;
  @Time({ nullable: true, description: 'When it last told that it is broken; null before.' })
  raisedAt!: string | null;
  @Num({
    nullable: true,
    description: 'The latest value; null before the first, and with too few executions.',
  })
  value!: number | null;
  @Time({ nullable: true, description: 'When it was last checked; null before.' })
  checkedAt!: string | null;
  @Time({ description: 'The time of creation, in ISO 8601 and UTC.' }) createdAt!: string;
  @Time({ description: 'The time of the last change, in ISO 8601 and UTC.' }) updatedAt!: string;

  static of({ raisedAt, checkedAt, createdAt, updatedAt, ...rule }: AlertRule): AlertRuleView {
    return {
      ...rule,
      raisedAt: raisedAt?.toISOString() ?? null,
      checkedAt: checkedAt?.toISOString() ?? null,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    };
  }
}
