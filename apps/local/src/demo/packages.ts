import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from '../paths.ts';

/** A package with the licence that it states, as text in SPDX, or null. */
export interface Package {
  name: string;
  version: string;
  licence: string | null;
}

/** A package in `package-lock.json`. */
interface Locked {
  name?: string;
  version?: string;
  license?: unknown;
  link?: boolean;
}

/** Licences that ask for no more than that they are passed on. */
export const allowList = [
  'MIT',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
];

/** The packages of this repository's own lock file. */
export function lockedPackages(): Package[] {
  const lock = JSON.parse(readFileSync(join(checkout(), 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  return toPackages(lock.packages);
}

/** Each package and version once, however often it lies in the tree; neither the repository itself nor its links. */
export function toPackages(locked: Record<string, Locked>): Package[] {
  const all = Object.entries(locked).flatMap(([place, entry]): [string, Package][] => {
    if (place === '' || entry.link) return [];
    const name = entry.name ?? place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const version = entry.version ?? '';
    return [[`${name}@${version}`, { name, version, licence: licenceOf(entry.license) }]];
  });
  return [...new Map(all).values()];
}

/** Old packages say `{ "type": "MIT" }`, or nothing at all. */
function licenceOf(stated: unknown): string | null {
  if (typeof stated === 'string') return stated;
  const type: unknown = Reflect.get(Object(stated), 'type');
  return typeof type === 'string' ? type : null;
}
