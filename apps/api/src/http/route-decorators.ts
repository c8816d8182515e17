import { applyDecorators, SetMetadata } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExtension, ApiResponse, ApiSecurity } from '@nestjs/swagger';
import { lowestRole, type Permission } from '#libs/workspace/auth/caller';
import { ErrorView } from './api-result.ts';
import type { RouteFlags } from './route-config.ts';

/**
 * How the guard finds the workspace of a call. `workspace`: the request names it, or the key reaches only one. `named`:
 * the request must name it. `workflow`, `execution`, `mcpServer`: the thing in the path belongs to it. `readable`:
 * every workspace that the key may read, unless the query names one. `caller`: none is needed.
 */
export type WorkspaceSource =
  | 'workspace'
  | 'named'
  | 'workflow'
  | 'execution'
  | 'mcpServer'
  | 'readable'
  | 'caller';

export interface Need {
  permission: Permission | 'public';
  source: WorkspaceSource;
}

export const needKey = 'holdfast:need';
const flagsKey = 'holdfast:flags';

/** Marks an operation of OpenAPI that asks a session for a recent sign-in. */
export const recentSignInMark = 'x-recent-sign-in';

/** Declares the permission that a handler needs. The process does not start while a handler declares none. */
export const RequirePermission = (permission: Permission, source: WorkspaceSource) =>
  applyDecorators(
    SetMetadata(needKey, { permission, source } satisfies Need),
    addFlags({ permission }, { needsKey: 'api' }),
    ApiSecurity('apiKey', [lowestRole(permission)]),
  );

/** Declares that anyone may call a handler, without a key. */
export const Public = () => SetMetadata(needKey, { permission: 'public', source: 'caller' } satisfies Need);

/** Takes no token of the bucket `api`, because the handler of an execution debits another bucket. */
export const Unmetered = () => addFlags({ needsKey: 'sync' });

/** Refuses the call with 402 when the storage of the workspace is full. */
export const StoresData = () =>
  applyDecorators(addFlags({ storesData: true }), ApiResponse({ status: 402, type: ErrorView }));

/**
 * Requires that the person has signed in within the last hour. `ways`: the call changes the ways to sign in, so no key
 * may make it. `firstPasskey`: like `ways`, and an older session may make it when its person has no other way in.
 */
export const RecentSignIn = (recentSignIn: NonNullable<RouteFlags['recentSignIn']> = 'person') =>
  applyDecorators(addFlags({ recentSignIn }), ApiExtension(recentSignInMark, true));

/** Keeps digits of numbers in the body that JavaScript would lose. */
export const RawJson = () => addFlags({ exactNumbers: true });

/** Takes a file of rows as a stream. */
export const TakesRows = () => addFlags({ takesRows: true });

/** Takes a multipart body with files. */
export const TakesUploads = () => addFlags({ takesUploads: true });

/** Takes a body of any type as bytes, and finds the trigger of the token in the path before it is read. */
export const TakesHooks = () => addFlags({ isHook: true });

/** Lets agents call the handler by MCP. */
export const ForAgents = () => addFlags({ isMcp: true });

/** Adds flags to those of the handler's other decorators, which come in any order. Defaults give way to them. */
function addFlags(flags: RouteFlags, defaults: RouteFlags = {}): MethodDecorator {
  return (target, key, descriptor: PropertyDescriptor) => {
    const all: RouteFlags = { ...defaults, ...Reflect.getMetadata(flagsKey, descriptor.value), ...flags };
    applyDecorators(SetMetadata(flagsKey, all), RouteConfig(all))(target, key, descriptor);
  };
}

/** True when a handler declares a permission. Every handler is checked at the boot. */
export function declaresNeed(handler: object): boolean {
  return Reflect.hasMetadata(needKey, handler);
}
