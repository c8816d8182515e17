import { fc } from '#libs/platform/text/support/random';
import { versionBefore } from './rollback.ts';

describe('versionBefore', () => {
  test.each<[number[], number | null]>([
    [[], null],
    [[1], null],
    [[1, 2], 1],
    [[1, 2, 3], 2],
    [[1, 2, 3, 2], 1],
    [[1, 2, 3, 2, 1], null],
    [[1, 2, 3, 1, 4], 1],
    [[1, 1], null],
  ])('versionBefore after %j goes to %p', (history, version) => {
    expect(versionBefore(history)).toBe(version);
  });

  test('rollbacks in a row visit every deployed version once, newest first', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), (deployed) => {
        const history = Array.from({ length: deployed }, (_, n) => n + 1);
        for (let n = 0; n < deployed; n++) {
          const back = versionBefore(history);
          if (back !== null) history.push(back);
        }
        expect(history.slice(deployed)).toEqual(
          Array.from({ length: deployed - 1 }, (_, n) => deployed - 1 - n),
        );
      }),
    );
  });

  test('a rollback never goes to the live version, and after a deploy it goes back to the version that was live before', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }), (history) => {
        const live = history.at(-1);
        expect(versionBefore(history)).not.toBe(live);
        expect(versionBefore([...history, 99])).toBe(live);
      }),
    );
  });
});
