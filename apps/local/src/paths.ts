import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The checkout: the nearest folder upwards that holds a package.json, both from the sources and from `dist`. */
export function checkout(from: string = import.meta.dirname): string {
  return existsSync(join(from, 'package.json')) || dirname(from) === from ? from : checkout(dirname(from));
}

/** The folder of everything that must survive a restart, for this checkout and this environment. */
export function dataFolder(): string {
  return chooseDataFolder(checkout(), process.env);
}

/** `HOLDFAST_DATA`, else the folder that was started last and still has its secrets, else `.data` in the checkout. */
export function chooseDataFolder(root: string, env: NodeJS.ProcessEnv): string {
  if (env['HOLDFAST_DATA']) return resolve(root, env['HOLDFAST_DATA']);
  const file = join(root, rememberedIn);
  const last = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  return last && existsSync(join(last, 'secrets.json')) ? last : join(root, usual);
}

/** Notes which folder was started last, so that a start that names none does not make a second installation in silence. */
export function rememberFolder(root: string, folder: string): void {
  const file = join(root, rememberedIn);
  if (folder === join(root, usual)) rmSync(file, { force: true });
  else writeFileSync(file, `${folder}\n`);
}

const usual = '.data';
const rememberedIn = '.data-folder';
