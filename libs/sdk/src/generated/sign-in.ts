// This file is generated from the description of the API: change that, and run `npm run clients`.
import type { Call } from '../call.ts';
import type { CallOptions } from '../options.ts';
import type { BodyOf, DataOf } from '../shapes.ts';
import { Resource } from '../resource.ts';

/** The calls of `client.signIn`. */
export class SignInResource extends Resource {
  /**
   * List the ways to sign in.
   *
   * Lists the ways to sign in to the console of this installation. Programs use keys instead.
   *
   * `GET /api/v1/sign-in`
   */
  getWays(options: CallOptions = {}): Call<DataOf<'getSignInWays'>> {
    return this.transport.read({ id: 'getSignInWays', verb: 'GET', path: `/api/v1/sign-in`, valuePath: ['data'] }, options);
  }

  /**
   * Sign in by a link.
   *
   * Begins a session by the token of a link that the operator printed or a mail brought. The link works once, within an hour. The session is in a cookie. In another browser than the one that asked for the mail, and where another person has signed in, the answer is 409 `CONFIRM_SIGN_IN`; it names the account.
   *
   * `POST /api/v1/sign-in/link`
   */
  byLink(params: BodyOf<'signInByLink'>, options: CallOptions = {}): Call<DataOf<'signInByLink'>> {
    return this.transport.read({ id: 'signInByLink', verb: 'POST', path: `/api/v1/sign-in/link`, params, body: 'json', valuePath: ['data'] }, options);
  }

  /**
   * Ask for a link by mail.
   *
   * Sends a link to the address when it has an account or an invitation. The answer is the same for every address.
   *
   * `POST /api/v1/sign-in/mail`
   */
  requestMail(params: BodyOf<'requestSignInMail'>, options: CallOptions = {}): Call<DataOf<'requestSignInMail'>> {
    return this.transport.read({ id: 'requestSignInMail', verb: 'POST', path: `/api/v1/sign-in/mail`, params, body: 'json', valuePath: ['data'] }, options);
  }

  /**
   * Accept an invitation and sign in.
   *
   * Joins the workspace of an invitation. It begins a session for a new person. A person who has already signed in joins as that user, and keeps the session with its time.
   *
   * `POST /api/v1/sign-in/invitation`
   */
  byInvitation(params: BodyOf<'signInByInvitation'>, options: CallOptions = {}): Call<DataOf<'signInByInvitation'>> {
    return this.transport.read({ id: 'signInByInvitation', verb: 'POST', path: `/api/v1/sign-in/invitation`, params, body: 'json', valuePath: ['data'] }, options);
  }

  /**
   * Begin to sign in by a passkey.
   *
   * Gives the options for `navigator.credentials.get`. They work once, within five minutes.
   *
   * `POST /api/v1/sign-in/passkey/options`
   */
  startPasskey(options: CallOptions = {}): Call<DataOf<'startPasskeySignIn'>> {
    return this.transport.read({ id: 'startPasskeySignIn', verb: 'POST', path: `/api/v1/sign-in/passkey/options`, valuePath: ['data'] }, options);
  }

  /**
   * Sign in by a passkey.
   *
   * Begins a session with the answer of the browser to the options.
   *
   * `POST /api/v1/sign-in/passkey`
   */
  byPasskey(params: BodyOf<'signInByPasskey'>, options: CallOptions = {}): Call<DataOf<'signInByPasskey'>> {
    return this.transport.read({ id: 'signInByPasskey', verb: 'POST', path: `/api/v1/sign-in/passkey`, params, body: 'json', valuePath: ['data'] }, options);
  }
}
