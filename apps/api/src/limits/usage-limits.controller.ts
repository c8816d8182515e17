import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Bucket, Limits, type Spending } from '#libs/workspace/limits/limits';
import { limitsOf } from '#libs/platform/settings/plans';
import { Storage } from '#libs/workspace/limits/storage';
import { Settings } from '#libs/platform/settings/settings';
import { Tables } from '#libs/tables/schema/tables';
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
  @One(() => UsageBucketView, { description: 'The bucket of executions that are waited for.' })
  sync!: UsageBucketView;
  @One(() => UsageBucketView, { description: 'The bucket of executions that are asked for as jobs.' })
  async!: UsageBucketView;
  @Text({ description: 'How the caller is known: always `api`, by a key.' }) authType!: string;
}

/** The stored data of the workspace: values of executions, documents, rows of tables. */
export class StorageView {
  @Int({ description: 'Bytes that are stored, of executions, documents and tables together.' })
  usedBytes!: number;
  @Int({ description: 'Bytes that the plan allows.' }) limitBytes!: number;
  @Num({ description: 'The share that is used, from 0 to 100.' }) percentUsed!: number;
}

/** The number of tables in the workspace, and the limit of its plan. A table may have a lower limit of its own. */
export class TableLimitsView {
  @Int({ description: 'How many tables there are.' }) count!: number;
  @Int({ description: 'How many tables the plan allows.' }) maxTables!: number;
  @Int({ description: 'How many rows the plan allows in a table.' }) maxRowsPerTable!: number;
}

/** The monthly cost of a personal key's user in the workspace, and its cap. */
export class SpendingView implements Spending {
  @Num({ description: 'What the member may cost in a calendar month.' }) limit!: number;
  @Num({ description: 'What the member has cost in this month, in UTC.' }) currentPeriodCost!: number;
  @Bool({ description: 'True when the month has cost as much as the limit or more.' }) isExceeded!: boolean;
}

export class UsageLimitsView {
  @Bool({ description: 'Always true.' }) success!: boolean;
  @One(() => RateLimitView, { description: 'The two buckets of executions.' }) rateLimit!: RateLimitView;
  @One(() => UsageView, { description: 'What the month of the workspace has cost, and what it may cost.' })
  usage!: UsageView;
  @One(() => SpendingView, {
    nullable: true,
    description: 'What the user of a personal key may cost; null without a cap and for a workspace key.',
  })
  memberCap!: SpendingView | null;
  @One(() => StorageView, { description: 'What the workspace has stored, and what it may store.' })
  storage!: StorageView;
  @One(() => TableLimitsView, { description: 'How many tables the workspace has, and how many it may have.' })
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
      'Shows how many calls the key may still make, and what the workspace has used of its plan. Asking takes no execution token.',
  })
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
      this.limits.readLimits(payer),
      this.storage.usedBytes(payer.workspaceId),
      this.tables.countTables(payer.workspaceId),
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
