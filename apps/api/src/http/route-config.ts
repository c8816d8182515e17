import type { FastifyRequest } from 'fastify';
import type { Permission } from '#libs/workspace/auth/caller';
import type { BucketKind } from '#libs/platform/settings/plans';

/** Flags of a route for the hooks that run before the body is read. */
export interface RouteFlags {
  /** Set when a key is needed. A refused call costs a token of this bucket. */
  needsKey?: BucketKind;
  /** The permission that the caller must have before a file is read. */
  permission?: Permission;
  /** The call is refused when the storage of the workspace is full. */
  storesData?: boolean;
  /** The proof that the person is there: see the decorator `RecentSignIn`. */
  recentSignIn?: 'person' | 'ways' | 'firstPasskey';
  needsCodecToken?: boolean;
  isPage?: boolean;
  /** A static file, the same for everyone, which costs no query. */
  isStaticFile?: boolean;
  /**
   * Agents call it. A key may come as a bearer token. The request must be for this host and must not come from another
   * site.
   */
  isMcp?: boolean;
  takesForms?: boolean;
  /** It takes a body of any type as bytes, for a signature over them. */
  isHook?: boolean;
  /** The page of a form trigger, whose token is in the path. */
  isForm?: boolean;
  /** Numbers of the body keep digits that JavaScript would lose. */
  exactNumbers?: boolean;
  /** It takes a file of rows as a stream. */
  takesRows?: boolean;
  /** It takes a multipart body with files. */
  takesUploads?: boolean;
}

export function getRouteFlags({ routeOptions }: FastifyRequest): RouteFlags {
  return routeOptions.config as RouteFlags;
}
