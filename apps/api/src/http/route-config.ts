import type { FastifyRequest } from 'fastify';
import type { Permission } from '#libs/workspace/auth/caller';
import type { BucketKind } from '#libs/platform/settings/plans';

/** The marks of a route for the hooks that run before the body is read. */
export interface RouteFlags {
  /** A key is needed; a refused call costs a token of this bucket. */
  needsKey?: BucketKind;
  needsCodecToken?: boolean;
  isPage?: boolean;
  /** A file that is the same for everyone and costs no query. */
  isStaticFile?: boolean;
  /** Agents call it: a key may come as a bearer token, and the request must be for this host and from no other site. */
  isMcp?: boolean;
  takesForms?: boolean;
  /** Numbers of the body keep digits that JavaScript would lose. */
  exactNumbers?: boolean;
  /** Takes a file of rows, as it comes. */
  takesRows?: boolean;
  /** Takes files in parts of a body. */
  takesUploads?: boolean;
  /** Before a file is taken, the caller must have this permission, and room where it is stored; absent where no file is taken. */
  takesFilesOf?: { permission: Permission; stores: boolean };
}

export function routeConfigOf({ routeOptions }: FastifyRequest): RouteFlags {
  return routeOptions.config as RouteFlags;
}
