import { givenMember, type Member } from './support/people.ts';
import { Stack } from './support/stack.ts';

let stack: Stack;
let ann: Member;
let bob: Member;
beforeAll(async () => {
  stack = await Stack.shared();
  ann = await givenMember(stack, stack.at('ann'), 'viewer');
  bob = await givenMember(stack, stack.at('bob'), 'viewer');
});
afterAll(() => stack.stop());

const views = () => `/api/v1/workspaces/${stack.home.id}/saved-views`;
const view = { area: 'executions', name: 'Failed', query: 'status=failed' };
const namesOf = async ({ headers }: Member) =>
  (await stack.get(views(), headers)).body.data.map(({ name, query }: typeof view) => `${name}: ${query}`);

describe('saved view', () => {
  test('a saved view belongs to one person, and replaces the view of its name', async () => {
    await stack.post(views(), view, ann.headers);
    const { body } = await stack.post(views(), { ...view, query: 'status=failed&trigger=api' }, ann.headers);
    expect(await namesOf(ann)).toEqual(['Failed: status=failed&trigger=api']);
    expect(await namesOf(bob)).toEqual([]);
    const one = `${views()}/${body.data.id}`;
    expect((await stack.call('DELETE', one, undefined, bob.headers)).status).toBe(404);
    expect((await stack.call('DELETE', one, undefined, ann.headers)).status).toBe(200);
    expect(await namesOf(ann)).toEqual([]);
  });

  test('a saved view belongs to a person: a key of the workspace has none', async () => {
    const refused = await stack.get(views());
    expect([refused.status, refused.body.code]).toEqual([403, 'PERSONAL_KEY_NEEDED']);
  });

  test('a saved view is refused beyond a hundred, and an existing view can still be changed then', async () => {
    for (let n = 0; n < 100; n++) await stack.post(views(), { ...view, name: `view ${n}` }, bob.headers);
    expect((await stack.post(views(), { ...view, name: 'one more' }, bob.headers)).status).toBe(409);
    expect((await stack.post(views(), { ...view, name: 'view 7', query: '' }, bob.headers)).status).toBe(200);
  });
});
