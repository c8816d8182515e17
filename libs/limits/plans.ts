import type { PlanLimits } from '#libs/settings/plans';
import type { Settings } from '#libs/settings/settings';

export { type BucketKind, bucketKinds } from '#libs/settings/plans';

/** The limits of a plan, with those that the installation sets instead. A plan that is not configured has the limits of the default one. */
export function limitsOf(
  plan: string,
  { plans, defaultPlan, limits: own }: Pick<Settings, 'plans' | 'defaultPlan' | 'limits'>,
): PlanLimits {
  const known = Object.hasOwn(plans, plan) ? plans[plan] : plans[defaultPlan];
  if (!known) throw new Error('The default plan is not configured.');
  const { perMinute, usageLimit, storageBytes } = known;
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
