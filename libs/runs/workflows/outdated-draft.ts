import { Outdated } from '#libs/platform/errors/errors';

/** The refusal of a change to a draft that the caller has not seen. */
export const outdatedDraft = () =>
  new Outdated('The workflow has changed since it was read; read it again. Nothing was changed.');
