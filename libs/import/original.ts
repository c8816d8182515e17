import type { Json } from '#libs/platform/json/json';

const secretName = /key|token|secret|password|passwd|authorization|credential/i;
const charsMax = 8000;

/** The part of the original that a placeholder keeps. Values that may be credentials are left out, since every copy of a definition holds them. */
export function withoutSecrets(original: Json): Json {
  const kept = mask(original);
  return JSON.stringify(kept).length > charsMax ? 'It is too large to be kept here; see the file.' : kept;
}

function mask(value: Json): Json {
  if (Array.isArray(value)) return value.map(mask);
  if (typeof value !== 'object' || value === null) return value;
  const named = typeof value['name'] === 'string' && secretName.test(value['name']);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const hidden =
        typeof member === 'string' && member !== '' && (secretName.test(key) || (named && key === 'value'));
      return [key, hidden ? '(left out)' : mask(member)];
    }),
  );
}
