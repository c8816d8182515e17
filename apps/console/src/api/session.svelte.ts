import { ApiError } from './client.ts';
import { accountApi } from './resources/account.ts';
import { connection } from './connection.svelte.ts';

export type Role = 'viewer' | 'editor' | 'admin';
export type Permission = 'read' | 'execute' | 'write' | 'admin';

export interface ReachedWorkspace {
  id: string;
  name: string;
  role: Role;
  plan: string;
  pauseMails: boolean;
}

export interface SignedInUser {
  id: string;
  email: string;
  name: string;
  emailProven: boolean;
  session: { id: string; createdAt: string } | null;
}

const permissions: Record<Role, Permission[]> = {
  viewer: ['read'],
  editor: ['read', 'execute', 'write'],
  admin: ['read', 'execute', 'write', 'admin'],
};

/** The signed-in person of this tab, and the workspaces of this person. */
class Session {
  state = $state<'unknown' | 'signed in' | 'signed out'>('unknown');
  user = $state.raw<SignedInUser>();
  workspaces = $state.raw<ReachedWorkspace[]>([]);

  /** Asks who is signed in. Rejects when nobody can tell. */
  async read(): Promise<void> {
    try {
      const me = await accountApi.get({ headers: { 'x-holdfast-user': '' } });
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

  /** Ends the session of this browser. */
  async signOut(): Promise<void> {
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
    connection.asksAgain = false;
  }

  /** True when the person may do this in the workspace. It only decides what is offered; the API checks again. */
  may(permission: Permission, workspaceId: string): boolean {
    const role = this.workspaces.find(({ id }) => id === workspaceId)?.role;
    return role !== undefined && permissions[role].includes(permission);
  }
}

export const session = new Session();
