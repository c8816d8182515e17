/** How many tables a workspace has at most, and how many rows each of them, by the name of its plan. */
export const planLimits = {
  free: { tables: 5, rows: 50_000 },
  pro: { tables: 100, rows: 100_000 },
  team: { tables: 1000, rows: 500_000 },
  enterprise: { tables: 10_000, rows: 1_000_000 },
  self_hosted: { tables: 10_000, rows: 10_000_000 },
};

/** The numbers of a plan; those of `self_hosted` for one that is not known. */
export function planLimitsOf(plan: string): { tables: number; rows: number } {
  return Object.hasOwn(planLimits, plan)
    ? planLimits[plan as keyof typeof planLimits]
    : planLimits.self_hosted;
}
