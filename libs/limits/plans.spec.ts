import fc from 'fast-check';
import { bucketKinds, limitsOf, plans } from './plans.ts';

describe('limitsOf', () => {
  test.each(Object.keys(plans))(
    'gives the numbers of the plan %s when the installation sets none',
    (plan) => {
      expect(limitsOf(plan, {})).toEqual(plans[plan]);
    },
  );

  test('takes a plan that it does not know for a self-hosted one', () => {
    expect(limitsOf('gold', {})).toEqual(plans['self_hosted']);
  });

  test('takes each number that the installation sets, a usage limit of 0 too, and no other', () => {
    expect(limitsOf('free', { usage: 0 })).toEqual({ ...plans['free'], usageLimit: 0 });
    const own = fc.record(
      {
        sync: fc.integer({ min: 1 }),
        async: fc.integer({ min: 1 }),
        api: fc.integer({ min: 1 }),
        usage: fc.double({ min: 0, noNaN: true }),
        storage: fc.integer({ min: 1 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(plans)), own, (plan, set) => {
        const { perMinute, usageLimit, storageBytes } = limitsOf(plan, set);
        for (const kind of bucketKinds)
          expect(perMinute[kind]).toBe(set[kind] ?? plans[plan]?.perMinute[kind]);
        expect(usageLimit).toBe(set.usage ?? plans[plan]?.usageLimit);
        expect(storageBytes).toBe(set.storage ?? plans[plan]?.storageBytes);
      }),
    );
  });
});
