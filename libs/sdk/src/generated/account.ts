// This file is generated from the description of the API: change that, and run `npm run clients`.
import type { Call, PageCall } from '../call.ts';
import type { CallOptions } from '../options.ts';
import type { AnswerOf, BodyOf, DataOf } from '../shapes.ts';
import { Resource } from '../resource.ts';

/** The calls of `client.account`. */
export class AccountResource extends Resource {
  readonly sessions = new AccountSessionsResource(this.transport);

  readonly passkeys = new AccountPasskeysResource(this.transport);

  readonly identities = new AccountIdentitiesResource(this.transport);

  /**
   * Change your notifications in a workspace.
   *
   * Turns mails about pauses that ask you on or off, for this workspace only. It also holds for mails that are not yet sent. The inbox shows the pauses in any case.
   *
   * `PATCH /api/v1/users/me/workspaces/{workspaceId}`
   */
  updateWorkspace(workspaceId: string, params: BodyOf<'updateOwnWorkspace'>, options: CallOptions = {}): Call<DataOf<'updateOwnWorkspace'>> {
    return this.transport.read({ id: 'updateOwnWorkspace', verb: 'PATCH', path: `/api/v1/users/me/workspaces/${this.segment(workspaceId)}`, params, body: 'json', valuePath: ['data'] }, options);
  }

  /**
   * Read your account.
   *
   * Shows who you are, the workspaces that you belong to, and the session that makes the call.
   *
   * `GET /api/v1/users/me`
   */
  get(options: CallOptions = {}): Call<DataOf<'getMe'>> {
    return this.transport.read({ id: 'getMe', verb: 'GET', path: `/api/v1/users/me`, valuePath: ['data'] }, options);
  }

  /**
   * Change your name.
   *
   * Changes the name that others see.
   *
   * `PATCH /api/v1/users/me`
   */
  update(params: BodyOf<'updateMe'>, options: CallOptions = {}): Call<DataOf<'updateMe'>> {
    return this.transport.read({ id: 'updateMe', verb: 'PATCH', path: `/api/v1/users/me`, params, body: 'json', valuePath: ['data'] }, options);
  }

  /**
   * Sign out.
   *
   * Ends the session of this call and removes its cookie. With a key it does nothing.
   *
   * `POST /api/v1/users/me/sign-out`
   */
  signOut(options: CallOptions = {}): Call<DataOf<'signOut'>> {
    return this.transport.read({ id: 'signOut', verb: 'POST', path: `/api/v1/users/me/sign-out`, valuePath: ['data'] }, options);
  }
}

/** The calls of `client.account.sessions`. */
export class AccountSessionsResource extends Resource {
  /**
   * List your sessions.
   *
   * Lists your sessions with the way of sign-in, the address and the browser.
   *
   * `GET /api/v1/users/me/sessions`
   */
  list(options: CallOptions = {}): PageCall<AnswerOf<'listSessions'>['data'][number], AnswerOf<'listSessions'>> {
    return this.transport.list({ id: 'listSessions', verb: 'GET', path: `/api/v1/users/me/sessions`, valuePath: ['data'], paging: 'single' }, options);
  }

  /**
   * End all other sessions.
   *
   * Signs you out everywhere except in the browser of this call.
   *
   * `DELETE /api/v1/users/me/sessions`
   */
  revokeOthers(options: CallOptions = {}): Call<DataOf<'revokeOtherSessions'>> {
    return this.transport.read({ id: 'revokeOtherSessions', verb: 'DELETE', path: `/api/v1/users/me/sessions`, valuePath: ['data'] }, options);
  }

  /**
   * End a session.
   *
   * Signs you out in one browser, within five seconds everywhere.
   *
   * `DELETE /api/v1/users/me/sessions/{sessionId}`
   */
  revoke(sessionId: string, options: CallOptions = {}): Call<DataOf<'revokeSession'>> {
    return this.transport.read({ id: 'revokeSession', verb: 'DELETE', path: `/api/v1/users/me/sessions/${this.segment(sessionId)}`, valuePath: ['data'] }, options);
  }
}

/** The calls of `client.account.passkeys`. */
export class AccountPasskeysResource extends Resource {
  /**
   * List your passkeys.
   *
   * Lists the passkeys that sign you in.
   *
   * `GET /api/v1/users/me/passkeys`
   */
  list(options: CallOptions = {}): PageCall<AnswerOf<'listPasskeys'>['data'][number], AnswerOf<'listPasskeys'>> {
    return this.transport.list({ id: 'listPasskeys', verb: 'GET', path: `/api/v1/users/me/passkeys`, valuePath: ['data'], paging: 'single' }, options);
  }

  /**
   * Keep a new passkey.
   *
   * Keeps the passkey that the browser has made with the options. It signs you in from then on. It takes a session, and no key.
   *
   * `POST /api/v1/users/me/passkeys`
   */
  create(params: BodyOf<'createPasskey'>, options: CallOptions = {}): Call<DataOf<'createPasskey'>> {
    return this.transport.read({ id: 'createPasskey', verb: 'POST', path: `/api/v1/users/me/passkeys`, params, body: 'json', valuePath: ['data'] }, options);
  }

  /**
   * Begin to make a passkey.
   *
   * Gives the options for `navigator.credentials.create`. They work once, within five minutes. It takes a session, and no key.
   *
   * `POST /api/v1/users/me/passkeys/options`
   */
  start(options: CallOptions = {}): Call<DataOf<'startPasskey'>> {
    return this.transport.read({ id: 'startPasskey', verb: 'POST', path: `/api/v1/users/me/passkeys/options`, valuePath: ['data'] }, options);
  }

  /**
   * Delete a passkey.
   *
   * Deletes a passkey. It then signs nobody in. The last way to sign in stays. It takes a session, and no key.
   *
   * `DELETE /api/v1/users/me/passkeys/{passkeyId}`
   */
  delete(passkeyId: string, options: CallOptions = {}): Call<DataOf<'deletePasskey'>> {
    return this.transport.read({ id: 'deletePasskey', verb: 'DELETE', path: `/api/v1/users/me/passkeys/${this.segment(passkeyId)}`, valuePath: ['data'] }, options);
  }
}

/** The calls of `client.account.identities`. */
export class AccountIdentitiesResource extends Resource {
  /**
   * List your identities.
   *
   * Lists your accounts at identity providers, each of which signs you in.
   *
   * `GET /api/v1/users/me/identities`
   */
  list(options: CallOptions = {}): PageCall<AnswerOf<'listIdentities'>['data'][number], AnswerOf<'listIdentities'>> {
    return this.transport.list({ id: 'listIdentities', verb: 'GET', path: `/api/v1/users/me/identities`, valuePath: ['data'], paging: 'single' }, options);
  }

  /**
   * Unlink an identity.
   *
   * Unlinks your account at an identity provider. It then signs nobody in. The last way to sign in stays. It takes a session, and no key.
   *
   * `DELETE /api/v1/users/me/identities/{identityId}`
   */
  unlink(identityId: string, options: CallOptions = {}): Call<DataOf<'unlinkIdentity'>> {
    return this.transport.read({ id: 'unlinkIdentity', verb: 'DELETE', path: `/api/v1/users/me/identities/${this.segment(identityId)}`, valuePath: ['data'] }, options);
  }
}
