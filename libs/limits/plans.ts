export const bucketKinds = ['sync', 'async', 'api'] as const;
export type BucketKind = (typeof bucketKinds)[number];

export interface PlanLimits {
  /** Requests per minute of each bucket; its burst is twice as much. */
  perMinute: Record<BucketKind, number>;
  /** Cost of a calendar month after which executions are refused. */
  usageLimit: number;
}

/** The published plans' numbers are those of the reference product; a self-hosted installation is generous but finite. */
export const plans: Record<string, PlanLimits> = {
  free: { perMinute: { sync: 50, async: 200, api: 30 }, usageLimit: 5 },
  pro: { perMinute: { sync: 150, async: 1000, api: 100 }, usageLimit: 100 },
  team: { perMinute: { sync: 300, async: 2500, api: 200 }, usageLimit: 500 },
  enterprise: { perMinute: { sync: 600, async: 5000, api: 500 }, usageLimit: 100_000 },
  self_hosted: { perMinute: { sync: 12_000, async: 12_000, api: 24_000 }, usageLimit: 1_000_000 },
};

/** A plan's numbers, with what the installation's environment says instead (`RATE_SYNC_PER_MINUTE`, …). */
export function limitsOf(plan: string, env: NodeJS.ProcessEnv): PlanLimits {
  const base = plans[plan] ?? plans.self_hosted;
  if (!base) throw new Error(`There is no plan ${plan}.`);
  const number = (name: string, fallback: number) => {
    const value = Number(env[name]);
    return env[name] && Number.isFinite(value) && value > 0 ? value : fallback;
  };
  return {
    perMinute: {
      sync: number('RATE_SYNC_PER_MINUTE', base.perMinute.sync),
      async: number('RATE_ASYNC_PER_MINUTE', base.perMinute.async),
      api: number('RATE_API_PER_MINUTE', base.perMinute.api),
    },
    usageLimit: number('USAGE_LIMIT', base.usageLimit),
  };
}
