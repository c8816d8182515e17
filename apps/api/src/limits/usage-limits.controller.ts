import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Bucket, Limits, type Spending } from '#libs/workspace/limits/limits';
import { getPlanLimits } from '#libs/platform/settings/plans';
import { Storage } from '#libs/workspace/limits/storage';
import { Settings } from '#libs/platform/settings/settings';
import { Tables } from '#libs/tables/schema/tables';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RequirePermission } from '../http/route-decorators.ts';
import { WorkspaceQuery } from '../http/cursor-query.ts';
import { ApiResult } from '../http/api-result.ts';
import { Bool, Int, Num, One, Text } from '../http/fields.ts';
import { BucketView, UsageView } from '../executions/executions.dto.ts';

export class UsageBucketView extends BucketView {
  @Int({ description: 'Equal to requestsPerMinute.' }) limit!: number;
  @Bool({ description: 'True when no token is left.' }) isLimited!: boolean;

  static of(bucket: Bucket): UsageBucketView {
    return { ...bucket, limit: bucket.requestsPerMinute, isLimited: bucket.remaining <= 0 };
  }
}

export class RateLimitView {
  @One(() => UsageBucketView, { description: 'The bucket of synchronous executions.' })
  sync!: UsageBucketView;
  @One(() => UsageBucketView, { description: 'The bucket of asynchronous executions, which are jobs.' })
  async!: UsageBucketView;
  @Text({ description: 'The kind of caller. Always `api`: the caller has a key.' }) authType!: string;
}

/** The stored data of the workspace: values of executions, documents, rows of tables. */
export class StorageView {
  @Int({ description: 'The stored bytes of executions, documents and tables.' })
  usedBytes!: number;
  @Int({ description: 'The number of bytes that the plan allows.' }) limitBytes!: number;
  @Num({ description: 'The used share in percent, from 0 to 100.' }) percentUsed!: number;
}

/** The number of tables in the workspace, and the limit of its plan. A table may have a lower limit of its own. */
export class TableLimitsView {
  @Int({ description: 'The number of tables.' }) count!: number;
  @Int({ description: 'The number of tables that the plan allows.' }) maxTables!: number;
  @Int({ description: 'The number of rows that the plan allows in a table.' }) maxRowsPerTable!: number;
}

/** The monthly cost of a personal key's user in the workspace, and its cap. */
export class SpendingView implements Spending {
  @Num({ description: 'The cost cap of the member for a calendar month.' }) limit!: number;
  @Num({ description: 'The cost of the member in this calendar month, in UTC.' }) currentPeriodCost!: number;
  @Bool({ description: 'True when the cost of the month has reached the limit.' }) isExceeded!: boolean;
}

export class UsageLimitsView {
  @Bool({ description: 'Always true.' }) success!: boolean;
  @One(() => RateLimitView, { description: 'The two buckets of executions.' }) rateLimit!: RateLimitView;
  @One(() => UsageView, { description: 'The cost of the workspace in this month, and its limit.' })
  usage!: UsageView;
  @One(() => SpendingView, {
    nullable: true,
    description: 'The cost cap of the user of a personal key; null without a cap and for a workspace key.',
  })
  memberCap!: SpendingView | null;
  @One(() => StorageView, { description: 'The storage of the workspace and its limit.' })
  storage!: StorageView;
  @One(() => TableLimitsView, { description: 'The number of tables of the workspace and its limit.' })
  tables!: TableLimitsView;
}

@ApiTags('Usage')
@Controller('api/users/me/usage-limits')
export class UsageLimitsController {
  constructor(
    private readonly limits: Limits,
    private readonly storage: Storage,
    private readonly tables: Tables,
    private readonly settings: Settings,
  ) {}

  /**
   * The state of the key's buckets and of a workspace: the one in the query, or the one that pays for the key. The call
   * takes no execution token.
   */
  @Get()
  @ApiOperation({
    summary: 'Read the rate limits and the usage of the key',
    description:
      'Shows the calls that the key has left, and the part of the plan that the workspace has used. This call takes no execution token.',
  })
  @RequirePermission('read', 'readable')
  @ApiResult(
    200,
    UsageLimitsView,
    'The rate limits of the key, and the usage, storage and tables of a workspace. Without a workspace in the query it is the first workspace of the key.',
  )
  async getUsageLimits(
    @CurrentCaller() { payer }: Admission,
    @Query() _query: WorkspaceQuery,
  ): Promise<UsageLimitsView> {
    const [{ buckets, usage, memberCap }, usedBytes, count] = await Promise.all([
      this.limits.readLimits(payer),
      this.storage.usedBytes(payer.workspaceId),
      this.tables.countTables(payer.workspaceId),
    ]);
    const { storageBytes: limitBytes, maxTables, maxRowsPerTable } = getPlanLimits(payer.plan, this.settings);
    const { sync, async } = buckets;
    return {
      success: true,
      rateLimit: { sync: UsageBucketView.of(sync), async: UsageBucketView.of(async), authType: 'api' },
      usage,
      memberCap,
      storage: { usedBytes, limitBytes, percentUsed: Math.round((usedBytes / limitBytes) * 10_000) / 100 },
      tables: { count, maxTables, maxRowsPerTable },
    };
  }
}
