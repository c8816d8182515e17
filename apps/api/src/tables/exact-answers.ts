import { exactJson } from '#libs/exact-json/exact-json';

/** An answer about tables in its envelope, written with every digit of its numbers. */
export function exactly<T extends object>(data: T): string {
  return exactJson({ success: true, data });
}
