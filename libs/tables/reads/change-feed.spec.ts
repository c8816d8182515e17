import { quickAgain, slowDeletion } from '#libs/platform/database/support/slow-deletion';
import { buildDeletions, updateWhere, parseRowsInput } from '../writes/row-operations.ts';
import { rowIdText } from './row-ids.ts';
import { Chance } from '../support/random.ts';
import { type GivenTables, givenTables, ours, repeatWhileLocked } from '../support/store.ts';
import { ChangeFeed } from './change-feed.ts';

let given: GivenTables;
let follow: ChangeFeed;
beforeAll(async () => {
  given = await givenTables({ DATABASE_POOL_MAX: '16' });
  follow = given.app.get(ChangeFeed);
});
afterAll(() => given.stop());

const givenTable = async (name: string) => {
  const { id } = await given.tables.create(ours, { name, columns: [{ name: 'n', type: 'number' }] });
  return { workspaceId: ours, tableId: id };
};

test('a client that follows a table while others write it ends with the same rows', async () => {
  const place = await givenTable('followed');
  const copy = new Map<string, unknown>();
  let token = follow.buildToken(place.tableId, '0');
  let writing = true;
  const followed = (async () => {
    for (let last = false; ;) {
      const ending = !writing;
      const changed = await follow.listChanges(place, token, { limit: 7, offset: 0 });
      for (const { id, data } of changed.rows) copy.set(rowIdText(id), data);
      for (const id of changed.deletedRowIds) copy.delete(id);
      token = changed.changeToken;
      // After the last write, the first response without further changes is the end.
      if (last && !changed.hasMore) return;
      last = ending;
    }
  })();
  await Promise.all(
    Array.from({ length: 8 }, async (_, writer) => {
      const chance = new Chance(writer);
      for (let turn = 0; turn < 25; turn++) {
        const n = chance.below(50);
        const luck = chance.next();
        await repeatWhileLocked<unknown>(() => {
          if (luck < 0.6)
            return given.changes.insertRows(
              place,
              parseRowsInput({ rows: [{ n }, { n: n + 1 }, { n: n + 2 }] }),
            );
          if (luck < 0.8)
            return given.changes.apply(place, updateWhere({ filter: { n: { $lt: n } } }, { n: n + 10 }));
          return given.changes.apply(place, buildDeletions({ filter: { n: { $gt: 40 } } }));
        });
      }
    }),
  );
  // The deletions above leave a different number of rows in each run. These rows always remain.
  await given.changes.insertRows(
    place,
    parseRowsInput({ rows: Array.from({ length: 20 }, (_, n) => ({ n })) }),
  );
  writing = false;
  await followed;
  const { rows } = await given.rows.list(place, { limit: 1000, offset: 0 });
  expect(rows.length).toBeGreaterThanOrEqual(20);
  const byId = (entries: Iterable<[string, unknown]>) => Object.fromEntries(entries);
  expect(byId(copy)).toEqual(byId(rows.map(({ id, data }) => [rowIdText(id), data])));
});

test('a token from before a deletion that is forgotten is refused, and a later one is not', async () => {
  const place = await givenTable('forgotten');
  await given.changes.insertRows(place, parseRowsInput({ rows: [{ n: 1 }, { n: 2 }] }));
  const early = follow.buildToken(place.tableId, '1');
  await given.changes.apply(place, buildDeletions({ filter: { n: 1 } }));
  const { changeToken, deletedRowIds } = await follow.listChanges(place, early, { limit: 10, offset: 0 });
  expect(deletedRowIds).toHaveLength(1);
  await follow.forgetOld();
  expect((await follow.listChanges(place, early, { limit: 10, offset: 0 })).deletedRowIds).toHaveLength(1);
  await given.owner.query(`update table_deletions set deleted_at = now() - interval '8 days'`);
  await follow.forgetOld();
  await expect(follow.listChanges(place, early, { limit: 10, offset: 0 })).rejects.toMatchObject({
    details: [{ code: 'expired' }],
  });
  expect((await follow.listChanges(place, changeToken, { limit: 10, offset: 0 })).rows).toEqual([]);
  const other = await givenTable('other');
  await expect(follow.listChanges(other, changeToken, { limit: 10, offset: 0 })).rejects.toMatchObject({
    details: [{ path: 'changedSince' }],
  });
});

describe('forgetting', () => {
  /** A table with deletions that are old, and how many of them are left. */
  const givenOld = async (name: string, count: number) => {
    const place = await givenTable(name);
    const inserted = Array.from({ length: count }, (_, n) => ({ n }));
    await given.changes.insertRows(place, parseRowsInput({ rows: inserted }));
    await given.changes.apply(place, buildDeletions({ filter: { n: { $gte: 0 } } }));
    await given.owner.query(
      `update table_deletions set deleted_at = now() - interval '8 days'
       where table_no = (select no from tables where id = $1)`,
      [place.tableId],
    );
    const left = async () => {
      const { rows } = await given.owner.query(
        `select count(*)::int as n from table_deletions where table_no = (select no from tables where id = $1)`,
        [place.tableId],
      );
      return rows[0].n;
    };
    return { place, left };
  };

  test('forgetting neither waits for a table that somebody writes, nor leaves out the others', async () => {
    const [held, free] = [await givenOld('held', 5), await givenOld('free', 5)];
    await given.owner.query('begin');
    await given.owner.query('select from tables where id = $1 for no key update', [held.place.tableId]);
    await follow.forgetOld();
    expect([await held.left(), await free.left()]).toEqual([5, 0]);
    await given.owner.query('commit');
    await follow.forgetOld();
    expect(await held.left()).toBe(5);
    await given.owner.query(`update deferrals set due_at = now() - interval '1 second'`);
    await follow.forgetOld();
    expect(await held.left()).toBe(0);
  });

  test('forgetting takes fewer deletions at a time where a statement lasts too long', async () => {
    const { place, left } = await givenOld('many', 150);
    const early = follow.buildToken(place.tableId, '1');
    const inside = (await follow.listChanges(place, early, { limit: 10, offset: 0 })).changeToken;
    await given.owner.query(slowDeletion('table_deletions', 20));
    await follow.forgetOld();
    await given.owner.query(quickAgain('table_deletions'));
    expect(await left()).toBe(0);
    for (const token of [early, inside])
      await expect(follow.listChanges(place, token, { limit: 10, offset: 0 })).rejects.toMatchObject({
        details: [{ code: 'expired' }],
      });
  });
});
