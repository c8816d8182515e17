import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The checkout: the nearest folder upwards that holds a package.json, both from the sources and from `dist`. */
export function checkout(from: string = import.meta.dirname): string {
  return existsSync(join(from, 'package.json')) || dirname(from) === from ? from : checkout(dirname(from));
}

/** The folder of everything that must survive a restart: `HOLDFAST_DATA`, or `.data` in the checkout. */
export function dataFolder(): string {
  return resolve(checkout(), process.env['HOLDFAST_DATA'] ?? '.data');
}
