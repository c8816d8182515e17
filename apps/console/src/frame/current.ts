import { page } from '$app/state';
import type { Area } from '../areas.ts';
import { pathTo } from '../addresses.ts';

/** Whether the address is that of an area, or lies below it. */
export function isCurrent({ place }: Area): boolean {
  const path = pathTo(place);
  const { pathname } = page.url;
  return place === '' ? pathname === path || pathname === `${path}/` : `${pathname}/`.startsWith(`${path}/`);
}
