import type { INestApplicationContext } from '@nestjs/common';
import type pg from 'pg';
import { type GivenStore, givenStore } from '#libs/platform/database/support/store';
import { fillWorkspace } from '#libs/platform/database/support/tenants';
import { Callers } from './callers.ts';
import { Invitations } from './invitations.ts';
import { Keys } from './keys.ts';
import type { Role } from './people.entity.ts';
import { Workspaces } from './workspaces.ts';
import { AuthModule } from './auth.module.ts';

let given: GivenStore;
let owner: pg.Client;
let app: INestApplicationContext;

beforeAll(async () => {
  given = await givenStore(AuthModule, { KEYS_MAX: '5' });
  ({ owner, app } = given);
  for (const workspace of ['ws_a', 'ws_b']) await fillWorkspace(owner, workspace);
});
afterAll(() => given.stop());

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { code?: string }) => error.code,
  );

describe('the keys of a workspace', () => {
  test('the keys of a workspace identify a caller of that workspace alone, until they are revoked', async () => {
    const [keys, callers] = [app.get(Keys), app.get(Callers)];
    const { key, value } = await keys.createForWorkspace('ws_a', { name: 'own' }, 'usr_x');
    const caller = await callers.identify(value);
    expect([caller.workspaceIds, caller.userId]).toEqual([['ws_a'], null]);
    await keys.revokeOfWorkspace('ws_a', key.id);
    expect(await codeOf(callers.identify(value))).toBe('UNAUTHORIZED');
    expect(await codeOf(keys.revokeOfWorkspace('ws_a', key.id))).toBe('done');
  });

  test('the keys of a workspace are listed and revoked by their own workspace alone', async () => {
    const keys = app.get(Keys);
    const { key, value } = await keys.createForWorkspace('ws_a', { name: 'hidden' }, 'usr_x');
    const { items } = await keys.listOfWorkspace('ws_b', { limit: 100 });
    expect(items.map(({ id }) => id)).not.toContain(key.id);
    expect(await codeOf(keys.revokeOfWorkspace('ws_b', key.id))).toBe('NOT_FOUND');
    expect((await app.get(Callers).identify(value)).workspaceIds).toEqual(['ws_a']);
  });

  test('the keys of a workspace are stored as a hash, and have a name of their own while they live', async () => {
    const keys = app.get(Keys);
    const { key, value } = await keys.createForWorkspace('ws_a', { name: 'once' }, 'usr_x');
    const { rows } = await owner.query('select * from api_keys where id = $1', [key.id]);
    expect(JSON.stringify(rows)).not.toContain(value);
    expect(await codeOf(keys.createForWorkspace('ws_a', { name: 'once' }, 'usr_x'))).toBe('NAME_TAKEN');
    expect(await codeOf(keys.createForWorkspace('ws_b', { name: 'once' }, 'usr_x'))).toBe('done');
    await keys.revokeOfWorkspace('ws_a', key.id);
    expect(await codeOf(keys.createForWorkspace('ws_a', { name: 'once' }, 'usr_x'))).toBe('done');
  });

  test('the keys of a workspace are bounded in number while they live, and are listed page by page', async () => {
    await fillWorkspace(owner, 'ws_c');
    const keys = app.get(Keys);
    const live = 'select count(*)::int as n from api_keys where workspace_id = $1 and revoked_at is null';
    const { rows } = await owner.query(live, ['ws_c']);
    const make = (n: number) => codeOf(keys.createForWorkspace('ws_c', { name: `many ${n}` }, 'usr_x'));
    const made = await Promise.all(Array.from({ length: 7 }, (_, n) => make(n)));
    expect(made.filter((code) => code === 'done')).toHaveLength(5 - rows[0].n);
    expect(new Set(made)).toEqual(new Set(['done', 'TOO_MANY_KEYS']));
    const all = (await keys.listOfWorkspace('ws_c', { limit: 100 })).items.map(({ id }) => id);
    const first = await keys.listOfWorkspace('ws_c', { limit: 2 });
    const second = await keys.listOfWorkspace('ws_c', { limit: 100, cursor: first.nextCursor ?? '' });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(all);
    await keys.revokeOfWorkspace('ws_c', all[0] ?? '');
    expect(await make(8)).toBe('done');
  });

  test('the keys of a workspace identify nobody when they have expired', async () => {
    const expiresAt = new Date(Date.now() - 1000);
    const { value } = await app.get(Keys).createForWorkspace('ws_a', { name: 'old', expiresAt }, 'usr_x');
    expect(await codeOf(app.get(Callers).identify(value))).toBe('UNAUTHORIZED');
  });
});

async function givenMember(workspaceId: string, email: string, role: Role) {
  const { token } = await app.get(Invitations).create(workspaceId, { email, role }, 'usr_x');
  return app.get(Invitations).accept(token, null);
}

describe('the members of a workspace', () => {
  test('the members of a workspace keep an admin, also when two admins remove each other at the same moment', async () => {
    const workspaces = app.get(Workspaces);
    const first = await givenMember('ws_b', 'one@keys.test', 'admin');
    const second = await givenMember('ws_b', 'two@keys.test', 'admin');
    for (const { userId } of await workspaces.members('ws_b'))
      if (![first.userId, second.userId].includes(userId)) await workspaces.removeMember('ws_b', userId);
    const outcomes = await Promise.all(
      [first, second].map(({ userId }) => codeOf(workspaces.removeMember('ws_b', userId))),
    );
    expect(new Set(outcomes)).toEqual(new Set(['LAST_ADMIN', 'done']));
    expect((await workspaces.members('ws_b')).filter(({ role }) => role === 'admin')).toHaveLength(1);
  });

  test('the members of a workspace are seen and changed from their own workspace alone', async () => {
    const workspaces = app.get(Workspaces);
    const { userId } = await givenMember('ws_a', 'three@keys.test', 'viewer');
    expect((await workspaces.members('ws_b')).map((member) => member.userId)).not.toContain(userId);
    expect(await codeOf(workspaces.changeRole('ws_b', userId, 'editor'))).toBe('NOT_FOUND');
    expect(await codeOf(workspaces.removeMember('ws_b', userId))).toBe('NOT_FOUND');
  });
});
