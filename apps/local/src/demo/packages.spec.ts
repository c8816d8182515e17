import { allowList, lockedPackages, toPackages } from './packages.ts';

describe('toPackages', () => {
  test('toPackages names each package and version once, by its last folder', () => {
    const locked = {
      '': { name: 'holdfast', version: '0.1.0', license: 'Apache-2.0' },
      'node_modules/a': { version: '1.0.0', license: 'MIT' },
      'node_modules/b/node_modules/a': { version: '1.0.0', license: 'MIT' },
      'node_modules/c/node_modules/a': { version: '2.0.0', license: 'ISC' },
      'node_modules/@scope/d': { version: '1.0.0', license: 'MIT' },
      'node_modules/alias': { name: 'real', version: '3.0.0', license: 'MIT' },
      'node_modules/linked': { link: true },
    };
    expect(toPackages(locked)).toEqual([
      { name: 'a', version: '1.0.0', licence: 'MIT' },
      { name: 'a', version: '2.0.0', licence: 'ISC' },
      { name: '@scope/d', version: '1.0.0', licence: 'MIT' },
      { name: 'real', version: '3.0.0', licence: 'MIT' },
    ]);
  });

  test('toPackages reads the licence of old packages, and null where none is stated', () => {
    const locked = {
      'node_modules/old': { version: '1.0.0', license: { type: 'BSD-3-Clause', url: '' } },
      'node_modules/silent': { version: '1.0.0' },
    };
    expect(toPackages(locked).map(({ licence }) => licence)).toEqual(['BSD-3-Clause', null]);
  });
});

test('the lock file of this repository holds several hundred packages, and some to ask about', () => {
  const packages = lockedPackages();
  expect(packages.length).toBeGreaterThan(300);
  expect(packages.filter(({ licence }) => licence && allowList.includes(licence)).length).toBeGreaterThan(
    300,
  );
  expect(packages.some(({ licence }) => !licence || /Python|CC-BY/.test(licence))).toBe(true);
});
