import { page } from '$app/state';
import type { Area } from '../areas.ts';
import { pathTo } from '../addresses.ts';

/** True when the current address is in the area. */
export function isCurrent({ place }: Area): boolean {
  const path = pathTo(place);
  const { pathname } = page.url;
  return place === '' ? pathname === path || pathname === `${path}/` : `${pathname}/`.startsWith(`${path}/`);
}
