import { Body, Controller, Delete, Get, Param, Patch, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Caller } from '#libs/workspace/auth/caller';
import { requireUser } from '#libs/workspace/auth/keys';
import { Sessions } from '#libs/workspace/auth/sessions';
import { Users } from '#libs/workspace/auth/users';
import { Workspaces } from '#libs/workspace/auth/workspaces';
import { Settings } from '#libs/platform/settings/settings';
import { Passkeys, type RegistrationResponseJSON } from '#libs/workspace/sign-in/passkeys';
import { type RemovedWay, SignInWays } from '#libs/workspace/sign-in/ways-in';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RecentSignIn, RequirePermission } from '../http/route-decorators.ts';
import { ApiResult } from '../http/api-result.ts';
import { DeletedView } from '../workflows/workflows.dto.ts';
import { clearSessionCookie } from './session-cookie.ts';
import { SignInMails } from './sign-in-mails.ts';
import {
  IdentityView,
  MeView,
  NewPasskeyBody,
  OwnWorkspaceView,
  PasskeyOptionsView,
  PasskeyView,
  RevokedSessionsView,
  SessionView,
  SignedOutView,
  UpdateMeBody,
  UpdateOwnWorkspaceBody,
} from './sign-in.dto.ts';

/** The account of the caller: a person who has signed in, or the user of a personal key. */
@ApiTags('Sign-in')
@Controller('api/v1/users/me')
export class MeController {
  constructor(
    private readonly users: Users,
    private readonly workspaces: Workspaces,
    private readonly sessions: Sessions,
    private readonly passkeys: Passkeys,
    private readonly ways: SignInWays,
    private readonly mails: SignInMails,
    private readonly settings: Settings,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Read your account',
    description: 'Shows who you are, the workspaces that you belong to, and the session that makes the call.',
  })
  @RequirePermission('read', 'caller')
  @ApiResult(200, { data: MeView }, 'Your account with its workspaces.')
  async getMe(@CurrentCaller() { caller }: Admission) {
    return { data: await this.buildMe(caller) };
  }

  @Patch()
  @ApiOperation({ summary: 'Change your name', description: 'Changes the name that others see.' })
  @RequirePermission('read', 'caller')
  @ApiResult(200, { data: MeView }, 'Your account as it is after the change.')
  async updateMe(@CurrentCaller() { caller }: Admission, @Body() { name }: UpdateMeBody) {
    await this.users.renameUser(requireUser(caller), name);
    return { data: await this.buildMe(caller) };
  }

  @Patch('workspaces/:workspaceId')
  @ApiOperation({
    summary: 'Change your notifications in a workspace',
    description:
      'Turns mails about pauses that ask you on or off, for this workspace only. It also holds for mails that are not yet sent. The inbox shows the pauses in any case.',
  })
  @RequirePermission('read', 'caller')
  @ApiResult(200, { data: OwnWorkspaceView }, 'Your membership of the workspace after the change.')
  async updateOwnWorkspace(
    @CurrentCaller() { caller }: Admission,
    @Param('workspaceId') id: string,
    @Body() { pauseMails }: UpdateOwnWorkspaceBody,
  ) {
    const workspaceId = caller.choose(id);
    await this.workspaces.setPauseMails(workspaceId, requireUser(caller), pauseMails);
    const { workspaces } = await this.buildMe(caller);
    return { data: workspaces.find((workspace) => workspace.id === workspaceId) };
  }

  @Get('sessions')
  @ApiOperation({
    summary: 'List your sessions',
    description: 'Lists your sessions with the way of sign-in, the address and the browser.',
  })
  @RequirePermission('read', 'caller')
  @ApiResult(200, { data: [SessionView] }, 'Your live sessions, the last used first; 200 at most.')
  async listSessions(@CurrentCaller() { caller }: Admission) {
    const sessions = await this.sessions.listSessions(requireUser(caller));
    return { data: sessions.map((session) => SessionView.of(session, caller.keyId)) };
  }

  @Delete('sessions/:sessionId')
  @ApiOperation({
    summary: 'End a session',
    description: 'Signs you out in one browser, within five seconds everywhere.',
  })
  @RequirePermission('read', 'caller')
  @ApiResult(200, { data: DeletedView }, 'The session has ended.')
  async revokeSession(@CurrentCaller() { caller }: Admission, @Param('sessionId') sessionId: string) {
    await this.sessions.revokeSession(requireUser(caller), sessionId);
    return { data: { id: sessionId, deleted: true } };
  }

  @Delete('sessions')
  @ApiOperation({
    summary: 'End all other sessions',
    description: 'Signs you out everywhere except in the browser of this call.',
  })
  @RequirePermission('read', 'caller')
  @ApiResult(200, { data: RevokedSessionsView }, 'Your other sessions have ended.')
  async revokeOtherSessions(@CurrentCaller() { caller }: Admission) {
    const ended = await this.sessions.revokeSessions(requireUser(caller), {
      keeps: caller.session?.id ?? null,
    });
    const message = ended === 1 ? '1 other session has ended.' : `${ended} other sessions have ended.`;
    return { data: { message } };
  }

  @Post('sign-out')
  @ApiOperation({
    summary: 'Sign out',
    description: 'Ends the session of this call and removes its cookie. With a key it does nothing.',
  })
  @RequirePermission('read', 'caller')
  @ApiResult(200, { data: SignedOutView }, 'You have signed out in this browser.')
  async signOut(@CurrentCaller() { caller }: Admission, @Res({ passthrough: true }) reply: FastifyReply) {
    if (caller.session) await this.sessions.revokeSession(requireUser(caller), caller.session.id);
    clearSessionCookie(reply, this.settings);
    return { data: { signedOut: true } };
  }

  @Get('passkeys')
  @ApiOperation({ summary: 'List your passkeys', description: 'Lists the passkeys that sign you in.' })
  @RequirePermission('read', 'caller')
  @ApiResult(200, { data: [PasskeyView] }, 'Your passkeys, the oldest first.')
  async listPasskeys(@CurrentCaller() { caller }: Admission) {
    const passkeys = await this.passkeys.listPasskeys(requireUser(caller));
    return { data: passkeys.map((passkey) => PasskeyView.of(passkey)) };
  }

  @Post('passkeys/options')
  @ApiOperation({
    summary: 'Begin to make a passkey',
    description:
      'Gives the options for `navigator.credentials.create`. They work once, within five minutes. It takes a session, and no key.',
  })
  @RequirePermission('read', 'caller')
  @RecentSignIn('firstPasskey')
  @ApiResult(200, { data: PasskeyOptionsView }, 'The options for the browser.', { also: [409] })
  async startPasskey(@CurrentCaller() { caller }: Admission) {
    return { data: { options: await this.passkeys.startRegistration(requireUser(caller)) } };
  }

  @Post('passkeys')
  @ApiOperation({
    summary: 'Keep a new passkey',
    description:
      'Keeps the passkey that the browser has made with the options. It signs you in from then on. It takes a session, and no key.',
  })
  @RequirePermission('read', 'caller')
  @RecentSignIn('firstPasskey')
  @ApiResult(201, { data: PasskeyView }, 'The passkey is kept, and signs you in.', { also: [409] })
  async createPasskey(@CurrentCaller() { caller }: Admission, @Body() { name, response }: NewPasskeyBody) {
    const userId = requireUser(caller);
    // The library checks each member.
    const given = response as RegistrationResponseJSON;
    const passkey = await this.passkeys.finishRegistration(userId, name, given);
    this.mails.tellOfWay(userId, 'added', `the passkey "${passkey.name}"`);
    return { data: PasskeyView.of(passkey) };
  }

  @Delete('passkeys/:passkeyId')
  @ApiOperation({
    summary: 'Delete a passkey',
    description:
      'Deletes a passkey. It then signs nobody in. The last way to sign in stays. It takes a session, and no key.',
  })
  @RequirePermission('read', 'caller')
  @RecentSignIn('ways')
  @ApiResult(200, { data: DeletedView }, 'The passkey is deleted.', { also: [409] })
  async deletePasskey(@CurrentCaller() { caller }: Admission, @Param('passkeyId') passkeyId: string) {
    return this.removeWay(caller, 'passkey', passkeyId);
  }

  @Get('identities')
  @ApiOperation({
    summary: 'List your identities',
    description: 'Lists your accounts at identity providers, each of which signs you in.',
  })
  @RequirePermission('read', 'caller')
  @ApiResult(200, { data: [IdentityView] }, 'Your identities, the oldest first.')
  async listIdentities(@CurrentCaller() { caller }: Admission) {
    const identities = await this.ways.listIdentities(requireUser(caller));
    return { data: identities.map((identity) => IdentityView.of(identity)) };
  }

  @Delete('identities/:identityId')
  @ApiOperation({
    summary: 'Unlink an identity',
    description:
      'Unlinks your account at an identity provider. It then signs nobody in. The last way to sign in stays. It takes a session, and no key.',
  })
  @RequirePermission('read', 'caller')
  @RecentSignIn('ways')
  @ApiResult(200, { data: DeletedView }, 'The identity is unlinked.', { also: [409] })
  async unlinkIdentity(@CurrentCaller() { caller }: Admission, @Param('identityId') identityId: string) {
    return this.removeWay(caller, 'identity', identityId);
  }

  private async removeWay(caller: Caller, kind: RemovedWay, id: string) {
    const userId = requireUser(caller);
    await this.ways.removeWay(userId, kind, id);
    this.mails.tellOfWay(
      userId,
      'removed',
      `a sign-in by ${kind === 'passkey' ? 'a passkey' : 'an identity provider'}`,
    );
    return { data: { id, deleted: true } };
  }

  private async buildMe(caller: Caller): Promise<MeView> {
    const { id, email, name, emailProvenAt } = await this.users.getUser(requireUser(caller));
    const [ways, workspaces, mailing] = await Promise.all([
      this.ways.readWays(id),
      this.workspaces.list(caller.workspaceIds),
      this.workspaces.mailingTo(id, caller.workspaceIds),
    ]);
    return {
      id,
      email,
      name,
      emailProven: emailProvenAt !== null,
      emailProvenAt: emailProvenAt?.toISOString() ?? null,
      ways,
      workspaces: workspaces.map((workspace) => ({
        id: workspace.id,
        name: workspace.name,
        plan: workspace.plan,
        role: caller.reachIn(workspace.id)?.role ?? 'viewer',
        personalKeysAllowed: workspace.personalKeysAllowed,
        pauseMails: mailing.has(workspace.id),
        awaitsProvider: caller.reachIn(workspace.id)?.awaits ?? null,
      })),
      session: caller.session && {
        id: caller.session.id,
        createdAt: caller.session.createdAt.toISOString(),
      },
    };
  }
}
