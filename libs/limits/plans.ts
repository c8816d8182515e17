import type { Settings } from '#libs/settings/settings';

export const bucketKinds = ['sync', 'async', 'api'] as const;
export type BucketKind = (typeof bucketKinds)[number];

export interface PlanLimits {
  /** Requests per minute of each bucket; its burst is twice as much. */
  perMinute: Record<BucketKind, number>;
  /** Cost of a calendar month after which executions are refused. */
  usageLimit: number;
  /** What the workspace may store. It is told, and not enforced. */
  storageBytes: number;
}

const GiB = 1024 ** 3;

const selfHosted: PlanLimits = {
  perMinute: { sync: 12_000, async: 12_000, api: 24_000 },
  usageLimit: 1_000_000,
  storageBytes: 1024 * GiB,
};

/** The published plans' numbers are those of the reference product; a self-hosted installation is generous but finite. */
export const plans: Record<string, PlanLimits> = {
  free: { perMinute: { sync: 50, async: 200, api: 30 }, usageLimit: 5, storageBytes: 5 * GiB },
  pro: { perMinute: { sync: 150, async: 1000, api: 100 }, usageLimit: 100, storageBytes: 50 * GiB },
  team: { perMinute: { sync: 300, async: 2500, api: 200 }, usageLimit: 500, storageBytes: 500 * GiB },
  enterprise: {
    perMinute: { sync: 600, async: 5000, api: 500 },
    usageLimit: 100_000,
    storageBytes: 500 * GiB,
  },
  self_hosted: selfHosted,
};

/** The limits of a plan, with those that the installation sets instead. An unknown plan has the limits of `self_hosted`. */
export function limitsOf(plan: string, own: Settings['limits']): PlanLimits {
  const { perMinute, usageLimit, storageBytes } = plans[plan] ?? selfHosted;
  return {
    perMinute: {
      sync: own.sync ?? perMinute.sync,
      async: own.async ?? perMinute.async,
      api: own.api ?? perMinute.api,
    },
    usageLimit: own.usage ?? usageLimit,
    storageBytes: own.storage ?? storageBytes,
  };
}
