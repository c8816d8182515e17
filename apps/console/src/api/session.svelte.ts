import type { AnswerOf } from '#libs/sdk/src/shapes';
import { ApiError, transport } from './client.ts';
import { connection } from './connection.svelte.ts';

export type Role = 'viewer' | 'editor' | 'admin';
export type Permission = 'read' | 'execute' | 'write' | 'admin';

export interface ReachedWorkspace {
  id: string;
  name: string;
  role: Role;
  plan: string;
  pauseMails: boolean;
  /** The name of the identity provider that must confirm the person before the workspace opens. */
  awaitsProvider: string | null;
}

export interface SignedInUser {
  id: string;
  email: string;
  name: string;
  emailProven: boolean;
  session: { id: string; createdAt: string } | null;
  /** The ways by which the person can sign in again. */
  ways: { passkey: boolean; mail: boolean; providers: { id: string; name: string }[] };
}

/** The API asks for a new sign-in before a change of permissions after this time, in milliseconds. */
const recentMs = 3_600_000;

const permissions: Record<Role, Permission[]> = {
  viewer: ['read'],
  editor: ['read', 'execute', 'write'],
  admin: ['read', 'execute', 'write', 'admin'],
};

/** The signed-in person of this tab, and the workspaces of this person. */
class BrowserSession {
  state = $state<'unknown' | 'signed in' | 'signed out'>('unknown');
  user = $state.raw<SignedInUser>();
  workspaces = $state.raw<ReachedWorkspace[]>([]);

  /** Asks who is signed in. Rejects when nobody can tell. */
  async read(): Promise<void> {
    try {
      // One call by itself: the other calls of an account are not loaded with the first page.
      const me = await transport.read<AnswerOf<'getMe'>['data']>(
        { id: 'getMe', verb: 'GET', path: '/api/v1/users/me', valuePath: ['data'] },
        { headers: { 'x-holdfast-user': '' } },
      );
      this.user = me;
      this.workspaces = me.workspaces;
      this.state = 'signed in';
      connection.userId = me.id;
      connection.isSignedOut = false;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      this.forget();
    }
  }

  /** True when the sign-in is recent enough for a change of permissions. */
  get isRecent(): boolean {
    const begun = this.user?.session?.createdAt;
    return begun !== undefined && Date.now() - Date.parse(begun) < recentMs;
  }

  /** True when the person can sign in again without a new link of an operator or an admin. */
  get hasWayIn(): boolean {
    const ways = this.user?.ways;
    return ways !== undefined && (ways.passkey || ways.mail || ways.providers.length > 0);
  }

  /** Ends the session of this browser. */
  async signOut(): Promise<void> {
    const { accountApi } = await import('./resources/account.ts');
    await accountApi.signOut();
    this.forget();
  }

  /** Forgets the person and the shown data of this tab, so that the way back shows nothing. */
  forget(): void {
    this.user = undefined;
    this.workspaces = [];
    this.state = 'signed out';
    connection.userId = '';
    connection.isSignedOut = false;
    connection.answerAgain(false);
  }

  /** True when the person may do this in the workspace. It only decides what is offered; the API checks again. */
  may(permission: Permission, workspaceId: string): boolean {
    const role = this.workspaces.find(({ id }) => id === workspaceId)?.role;
    return role !== undefined && permissions[role].includes(permission);
  }
}

export const session = new BrowserSession();
