import type { Json } from '#libs/platform/json/json';
import { cutText } from '#libs/platform/text/whole-text';

export const toList = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
export const toText = (value: Json | undefined, fallback = ''): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : fallback;
export const parseNumber = (value: Json | undefined): number | undefined => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
};

/** A switch, which may stand as text. */
export const isOn = (value: Json | undefined): boolean => value === true || value === 'true';

/** JSON that may stand as text, as other products keep lists in one field. */
export function parseJsonText(value: Json | undefined): Json | undefined {
  if (typeof value !== 'string') return value;
  try {
    const parsed: Json = JSON.parse(value);
    return parsed;
  } catch {
    return undefined;
  }
}

export const clip = (text: string) => cutText(text, 160, '…');

/** The letters and digits of a name, with `_` between its words. */
export const toWords = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]/)
    .filter((word) => word !== '')
    .join('_');
