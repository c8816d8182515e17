import { type PlanLimits, withOwn } from '#libs/settings/plans';
import type { Settings } from '#libs/settings/settings';

export { type BucketKind, bucketKinds } from '#libs/settings/plans';

/** The limits of a plan, with those that the installation sets instead. A plan that is not configured has the limits of the default one. */
export function limitsOf(
  plan: string,
  { plans, defaultPlan, limits: own }: Pick<Settings, 'plans' | 'defaultPlan' | 'limits'>,
): PlanLimits {
  const known = Object.hasOwn(plans, plan) ? plans[plan] : plans[defaultPlan];
  if (!known) throw new Error('The default plan is not configured.');
  return withOwn(known, own);
}
