import type pg from 'pg';
import { type GivenStore, givenStore } from '#libs/database/support/store';
import { Conflict, Mismatch, NotFound, Unavailable } from '#libs/faults/faults';
import { Idempotency, IdempotencyModule, type KeyedRequest } from './idempotency.ts';

let given: GivenStore;
let owner: pg.Client;
let idempotency: Idempotency;

beforeAll(async () => {
  given = await givenStore(IdempotencyModule);
  ({ owner } = given);
  await owner.query(`insert into workspaces (id, name) values ('ws_a', 'a'), ('ws_b', 'b')`);
  idempotency = given.app.get(Idempotency);
});
beforeEach(() => owner.query('delete from idempotency_keys'));
afterAll(() => given.stop());

const request: KeyedRequest = { workspaceId: 'ws_a', route: 'execute', key: 'k', body: { a: 1, b: 2 } };
/** The id under which each work was done, in order. */
let done: string[] = [];
beforeEach(() => (done = []));

async function work(id: string) {
  done.push(id);
  return { status: 201, answer: { id } };
}
const once = (changed: Partial<KeyedRequest> = {}, by = work) =>
  idempotency.once({ ...request, ...changed }, 'exec', by);

describe('a key', () => {
  test('does the work once and then replays the answer, whatever the order of the members', async () => {
    const first = await once();
    expect(await once({ body: { b: 2, a: 1 } })).toEqual({ ...first, replayed: true });
    expect(first).toEqual({ status: 201, answer: { id: done[0] }, replayed: false });
    expect(done.length).toBe(1);
  });

  test('refuses another body', async () => {
    await once();
    await expect(once({ body: { a: 2 } })).rejects.toThrow(Mismatch);
  });

  test.each([{ workspaceId: 'ws_b' }, { route: 'deploy' }, { key: 'other' }])(
    'is another one with %j',
    async (changed) => {
      await once();
      expect(await once(changed)).toMatchObject({ replayed: false });
      expect(new Set(done).size).toBe(2);
    },
  );

  test('lets one of ten requests at the same time do the work; none of the others does it', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => once()));
    expect(done.length).toBe(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(Conflict);
      else expect(outcome.value.answer).toEqual({ id: done[0] });
    }
  });

  test('gives the id of a request whose process died to the next one, and only to one that comes after its lock', async () => {
    const dying = once({}, (id) => {
      done.push(id);
      throw new Error('The process dies.');
    });
    await expect(dying).rejects.toThrow('dies');
    await expect(once()).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_FLIGHT' });
    await owner.query(`update idempotency_keys set locked_until = now() - interval '1 second'`);
    await once();
    expect(done[1]).toBe(done[0]);
  });

  test('is free again after a refusal, also for another body', async () => {
    const refused = once({}, () => Promise.reject(new NotFound('workflow')));
    await expect(refused).rejects.toThrow(NotFound);
    expect(await once({ body: 'corrected' })).toMatchObject({ replayed: false });
  });

  test('stays bound when something was away, because something may have been made', async () => {
    const away = once({}, () => Promise.reject(new Unavailable('The database is away.')));
    await expect(away).rejects.toThrow(Unavailable);
    await expect(once({ body: 'corrected' })).rejects.toThrow(Mismatch);
  });
});

describe('after a day', () => {
  const age = () => owner.query(`update idempotency_keys set created_at = now() - interval '25 hours'`);

  test('a key is a new one', async () => {
    await once();
    await age();
    expect(await once({ body: 'another' })).toMatchObject({ replayed: false });
    expect(new Set(done).size).toBe(2);
  });

  test('forgetOld deletes it, and no younger one', async () => {
    await once();
    await age();
    await once({ workspaceId: 'ws_b' });
    await idempotency.forgetOld();
    const { rows } = await owner.query('select workspace_id from idempotency_keys');
    expect(rows).toEqual([{ workspace_id: 'ws_b' }]);
  });
});
