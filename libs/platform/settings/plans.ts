import { cutText } from '#libs/platform/text/whole-text';
export const bucketKinds = ['sync', 'async', 'api'] as const;
export type BucketKind = (typeof bucketKinds)[number];

export interface PlanLimits {
  /** The refill of each rate bucket per minute. A full bucket has twice as many tokens. */
  perMinute: Record<BucketKind, number>;
  /** The usage limit: the cost in a calendar month above which executions are refused. */
  usageLimit: number;
  /** The storage quota in bytes. Above it, writes are refused. */
  storageBytes: number;
  /** The most tables of the workspace, and the most rows of each. */
  maxTables: number;
  maxRowsPerTable: number;
  /** The most executions of the workspace under way, and the most paused ones. At this number, no other execution may begin. */
  openExecutions: number;
  pausedExecutions: number;
}

/** The numbers of plans by their names. */
export type Plans = Record<string, PlanLimits>;

const GiB = 1024 ** 3;

const selfHosted: PlanLimits = {
  perMinute: { sync: 12_000, async: 12_000, api: 24_000 },
  usageLimit: 1_000_000,
  storageBytes: 1024 * GiB,
  maxTables: 10_000,
  maxRowsPerTable: 10_000_000,
  openExecutions: 100_000,
  pausedExecutions: 1_000_000,
};

/** The built-in plans. The published plans have the numbers of the reference product. `self_hosted` has high but finite limits. */
export const builtInPlans: Plans = {
  free: {
    perMinute: { sync: 50, async: 200, api: 30 },
    usageLimit: 5,
    storageBytes: 5 * GiB,
    maxTables: 5,
    maxRowsPerTable: 50_000,
    openExecutions: 1000,
    pausedExecutions: 2000,
  },
  pro: {
    perMinute: { sync: 150, async: 1000, api: 100 },
    usageLimit: 100,
    storageBytes: 50 * GiB,
    maxTables: 100,
    maxRowsPerTable: 100_000,
    openExecutions: 10_000,
    pausedExecutions: 20_000,
  },
  team: {
    perMinute: { sync: 300, async: 2500, api: 200 },
    usageLimit: 500,
    storageBytes: 500 * GiB,
    maxTables: 1000,
    maxRowsPerTable: 500_000,
    openExecutions: 10_000,
    pausedExecutions: 20_000,
  },
  enterprise: {
    perMinute: { sync: 600, async: 5000, api: 500 },
    usageLimit: 100_000,
    storageBytes: 500 * GiB,
    maxTables: 10_000,
    maxRowsPerTable: 1_000_000,
    openExecutions: 50_000,
    pausedExecutions: 100_000,
  },
  self_hosted: selfHosted,
};

/** The bounds of each number of a plan, and whether it may have a fraction. */
const numbers = {
  sync: { min: 1, max: 1_000_000_000 },
  async: { min: 1, max: 1_000_000_000 },
  api: { min: 1, max: 1_000_000_000 },
  usage: { min: 0, max: 1_000_000_000, fraction: true },
  storage: { min: 1, max: Number.MAX_SAFE_INTEGER },
  maxTables: { min: 0, max: 1_000_000 },
  maxRowsPerTable: { min: 1, max: 1_000_000_000 },
  openExecutions: { min: 1, max: 1_000_000_000 },
  pausedExecutions: { min: 1, max: 1_000_000_000 },
};

export const planName = /^[a-z][a-z0-9_-]{0,49}$/;

/**
 * The built-in plans, changed and extended by a JSON object such as `{"gold":{"sync":600,"usage":250}}`. A missing number comes from the
 * built-in plan of this name, or from `self_hosted`.
 */
export function parsePlans(text: string): Plans {
  const plans = { ...builtInPlans };
  for (const [name, given] of Object.entries(parseJsonObject('PLANS', text))) {
    if (!planName.test(name))
      throw new Error(
        `PLANS must name plans by small letters, digits, "-" and "_": ${JSON.stringify(name)} is no name.`,
      );
    const own = parseNumbers('PLANS', name, given, numbers);
    plans[name] = withOwn(builtInPlans[name] ?? selfHosted, own);
  }
  return plans;
}

/** The limits of a plan. The numbers in `own` replace its numbers. */
function withOwn(
  { perMinute, usageLimit, ...plan }: PlanLimits,
  own: Partial<Record<keyof typeof numbers, number>>,
): PlanLimits {
  return {
    perMinute: {
      sync: own.sync ?? perMinute.sync,
      async: own.async ?? perMinute.async,
      api: own.api ?? perMinute.api,
    },
    usageLimit: own.usage ?? usageLimit,
    storageBytes: own.storage ?? plan.storageBytes,
    maxTables: own.maxTables ?? plan.maxTables,
    maxRowsPerTable: own.maxRowsPerTable ?? plan.maxRowsPerTable,
    openExecutions: own.openExecutions ?? plan.openExecutions,
    pausedExecutions: own.pausedExecutions ?? plan.pausedExecutions,
  };
}

/** The settings of an installation for its plans. */
export interface PlanSettings {
  plans: Plans;
  defaultPlan: string;
  limits: Partial<Record<keyof typeof numbers, number>>;
}

/** The limits of a plan. The limits of the installation replace its numbers. An unknown plan has the limits of the default plan. */
export function getPlanLimits(plan: string, { plans, defaultPlan, limits: own }: PlanSettings): PlanLimits {
  const known = Object.hasOwn(plans, plan) ? plans[plan] : plans[defaultPlan];
  if (!known) throw new Error('The default plan is not configured.');
  return withOwn(known, own);
}

/** The most rows of a table, by the name of the plan. The empty name is for unknown plans. */
export function rowsByPlan({ plans, defaultPlan }: Omit<PlanSettings, 'limits'>): Record<string, number> {
  const given = Object.entries({ ...plans, '': plans[defaultPlan] });
  return Object.fromEntries(given.map(([name, plan]) => [name, plan?.maxRowsPerTable ?? 0]));
}

export const builtInRows = rowsByPlan({ plans: builtInPlans, defaultPlan: 'self_hosted' });

interface Bounds {
  min: number;
  max: number;
  fraction?: boolean;
}

/** Parses a JSON object. The error is one line and names the variable. */
export function parseJsonObject(variable: string, text: string): Record<string, unknown> {
  const value = parsed(text);
  if (isObject(value)) return value;
  throw new Error(`${variable} must be a JSON object: it is ${JSON.stringify(cutText(text, 100))}.`);
}

/** Checks one entry: each member is known and a number within its bounds. Returns the entry. Throws an error that names the variable. */
export function parseNumbers<Name extends string>(
  variable: string,
  entry: string,
  given: unknown,
  bounds: Record<Name, Bounds>,
): Partial<Record<Name, number>> {
  const wrong = (what: string) => new Error(`${variable}: ${JSON.stringify(entry)} ${what}.`);
  if (!isObject(given)) throw wrong('must be an object');
  for (const [name, value] of Object.entries(given)) {
    const bound = Object.hasOwn(bounds, name) ? bounds[name as Name] : undefined;
    if (!bound) throw wrong(`may have ${Object.keys(bounds).join(', ')}, and not ${JSON.stringify(name)}`);
    const { min, max, fraction = false } = bound;
    if (typeof value !== 'number' || value < min || value > max || !(fraction || Number.isInteger(value)))
      throw wrong(`has a ${name} that is no ${fraction ? '' : 'whole '}number from ${min} to ${max}`);
  }
  return given as Partial<Record<Name, number>>;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
