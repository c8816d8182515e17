import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Bucket, Limits } from '#libs/limits/limits';
import { Admitted, type Admission, Needs } from '../http/caller.guard.ts';
import { Responds } from '../http/responds.ts';
import { Bool, Int, One, Text } from '../http/fields.ts';
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

export class UsageLimitsView {
  @Bool() success!: boolean;
  @One(() => RateLimitView) rateLimit!: RateLimitView;
  @One(() => UsageView) usage!: UsageView;
}

@ApiTags('Usage')
@Controller('api/users/me/usage-limits')
export class UsageLimitsController {
  constructor(private readonly limits: Limits) {}

  /** The state of the key's buckets and of its payer; asking takes no execution token. */
  @Get()
  @ApiOperation({ summary: 'Read the rate limits and the usage of the key' })
  @Needs('read', 'caller')
  @Responds(200, UsageLimitsView, 'What is left of the rate limits of the key, and the usage of its payer.')
  async getUsageLimits(@Admitted() { payer }: Admission): Promise<UsageLimitsView> {
    const { buckets, usage } = await this.limits.look(payer);
    const { sync, async } = buckets;
    return {
      success: true,
      rateLimit: { sync: UsageBucketView.of(sync), async: UsageBucketView.of(async), authType: 'api' },
      usage,
    };
  }
}
