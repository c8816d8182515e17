import { ApiHeader } from '@nestjs/swagger';
import { Invalid } from '#libs/platform/errors/errors';

/** Documents the header that `versionsIn` reads. */
export const TakesIfMatch = (thing: string) =>
  ApiHeader({
    name: 'If-Match',
    required: false,
    description: `The ETag of ${thing} as it was read. When it has changed since, the call is refused with 412 and changes nothing.`,
  });

/**
 * The versions in an If-Match header, of which one must be the present one; undefined when any version will do. A weak
 * tag counts as the tag, because a proxy that compresses makes tags weak. A tag of another kind fits no version. Throws
 * for a header that is no list of ETags.
 */
export function versionsIn(ifMatch: string | undefined, thing = 'a row'): string[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  const tags = tagsIn(ifMatch);
  if (!tags) throw Invalid.field('If-Match', `must be the ETag of ${thing}, in its quotes`, 'pattern');
  return tags.filter((tag) => /^(0|[1-9]\d{0,17})$/.test(tag));
}

/** True when an If-None-Match header names the tag, so that the reader has the answer already. */
export function isKnownTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch?.trim() === '*') return true;
  const [wanted] = tagsIn(tag) ?? [];
  return wanted !== undefined && tagsIn(ifNoneMatch ?? '')?.includes(wanted) === true;
}

/** The texts within the quotes of a list of ETags; undefined for anything else. */
function tagsIn(list: string): string[] | undefined {
  const tag = /\s*(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"\s*(?:,|$)/y;
  const tags: string[] = [];
  while (tag.lastIndex < list.length) {
    const [, text] = tag.exec(list) ?? [];
    if (text === undefined) return undefined;
    tags.push(text);
  }
  return tags.length > 0 && !/,\s*$/.test(list) ? tags : undefined;
}

/** Refuses the header on a call that may change many rows. Ignoring it would promise a check that did not happen. */
export function refuseVersion(ifMatch: string | undefined, instead: string): void {
  if (ifMatch !== undefined)
    throw Invalid.field('If-Match', `is not possible for many rows; ${instead}`, 'conflict');
}
