import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type Caller,
  isRecentSignIn,
  type Permission,
  planOfNone,
  requireRecentSignIn,
  type WorkspaceAccess,
} from '#libs/workspace/auth/caller';
import { Callers, thingNames } from '#libs/workspace/auth/callers';
import { Denied, Invalid, NotFound, Unauthenticated } from '#libs/platform/errors/errors';
import { idPattern } from '#libs/platform/ids/ids';
import { RefusedAttempts } from '#libs/workspace/audit/refused-attempts';
import { actorContext } from '#libs/platform/database/actor-context';
import { Limits, type Payer } from '#libs/workspace/limits/limits';
import { SignInWays } from '#libs/workspace/sign-in/ways-in';
import { StorageQuota } from '#libs/workspace/limits/storage-quota';
import { cutText } from '#libs/platform/text/whole-text';
import { actingIn } from './actor-context.ts';
import { writeRateHeaders } from './rate-headers.ts';
import { getRouteFlags, type RouteFlags } from './route-config.ts';
import { type Need, needKey, type WorkspaceSource } from './route-decorators.ts';

/** The rights of a call without a workspace. */
const nobody: WorkspaceAccess = { role: 'viewer', plan: planOfNone, open: true, awaits: null };

/** The result of the guard for the handler: the caller and their rights. */
export interface Admission {
  caller: Caller;
  workspaceId: string;
  /** The workspaces of a call that names one or reads all. */
  readable: string[];
  reach: WorkspaceAccess;
  payer: Payer;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The holder of the request's key. It is found before the body is read. */
    caller?: Caller;
    admission?: Admission;
  }
}

/**
 * Admits a call when its workspace is within reach of the key, its role has the permission, and a rate token is left.
 * `authenticateBeforeBody` has found the caller.
 */
@Injectable()
export class CallerGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly callers: Callers,
    private readonly limits: Limits,
    private readonly attempts: RefusedAttempts,
    private readonly room: StorageQuota,
    private readonly ways: SignInWays,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const need = this.reflector.get<Need | undefined>(needKey, context.getHandler());
    if (!need) return false;
    if (need.permission === 'public') return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    if (!request.caller) throw new Unauthenticated();
    const admission = await this.admitCurrent(request, request.caller, need, need.permission);
    const { recentSignIn, needsKey, storesData } = getRouteFlags(request);
    if (recentSignIn) await this.requireProof(admission.caller, recentSignIn);
    request.admission = admission;
    if (needsKey === 'api')
      writeRateHeaders(reply, await this.limits.takeTokens(admission.payer, 'api'), 'api');
    if (storesData) await this.room.require(admission.workspaceId);
    return true;
  }

  /** Refuses a caller whose proof of being the person is too old, or who is a key where a person has to act. */
  private async requireProof(caller: Caller, needed: NonNullable<RouteFlags['recentSignIn']>): Promise<void> {
    const { session, userId } = caller;
    if (needed !== 'person' && (!session || userId === null))
      throw new Denied(
        'A person who has signed in changes the ways to sign in, and no key does. Sign in to the console.',
        'SESSION_NEEDED',
      );
    if (needed === 'firstPasskey' && !isRecentSignIn(caller) && session && userId !== null)
      if (await this.ways.mayMakeFirstPasskey(userId, session)) return;
    requireRecentSignIn(caller);
  }

  /** Admits the caller. Reads the caller anew before a refusal, because another process may just have given the right. */
  private async admitCurrent(
    request: FastifyRequest,
    caller: Caller,
    need: Need,
    permission: Permission,
  ): Promise<Admission> {
    try {
      return await this.admit(request, caller, need, { permission, isRecorded: false });
    } catch (error) {
      if (!(error instanceof NotFound || error instanceof Denied)) throw error;
      request.caller = await this.callers.readAnew(caller);
      return this.admit(request, request.caller, need, { permission, isRecorded: true });
    }
  }

  /** With `isRecorded`, a refusal is recorded in the audit log of the workspace. */
  private async admit(
    request: FastifyRequest,
    caller: Caller,
    need: Need,
    { permission, isRecorded }: { permission: Permission; isRecorded: boolean },
  ): Promise<Admission> {
    // A user's own data belongs to no workspace, so no workspace policy may block access to it.
    const source = chooseSource(request, need.source);
    if (source === 'caller' || source === 'readable') {
      const readable = source === 'caller' ? [] : caller.readable();
      this.lookFor(request, caller, getTexts(request.params).workspaceId);
      return { caller, workspaceId: '', readable, reach: nobody, payer: caller.payer };
    }
    if (isRecorded && (source === 'workspace' || source === 'named'))
      this.lookFor(request, caller, getNamedWorkspace(request, getTexts(request.params)));
    const workspaceId = await this.findWorkspace(request, caller, source);
    const reach = isRecorded
      ? await this.requireAccess(request, caller, workspaceId, permission)
      : caller.require(workspaceId, permission);
    return {
      caller,
      workspaceId,
      readable: [workspaceId],
      reach,
      payer: { owner: caller.bucketOwner, plan: reach.plan, workspaceId },
    };
  }

  /**
   * A forbidden attempt gets an entry in the workspace's audit log. A forbidden read does not, when the key belongs to
   * the workspace.
   */
  private async requireAccess(
    request: FastifyRequest,
    caller: Caller,
    workspaceId: string,
    permission: Permission,
  ): Promise<WorkspaceAccess> {
    try {
      return caller.require(workspaceId, permission);
    } catch (error) {
      if (error instanceof Denied) await this.refused(request, workspaceId, error.code);
      throw error;
    }
  }

  /**
   * Notes an attempt on a workspace that the key does not reach. Nobody waits for it: the duration of the answer must
   * not reveal whether the workspace exists.
   */
  private lookFor(request: FastifyRequest, caller: Caller, requestedId: string | undefined): void {
    if (
      requestedId !== undefined &&
      !caller.workspaceIds.includes(requestedId) &&
      idPattern.test(requestedId)
    )
      void this.refused(request, requestedId, 'NOT_FOUND');
  }

  private refused(request: FastifyRequest, workspaceId: string, code: string): Promise<void> {
    return recordRefusedAccess(this.attempts, request, workspaceId, code);
  }

  private findWorkspace(
    request: FastifyRequest,
    caller: Caller,
    source: Exclude<WorkspaceSource, 'caller' | 'readable'>,
  ): string | Promise<string> {
    const params = getTexts(request.params);
    if (source === 'workspace' || source === 'named') {
      const requestedId = getNamedWorkspace(request, params);
      if (requestedId === undefined && source === 'named')
        throw Invalid.field('workspaceId', 'is required', 'required');
      return caller.choose(requestedId);
    }
    const id =
      source === 'workflow'
        ? params.workflowId
        : source === 'mcpServer'
          ? params.serverId
          : (params.jobId ?? params.logId ?? params.executionId);
    if (!id || !idPattern.test(id)) throw new NotFound(thingNames[source]);
    return this.callers.locate(
      caller,
      source,
      source === 'execution' ? id.replace(/^(job|log)_/, 'exec_') : id,
    );
  }
}

/** A `readable` call whose query names a workspace is about that workspace. */
function chooseSource(request: FastifyRequest, source: WorkspaceSource): WorkspaceSource {
  return source === 'readable' && getTexts(request.query).workspaceId !== undefined ? 'workspace' : source;
}

/** Notes in the audit log of a workspace that somebody asked for something forbidden. */
export function recordRefusedAccess(
  attempts: RefusedAttempts,
  request: FastifyRequest,
  workspaceId: string,
  code: string,
): Promise<void> {
  const { method, routeOptions } = request;
  const about = { code, method, path: routeOptions.url ?? '', ...getNamedThing(request) };
  const attempt = {
    action: 'access.refused',
    resourceType: 'workspace',
    resourceId: workspaceId,
    about,
  } as const;
  return actorContext.run(actingIn(request), () => attempts.recordAttempt(workspaceId, attempt));
}

const idLengthMax = 200;

/** The innermost thing in the path, apart from its workspace. */
function getNamedThing(request: FastifyRequest): { id?: string } {
  const { workspaceId: _, ...others } = getTexts(request.params);
  const id = Object.values(others).at(-1);
  return id === undefined ? {} : { id: cutText(id, idLengthMax) };
}

/** The workspace id from the path, else from the query or the body. When two of them name one, both must agree. */
function getNamedWorkspace(request: FastifyRequest, params: Record<string, string>): string | undefined {
  if (params.workspaceId) return params.workspaceId;
  const [query, body] = [getTexts(request.query).workspaceId, getTexts(request.body).workspaceId];
  if (query !== undefined && body !== undefined && query !== body) {
    throw Invalid.field('workspaceId', 'must be the same in query and body', 'conflict');
  }
  return query ?? body;
}

function getTexts(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

export function getHeader(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** The admission that the guard gave this request. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Admission => {
  const { admission } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!admission) throw new Error('A handler without a guard asked for its caller.');
  return admission;
});
