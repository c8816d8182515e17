import { fc } from '#libs/platform/text/support/random';
import {
  builtInPlans,
  builtInRows,
  bucketKinds,
  getPlanLimits,
  type PlanSettings,
  parsePlans,
  rowsByPlan,
} from './plans.ts';

const given = (limits: PlanSettings['limits'] = {}) => ({
  plans: builtInPlans,
  defaultPlan: 'self_hosted',
  limits,
});

describe('getPlanLimits', () => {
  test.each(Object.keys(builtInPlans))(
    'getPlanLimits gives the numbers of the plan %s when the installation sets none',
    (plan) => {
      expect(getPlanLimits(plan, given())).toEqual(builtInPlans[plan]);
    },
  );

  test('getPlanLimits takes an unknown plan for the default plan', () => {
    expect(getPlanLimits('gold', given())).toEqual(builtInPlans['self_hosted']);
    expect(getPlanLimits('toString', { ...given(), defaultPlan: 'pro' })).toEqual(builtInPlans['pro']);
  });

  test('getPlanLimits takes the numbers of a plan that the installation configures, and leaves the others as they are', () => {
    const plans = parsePlans('{"gold":{"usage":7},"free":{"sync":51}}');
    expect(getPlanLimits('gold', { ...given(), plans })).toEqual({
      ...builtInPlans['self_hosted'],
      usageLimit: 7,
    });
    expect(getPlanLimits('free', { ...given(), plans })).toMatchObject({
      perMinute: { sync: 51, async: 200 },
      usageLimit: 5,
    });
    expect(getPlanLimits('pro', { ...given(), plans })).toEqual(builtInPlans['pro']);
  });

  test('getPlanLimits takes each number that the installation sets, a usage limit of 0 too, and no other', () => {
    expect(getPlanLimits('free', given({ usage: 0 }))).toEqual({ ...builtInPlans['free'], usageLimit: 0 });
    const own = fc.record(
      {
        sync: fc.integer({ min: 1 }),
        async: fc.integer({ min: 1 }),
        api: fc.integer({ min: 1 }),
        usage: fc.double({ min: 0, noNaN: true }),
        storage: fc.integer({ min: 1 }),
        maxTables: fc.integer({ min: 0 }),
        maxRowsPerTable: fc.integer({ min: 1 }),
        openExecutions: fc.integer({ min: 1 }),
        pausedExecutions: fc.integer({ min: 1 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(builtInPlans)), own, (plan, set) => {
        const { perMinute, usageLimit, storageBytes, ...counts } = getPlanLimits(plan, given(set));
        for (const kind of bucketKinds)
          expect(perMinute[kind]).toBe(set[kind] ?? builtInPlans[plan]?.perMinute[kind]);
        expect(usageLimit).toBe(set.usage ?? builtInPlans[plan]?.usageLimit);
        expect(storageBytes).toBe(set.storage ?? builtInPlans[plan]?.storageBytes);
        for (const [name, count] of Object.entries(counts))
          expect(count).toBe({ ...builtInPlans[plan], ...set }[name]);
      }),
    );
  });
});

test('a table of plans names its rows for each plan, and the rows of the default plan for an unknown plan', () => {
  const plans = parsePlans('{"gold":{"maxRowsPerTable":7}}');
  const rows = { free: 50_000, pro: 100_000, team: 500_000, enterprise: 1_000_000, self_hosted: 10_000_000 };
  expect(builtInRows).toEqual({ ...rows, '': 10_000_000 });
  expect(rowsByPlan({ plans, defaultPlan: 'gold' })).toEqual({ ...rows, gold: 7, '': 7 });
});
