import { ApiError, client, NotFoundError } from './client.ts';

export type Role = 'viewer' | 'editor' | 'admin';
export type Permission = 'read' | 'execute' | 'write' | 'admin';

export interface ReachedWorkspace {
  id: string;
  name: string;
  role: Role;
  plan: string;
}

export interface SignedInUser {
  id: string;
  email: string;
  name: string;
}

interface Me extends SignedInUser {
  workspaces: ReachedWorkspace[];
}

const permissions: Record<Role, Permission[]> = {
  viewer: ['read'],
  editor: ['read', 'execute', 'write'],
  admin: ['read', 'execute', 'write', 'admin'],
};

/** Who is signed in in this tab, and which workspaces that person reaches. */
class Session {
  state = $state<'unknown' | 'signed in' | 'signed out'>('unknown');
  user = $state.raw<SignedInUser>();
  workspaces = $state.raw<ReachedWorkspace[]>([]);

  /** Asks who is signed in. Rejects when nobody can tell. */
  async read(): Promise<void> {
    try {
      const me = await readMe();
      this.user = me.id ? me : undefined;
      this.workspaces = me.workspaces;
      this.state = 'signed in';
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      this.state = 'signed out';
    }
  }

  /** Whether the person may do such a thing there. The API asks again: this only decides what is offered. */
  may(permission: Permission, workspaceId: string): boolean {
    const role = this.workspaces.find(({ id }) => id === workspaceId)?.role;
    return role !== undefined && permissions[role].includes(permission);
  }
}

async function readMe(): Promise<Me> {
  try {
    const answer = await client.get<{ data: Me }>('/api/v1/users/me');
    return answer.data;
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    // An API that has no sessions yet is called with a key, by `vite dev` or by a test.
    const { items } = await client.workspaces.list();
    const workspaces = items.map(({ id, name, plan }) => ({ id, name, plan, role: 'admin' as const }));
    return { id: '', email: '', name: '', workspaces };
  }
}

export const session = new Session();
