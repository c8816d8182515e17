import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepSettings } from './kept-settings.ts';
import { chooseDataFolder, rememberFolder } from './paths.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'holdfast-kept-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the settings of an installation', () => {
  test('the settings of an installation are kept beside its data, and a later start uses the kept settings that it does not name', () => {
    expect(keepSettings(folder, { PORT: '5100', HOST: '0.0.0.0', LOG_LEVEL: 'debug' })).toEqual({});
    expect(keepSettings(folder, { PORT: '5200' })).toEqual({ HOST: '0.0.0.0' });
    expect(keepSettings(folder, {})).toEqual({ PORT: '5200', HOST: '0.0.0.0' });
    expect(statSync(join(folder, 'settings.json')).mode & 0o777).toBe(0o600);
  });

  test('the settings of an installation are forgotten one by one when a start sets them empty', () => {
    keepSettings(folder, { PORT: '5100', HOST: '0.0.0.0' });
    expect(keepSettings(folder, { HOST: '' })).toEqual({ PORT: '5100' });
    expect(keepSettings(folder, {})).toEqual({ PORT: '5100' });
  });
});

describe('the data folder', () => {
  const given = (name: string) => {
    const place = join(folder, name);
    mkdirSync(place);
    writeFileSync(join(place, 'secrets.json'), '{}');
    return place;
  };

  test('the data folder is the last started folder when a start names none', () => {
    const [usual, other] = [join(folder, '.data'), given('other')];
    expect(chooseDataFolder(folder, {})).toBe(usual);
    expect(chooseDataFolder(folder, { HOLDFAST_DATA: 'other' })).toBe(other);
    rememberFolder(folder, other);
    expect(chooseDataFolder(folder, {})).toBe(other);
    rememberFolder(folder, usual);
    expect(chooseDataFolder(folder, {})).toBe(usual);
  });

  test('the data folder is ignored when it was started last and is gone', () => {
    rememberFolder(folder, given('other'));
    rmSync(join(folder, 'other'), { recursive: true });
    expect(chooseDataFolder(folder, {})).toBe(join(folder, '.data'));
  });
});
