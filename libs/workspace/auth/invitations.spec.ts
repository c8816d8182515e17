import type { INestApplicationContext } from '@nestjs/common';
import type pg from 'pg';
import { type GivenStore, givenStore } from '#libs/platform/database/support/store';
import { fillWorkspace } from '#libs/platform/database/support/tenants';
import { Callers } from './callers.ts';
import { Invitations } from './invitations.ts';
import { Workspaces } from './workspaces.ts';
import { AuthModule } from './auth.module.ts';

let given: GivenStore;
let owner: pg.Client;
let app: INestApplicationContext;
let invitations: Invitations;

beforeAll(async () => {
  given = await givenStore(AuthModule);
  ({ owner, app } = given);
  for (const workspace of ['ws_a', 'ws_b']) await fillWorkspace(owner, workspace);
  invitations = app.get(Invitations);
});
afterAll(() => given.stop());

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { code?: string }) => error.code,
  );
const invite = (workspaceId: string, email: string) =>
  invitations.create(workspaceId, { email, role: 'viewer' }, 'usr_x');
const addressesIn = async (workspaceId: string) =>
  (await app.get(Workspaces).members(workspaceId)).map(({ email }) => email);
const reachOf = async (key: string | null) => (await app.get(Callers).identify(key ?? '')).workspaceIds;

describe('an invitation', () => {
  test('an invitation changes nothing until it is accepted; then a new person has a key that reaches the workspace', async () => {
    const { token, invitation } = await invite('ws_a', 'ann@people.test');
    expect(await addressesIn('ws_a')).not.toContain('ann@people.test');
    expect(await invitations.readOffer(token)).toMatchObject({ workspaceName: 'of ws_a', role: 'viewer' });
    const { rows } = await owner.query('select * from invitations where id = $1', [invitation.id]);
    expect(JSON.stringify(rows)).not.toContain(token);
    const { key } = await invitations.accept(token, null);
    expect(await reachOf(key)).toEqual(['ws_a']);
    expect(await addressesIn('ws_a')).toContain('ann@people.test');
  });

  test('an invitation adds a workspace to the reach of a user who accepts it with their key', async () => {
    const first = await invitations.accept((await invite('ws_a', 'bea@people.test')).token, null);
    const { token } = await invite('ws_b', 'BEA@people.test');
    expect(await reachOf(first.key)).toEqual(['ws_a']);
    expect(await invitations.accept(token, first.userId)).toMatchObject({ userId: first.userId, key: null });
    expect(await reachOf(first.key)).toEqual(['ws_a', 'ws_b']);
  });

  test('an invitation is valid only for the user with its address', async () => {
    const cat = await invitations.accept((await invite('ws_a', 'cat@people.test')).token, null);
    const { token } = await invite('ws_b', 'dan@people.test');
    expect(await codeOf(invitations.accept(token, cat.userId))).toBe('INVITATION_FOR_ANOTHER');
    expect(await reachOf(cat.key)).toEqual(['ws_a']);
    expect(await codeOf(invitations.accept(token, null))).toBe('done');
  });

  test('an invitation does not tell that its address is known in another workspace, nor join the two', async () => {
    const squatter = await invitations.accept((await invite('ws_a', 'eve@people.test')).token, null);
    const eve = await invitations.accept((await invite('ws_b', 'eve@people.test')).token, null);
    expect(await reachOf(eve.key)).toEqual(['ws_b']);
    expect(await reachOf(squatter.key)).toEqual(['ws_a']);
  });

  const ends: [string, (token: string, id: string) => Promise<unknown>][] = [
    ['was accepted', (token) => invitations.accept(token, null)],
    ['was declined', (token) => invitations.decline(token)],
    ['was withdrawn', (_, id) => invitations.withdraw('ws_a', id)],
    ['has expired', (_, id) => owner.query('update invitations set expires_at = now() where id = $1', [id])],
  ];
  test.each(ends)(
    'an invitation opens nothing and is listed with its state when it %s',
    async (title, end) => {
      const email = `${title.replaceAll(' ', '.')}@people.test`;
      const { token, invitation } = await invite('ws_a', email);
      await end(token, invitation.id);
      const [members, status] = [await addressesIn('ws_a'), title.split(' ')[1]];
      const answers = [
        invitations.accept(token, null),
        invitations.decline(token),
        invitations.withdraw('ws_a', invitation.id),
      ];
      expect(await Promise.all(answers.map(codeOf))).toEqual(Array(3).fill('INVITATION_CLOSED'));
      expect(await addressesIn('ws_a')).toEqual(members);
      const listed = await invitations.list('ws_a');
      expect(listed.find(({ id }) => id === invitation.id)?.status).toBe(status);
    },
  );

  test('an invitation is refused while the person has an open invitation, and accepted when it has ended', async () => {
    const { invitation } = await invite('ws_a', 'fay@people.test');
    expect(await codeOf(invite('ws_a', 'FAY@people.test'))).toBe('ALREADY_INVITED');
    expect(await codeOf(invite('ws_b', 'fay@people.test'))).toBe('done');
    await owner.query('update invitations set expires_at = now() where id = $1', [invitation.id]);
    const { token } = await invite('ws_a', 'fay@people.test');
    await invitations.accept(token, null);
    expect(await codeOf(invite('ws_a', 'fay@people.test'))).toBe('ALREADY_MEMBER');
  });

  test('an invitation makes one member when it is accepted twice at the same moment', async () => {
    const { token } = await invite('ws_a', 'gus@people.test');
    const outcomes = await Promise.all([1, 2].map(() => codeOf(invitations.accept(token, null))));
    expect(new Set(outcomes)).toEqual(new Set(['done', 'INVITATION_CLOSED']));
    expect((await addressesIn('ws_a')).filter((email) => email === 'gus@people.test')).toHaveLength(1);
  });

  test('an invitation is listed and withdrawn by its own workspace alone', async () => {
    const { token, invitation } = await invite('ws_a', 'hal@people.test');
    expect((await invitations.list('ws_b')).map(({ id }) => id)).not.toContain(invitation.id);
    expect(await codeOf(invitations.withdraw('ws_b', invitation.id))).toBe('NOT_FOUND');
    expect(await codeOf(invitations.decline(token))).toBe('done');
  });

  test('an invitation is refused while the maximum of invitations is open', async () => {
    await owner.query(`insert into invitations (id, workspace_id, email, name, role, digest, invited_by, expires_at)
      select 'inv_' || n, 'ws_b', n || '@many.test', 'n', 'viewer', 'digest ' || n, 'usr_x', now() + interval '1 day'
      from generate_series(1, 200) as n`);
    expect(await codeOf(invite('ws_b', 'ida@people.test'))).toBe('TOO_MANY_INVITATIONS');
    expect(await invitations.list('ws_b')).toHaveLength(200);
  });
});
