import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Bucket, Limits, type Spending } from '#libs/limits/limits';
import { limitsOf } from '#libs/settings/plans';
import { Storage } from '#libs/limits/storage';
import { Settings } from '#libs/settings/settings';
import { Tables } from '#libs/tables/tables';
import { Admitted, type Admission, Needs } from '../http/caller.guard.ts';
import { WorkspaceQuery } from '../http/cursor-query.ts';
import { Responds } from '../http/responds.ts';
import { Bool, Int, Num, One, Text } from '../http/fields.ts';
import { BucketView, UsageView } from '../executions/executions.shapes.ts';

export class UsageBucketView extends BucketView {
  @Int({ description: 'The same as requestsPerMinute.' }) limit!: number;
  @Bool({ description: 'No token is left.' }) isLimited!: boolean;

  static of(bucket: Bucket): UsageBucketView {
    return { ...bucket, limit: bucket.requestsPerMinute, isLimited: bucket.remaining <= 0 };
  }
}

export class RateLimitView {
  @One(() => UsageBucketView) sync!: UsageBucketView;
  @One(() => UsageBucketView) async!: UsageBucketView;
  @Text() authType!: string;
}

/** What the workspace has stored: values of executions, documents, rows of tables. */
export class StorageView {
  @Int() usedBytes!: number;
  @Int() limitBytes!: number;
  @Num() percentUsed!: number;
}

/** The tables of the workspace, and how many its plan allows; a table may have a lower bound of its own. */
export class TableLimitsView {
  @Int() count!: number;
  @Int() maxTables!: number;
  @Int() maxRowsPerTable!: number;
}

/** What the user of a personal key may cost in a month of the workspace, and has cost. */
export class SpendingView implements Spending {
  @Num() limit!: number;
  @Num() currentPeriodCost!: number;
  @Bool() isExceeded!: boolean;
}

export class UsageLimitsView {
  @Bool() success!: boolean;
  @One(() => RateLimitView) rateLimit!: RateLimitView;
  @One(() => UsageView) usage!: UsageView;
  @One(() => SpendingView, { nullable: true }) memberCap!: SpendingView | null;
  @One(() => StorageView) storage!: StorageView;
  @One(() => TableLimitsView) tables!: TableLimitsView;
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

  /** The state of the key's buckets, and of the workspace that is asked for or else pays for the key; asking takes no execution token. */
  @Get()
  @ApiOperation({ summary: 'Read the rate limits and the usage of the key' })
  @Needs('read', 'readable')
  @Responds(
    200,
    UsageLimitsView,
    'What is left of the rate limits of the key, and the usage, the storage and the tables of the workspace that the query names, or else of the first that the key reaches.',
  )
  async getUsageLimits(
    @Admitted() { payer }: Admission,
    @Query() _query: WorkspaceQuery,
  ): Promise<UsageLimitsView> {
    const [{ buckets, usage, memberCap }, usedBytes, count] = await Promise.all([
      this.limits.look(payer),
      this.storage.usedBytes(payer.workspaceId),
      this.tables.count(payer.workspaceId),
    ]);
    const { storageBytes: limitBytes, maxTables, maxRowsPerTable } = limitsOf(payer.plan, this.settings);
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
