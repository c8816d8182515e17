import type pg from 'pg';
import { quickAgain, slowDeletion } from '#libs/platform/database/support/slow-deletion';
import { type GivenStore, givenStore } from '#libs/platform/database/support/store';
import { Conflict, Mismatch, NotFound, TooMany, Unavailable } from '#libs/platform/errors/errors';
import { Idempotency, type KeyedPrefix, type KeyedRequest, type Replay } from './idempotency.ts';
import { IdempotencyModule } from './idempotency.module.ts';

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

const actor = { kind: 'user', id: 'usr_ann' };
const request: KeyedRequest = {
  workspaceId: 'ws_a',
  route: 'execute',
  key: 'k',
  actor,
  body: { a: 1, b: 2 },
};
/** The id under which each work was done, in order. */
let done: string[] = [];
beforeEach(() => (done = []));

async function work(id: string) {
  done.push(id);
  return { status: 201, answer: { id } };
}
const once = (
  changed: Partial<KeyedRequest> = {},
  by: (id: string, isRetry: boolean) => Promise<Replay> = work,
) => idempotency.once({ ...request, ...changed }, 'exec', by);
/** Ends the lease, as if the process that holds the key had died. */
const expireLock = () =>
  owner.query(`update idempotency_keys set locked_until = now() - interval '1 second'`);
const refuse = () => Promise.reject(new TooMany('Too many.', 1));

describe('a key', () => {
  test('an idempotency key does the work once and then replays the answer, in every order of the members', async () => {
    const first = await once();
    expect(await once({ body: { b: 2, a: 1 } })).toEqual({ ...first, replayed: true });
    expect(first).toEqual({ status: 201, answer: { id: done[0] }, replayed: false });
    expect(done.length).toBe(1);
  });

  test('an idempotency key refuses another body', async () => {
    await once();
    await expect(once({ body: { a: 2 } })).rejects.toThrow(Mismatch);
  });

  test('an idempotency key refuses another caller with the same body, and does nothing for them', async () => {
    await once();
    await expect(once({ actor: { kind: 'user', id: 'usr_ben' } })).rejects.toThrow(Mismatch);
    expect(done.length).toBe(1);
  });

  test.each([{ workspaceId: 'ws_b' }, { route: 'deploy' }, { key: 'other' }])(
    'an idempotency key is another key with %j',
    async (changed) => {
      await once();
      expect(await once(changed)).toMatchObject({ replayed: false });
      expect(new Set(done).size).toBe(2);
    },
  );

  test('an idempotency key lets only one of ten requests at the same time do the work', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => once()));
    expect(done.length).toBe(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(Conflict);
      else expect(outcome.value.answer).toEqual({ id: done[0] });
    }
  });

  test('an idempotency key gives the id of a request whose process died to the next request, but only after its lock', async () => {
    const dying = once({}, (id) => {
      done.push(id);
      throw new Error('The process dies.');
    });
    await expect(dying).rejects.toThrow('dies');
    await expect(once()).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_FLIGHT' });
    await expireLock();
    await once();
    expect(done[1]).toBe(done[0]);
  });

  test('an idempotency key of a process that died is free when the clock of the database was set back by an hour', async () => {
    await expect(once({}, () => Promise.reject(new Error('dies')))).rejects.toThrow('dies');
    await owner.query(`update idempotency_keys set locked_until = locked_until + interval '1 hour'`);
    expect(await once()).toMatchObject({ replayed: false });
  });

  test('an idempotency key tells the request that takes it over that something may have been made', async () => {
    const told: boolean[] = [];
    const dies = once({}, (_, isRetry) => (told.push(isRetry), Promise.reject(new Error('dies'))));
    await expect(dies).rejects.toThrow('dies');
    await expireLock();
    await once({}, (id, isRetry) => (told.push(isRetry), work(id)));
    expect(told).toEqual([false, true]);
  });

  test('an idempotency key stays bound to its id when a request that took it over is refused, and is free for the next at once', async () => {
    const dying = once({}, (id) => (done.push(id), Promise.reject(new Error('dies'))));
    await expect(dying).rejects.toThrow('dies');
    await expireLock();
    await expect(once({}, refuse)).rejects.toThrow(TooMany);
    await once();
    expect(done[1]).toBe(done[0]);
  });

  test('an idempotency key is not freed by the refusal of the request from which it was taken over', async () => {
    let [begin, end] = [() => {}, () => {}];
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const ended = new Promise<void>((resolve) => (end = resolve));
    const holds = async (id: string) => {
      begin();
      await ended;
      return work(id);
    };
    let second: ReturnType<typeof once> | undefined;
    const first = once({}, async () => {
      await expireLock();
      second = once({}, holds);
      await begun;
      return refuse();
    });
    await expect(first).rejects.toThrow(TooMany);
    end();
    const made = await second;
    expect(await once()).toEqual({ ...made, replayed: true });
    expect(done.length).toBe(1);
  });

  test('an idempotency key is not taken over by another body, whose refusal does not block it', async () => {
    await expect(once({}, () => Promise.reject(new Error('dies')))).rejects.toThrow('dies');
    await expireLock();
    await expect(once({ body: 'another' })).rejects.toThrow(Mismatch);
    expect(await once()).toMatchObject({ replayed: false });
  });

  test('an idempotency key is free again after a refusal, also for another body', async () => {
    const refused = once({}, () => Promise.reject(new NotFound('workflow')));
    await expect(refused).rejects.toThrow(NotFound);
    expect(await once({ body: 'corrected' })).toMatchObject({ replayed: false });
  });

  test('an idempotency key stays bound when a dependency was away, because something may have been made', async () => {
    const away = once({}, () => Promise.reject(new Unavailable('The database is away.')));
    await expect(away).rejects.toThrow(Unavailable);
    await expect(once({ body: 'corrected' })).rejects.toThrow(Mismatch);
  });
});

describe('a key whose request is refused after it has made', () => {
  /** The rows of each kind, with the columns that have no default. Foreign keys are not checked here. */
  const made: [KeyedPrefix, string, object][] = [
    [
      'exec',
      'executions',
      {
        workflow_id: 'wf',
        workflow_name: '',
        version: 1,
        plan_hash: '',
        mode: 'sync',
        trigger: 'api',
        inputs: '{}',
        actor: '{}',
      },
    ],
    [
      'bulk',
      'bulk_jobs',
      {
        verb: 'retry',
        options: '{}',
        filter: '{}',
        total: 1,
        per_second: 1,
        actor: '{}',
        acting: '{}',
        payer: '{}',
      },
    ],
    [
      'res',
      'resume_entries',
      {
        execution_id: 'e',
        paused_execution_id: 'p',
        new_execution_id: 'n',
        context_id: 'c',
        mode: 'sync',
        actor: '{}',
      },
    ],
    [
      'dep',
      'deployments',
      { workflow_id: 'wf', version: 1, definition: '{}', definition_hash: '', plan_hash: '', created_by: '' },
    ],
    ['doc', 'documents', { base_no: 1, filename: '', mime_type: '', file_size: 1 }],
    ['imp', 'table_imports', { table_id: 't', format: 'csv', mode: 'all', size: 1 }],
    ['imp', 'import_reports', { report: '{}' }],
    ['row', 'table_rows', { table_no: 1, position: 1, version: 1, data: '{}' }],
  ];
  beforeAll(async () => {
    await owner.query(`set session_replication_role = replica`);
    await insert('tables', {
      id: 'tbl_a',
      no: 1,
      workspace_id: 'ws_a',
      name: 't',
      description: '',
      columns: '[]',
      next_column: 1,
    });
  });
  afterAll(() => owner.query(`set session_replication_role = origin`));
  const insert = async (table: string, row: object) => {
    const places = Object.keys(row).map((_, i) => `$${i + 1}`);
    const sql = `insert into ${table} (${Object.keys(row).join()}) overriding system value values (${places.join()})`;
    await owner.query(sql, Object.values(row));
  };

  test.each(made)(
    '%s in %s keeps its id for the same request, and refuses another',
    async (prefix, table, row) => {
      const ids: string[] = [];
      const by = (refuses: boolean) => async (id: string) => {
        ids.push(id);
        if (!refuses) return { status: 200, answer: {} };
        const stored = table === 'table_rows' ? `${id.slice(4, -4)}0000` : id;
        await insert(table, { id: stored, workspace_id: 'ws_a', ...row });
        throw new NotFound('workflow');
      };
      await expect(idempotency.once(request, prefix, by(true))).rejects.toThrow(NotFound);
      await expect(idempotency.once({ ...request, body: 'another' }, prefix, by(false))).rejects.toThrow(
        Mismatch,
      );
      await idempotency.once(request, prefix, by(false));
      expect(ids[1]).toBe(ids[0]);
    },
  );
});

describe('after a day', () => {
  const age = () => owner.query(`update idempotency_keys set created_at = now() - interval '25 hours'`);

  test('a key is a new key', async () => {
    await once();
    await age();
    expect(await once({ body: 'another' })).toMatchObject({ replayed: false });
    expect(new Set(done).size).toBe(2);
  });

  test('forgetOld deletes it, and no younger key', async () => {
    await once();
    await age();
    await once({ workspaceId: 'ws_b' });
    await idempotency.forgetOld();
    const { rows } = await owner.query('select workspace_id from idempotency_keys');
    expect(rows).toEqual([{ workspace_id: 'ws_b' }]);
  });

  test('forgetOld takes fewer at a time where large answers make a statement last too long', async () => {
    await owner.query(`insert into idempotency_keys (workspace_id, route, key, fingerprint, resource_id, locked_until)
      select 'ws_a', 'r', n::text, '', '', now() from generate_series(1, 150) n`);
    await age();
    await owner.query(slowDeletion('idempotency_keys', 10));
    await idempotency.forgetOld();
    await owner.query(quickAgain('idempotency_keys'));
    expect((await owner.query('select from idempotency_keys')).rows).toEqual([]);
  });
});

test('an answer of more than 64 KiB counts as stored bytes of its workspace until it is forgotten', async () => {
  const stored = async () => {
    const { rows } = await owner.query(
      `select coalesce(sum(bytes), 0)::int as bytes from storage_changes where workspace_id = 'ws_a' and kind = 'answers'`,
    );
    return rows[0].bytes;
  };
  const answering = (id: string) => async () => ({ status: 200, answer: { id } });
  await once({ key: 'small' }, answering('a'.repeat(60_000)));
  expect(await stored()).toBe(0);
  await once({ key: 'large' }, answering('a'.repeat(70_000)));
  expect(await stored()).toBeGreaterThanOrEqual(70_000);
  await owner.query(`update idempotency_keys set created_at = now() - interval '25 hours'`);
  await idempotency.forgetOld();
  expect(await stored()).toBe(0);
});
