import { Module } from '@nestjs/common';
import type pg from 'pg';
import { acting } from '#libs/database/acting';
import { Database } from '#libs/database/database';
import { type GivenStore, givenStore } from '#libs/database/support/store';
import { PagesModule } from '#libs/pages/cursor';
import type { Anchor } from './anchor.ts';
import { AuditModule } from './audit.module.ts';
import { AuditRetention } from './audit-retention.ts';
import { Audit, type ShownEntry } from './audit.ts';
import { Chains } from './chain.ts';
import { RefusedAttempts } from './refused-attempts.ts';

@Module({ imports: [AuditModule, PagesModule] })
class AuditAlone {}

/** That of every given store. */
const installationSecret = 'x'.repeat(32);

let given: GivenStore;
let owner: pg.Client;
let audit: Audit;
let database: Database;
let chains: Chains;
let made = 0;

beforeAll(async () => {
  given = await givenStore(AuditAlone, { DATABASE_POOL_MAX: '16', AUDIT_RETENTION: '365' });
  ({ owner } = given);
  [audit, database] = [given.app.get(Audit), given.app.get(Database)];
  chains = await Chains.open(given.url, installationSecret);
});
afterAll(async () => {
  await chains?.close();
  await given?.stop();
});

/** A workspace without anything; its own making is its first entry. */
async function givenWorkspace(): Promise<string> {
  const id = `ws_${++made}`;
  await owner.query('insert into workspaces (id, name) values ($1, $1)', [id]);
  return id;
}

const addWorkflow = (workspaceId: string, name: string) =>
  database.statement(
    workspaceId,
    `insert into workflows (id, workspace_id, name, definition, definition_hash) values ('wf_' || $2, $1, $2, '{}', 'hash')`,
    [workspaceId, name],
  );
const all = async (workspaceId: string, filters: object = {}): Promise<ShownEntry[]> => {
  const entries: ShownEntry[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await audit.list(workspaceId, { ...filters, limit: 7, ...(cursor ? { cursor } : {}) });
    entries.push(...page.items);
    if (!page.nextCursor) return entries;
    cursor = page.nextCursor;
  }
};
const actionsOf = (entries: ShownEntry[]) => entries.map(({ entry }) => entry.action);
const faultsOf = async (workspaceId: string, anchors?: Anchor[]) =>
  (await chains.verify(anchors))
    .filter((one) => one.workspaceId === workspaceId)
    .flatMap(({ faults }) => faults);
const anchorOf = async (workspaceId: string) =>
  (await chains.anchors()).filter((one) => one.workspaceId === workspaceId);

/** As an owner of the database could: past every trigger. */
async function tamper(...statements: string[]): Promise<void> {
  await owner.query('set session_replication_role = replica');
  for (const statement of statements) await owner.query(statement);
  await owner.query('set session_replication_role = origin');
}

describe('an entry', () => {
  test('is appended with each change, says who made it by which request, and shows what changed', async () => {
    const workspaceId = await givenWorkspace();
    const who = {
      actor: { kind: 'user', id: 'usr_1' },
      keyId: 'key_1',
      requestId: 'req_1',
      address: '192.0.2.1',
    };
    await acting.run(who, () => addWorkflow(workspaceId, 'Invoices'));
    await database.statement(workspaceId, `update workflows set name = 'Bills', updated_at = now()`);
    await database.statement(workspaceId, `update workflows set updated_at = now()`);
    await database.statement(
      workspaceId,
      `insert into secrets (workspace_id, name, sealed) values ($1, 'TOKEN', 'hidden')`,
      [workspaceId],
    );
    await database.statement(workspaceId, 'delete from workflows');
    const entries = await all(workspaceId);
    expect(actionsOf(entries)).toEqual([
      'workflow.deleted',
      'secret.created',
      'workflow.updated',
      'workflow.created',
      'workspace.created',
    ]);
    const [, secret, updated, created] = entries.map(({ entry }) => entry);
    expect(created).toMatchObject({
      ...who,
      workspaceId,
      seq: 2,
      resourceType: 'workflow',
      resourceId: 'wf_Invoices',
      resourceName: 'Invoices',
      changes: { name: 'Invoices', folder: '', live_version: null },
    });
    expect(updated).toMatchObject({
      actor: { kind: 'system' },
      requestId: null,
      changes: { name: { from: 'Invoices', to: 'Bills' } },
    });
    expect(JSON.stringify(secret)).not.toContain('hidden');
  });

  test('is taken back with its transaction', async () => {
    const workspaceId = await givenWorkspace();
    const failing = database.within(workspaceId, async (tx) => {
      await tx.query(
        `insert into workflows (id, workspace_id, name, definition, definition_hash) values ('wf_x', $1, 'x', '{}', 'h')`,
        [workspaceId],
      );
      throw new Error('taken back');
    });
    await expect(failing).rejects.toThrow('taken back');
    expect(actionsOf(await all(workspaceId))).toEqual(['workspace.created']);
  });

  test('cannot be changed or deleted by the owner of the schema either', async () => {
    await givenWorkspace();
    for (const change of [
      `update audit_entries set body = '{}'`,
      'delete from audit_entries',
      'truncate audit_entries',
    ])
      await expect(owner.query(change)).rejects.toThrow('only appended');
  });

  test('is found by each filter, the newest first, by pages', async () => {
    const workspaceId = await givenWorkspace();
    for (let n = 0; n < 20; n++)
      await acting.run(
        { actor: { kind: 'key', id: `key_${n % 2}` }, keyId: null, requestId: 'r', address: '' },
        () =>
          audit.note(workspaceId, {
            action: n % 3 ? 'table.exported' : 'logs.exported',
            resourceType: 'table',
            resourceId: `tbl_${n % 5}`,
          }),
      );
    const entries = await all(workspaceId);
    expect(entries.map(({ entry }) => entry.seq)).toEqual(Array.from({ length: 21 }, (_, n) => 21 - n));
    const chosen = async (filters: object) =>
      (await all(workspaceId, filters)).map(({ entry }) => entry.seq - 2);
    const numbers = (keep: (n: number) => boolean) =>
      Array.from({ length: 20 }, (_, n) => 19 - n).filter(keep);
    expect(await chosen({ action: 'logs.exported' })).toEqual(numbers((n) => n % 3 === 0));
    expect(await chosen({ resourceId: 'tbl_2', actorId: 'key_0' })).toEqual(
      numbers((n) => n % 5 === 2 && n % 2 === 0),
    );
    expect(await chosen({ resourceType: 'workspace' })).toEqual([-1]);
    const middle = entries[10]?.entry.createdAt ?? '';
    expect(await chosen({ from: new Date(middle), to: new Date(middle) })).toContain(9);
    expect(await chosen({ from: new Date(Date.parse(middle) + 3_600_000) })).toEqual([]);
  });
});

describe('a chain', () => {
  test('holds after 64 writers at once in two workspaces, of which some are killed', async () => {
    const workspaces = [await givenWorkspace(), await givenWorkspace()];
    const kill = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query ilike '%insert into workflows%' limit 2`;
    const writers = Array.from({ length: 64 }, (_, n) => addWorkflow(workspaces[n % 2] ?? '', `w${n}`));
    const killers = Array.from({ length: 5 }, () => owner.query(kill));
    const outcomes = await Promise.allSettled(writers);
    await Promise.all(killers);
    const reasons = outcomes.map((one) => (one.status === 'rejected' ? String(one.reason) : ''));
    expect(reasons.filter((reason) => reason && !/terminat/i.test(reason))).toEqual([]);
    for (const [at, workspaceId] of workspaces.entries()) {
      const { rows } = await owner.query('select id from workflows where workspace_id = $1', [workspaceId]);
      const answered = outcomes.filter(({ status }, n) => n % 2 === at && status === 'fulfilled').length;
      expect(rows.length).toBeGreaterThanOrEqual(answered);
      expect(await all(workspaceId)).toHaveLength(rows.length + 1);
      expect(await faultsOf(workspaceId)).toEqual([]);
    }
  });

  test('does not keep writers of another workspace waiting', async () => {
    const [held, free] = [await givenWorkspace(), await givenWorkspace()];
    await owner.query('begin');
    await owner.query('select 1 from audit_heads where workspace_id = $1 for update', [held]);
    const waiting = addWorkflow(held, 'held');
    await addWorkflow(free, 'free');
    expect(actionsOf(await all(held))).toEqual(['workspace.created']);
    await owner.query('commit');
    await waiting;
  });

  test.each([
    [
      'a changed entry',
      (w: string) => [
        `update audit_entries set body = replace(body::text, 'e3', 'e9')::json where workspace_id = '${w}' and seq = 3`,
      ],
      'entry 3 is not what was appended',
    ],
    [
      'a missing entry',
      (w: string) => [`delete from audit_entries where workspace_id = '${w}' and seq = 3`],
      'entry 3 is missing',
    ],
    [
      'a missing first entry',
      (w: string) => [`delete from audit_entries where workspace_id = '${w}' and seq = 1`],
      'entry 1 is missing',
    ],
    [
      'two swapped entries',
      (w: string) =>
        ['4:99', '3:4', '99:3'].map((move) => {
          const [from, to] = move.split(':');
          return `update audit_entries set seq = ${to} where workspace_id = '${w}' and seq = ${from}`;
        }),
      'entry 3 is not what was appended',
    ],
    [
      'another time',
      (w: string) => [
        `update audit_entries set created_at = now() + interval '1 day' where workspace_id = '${w}' and seq = 2`,
      ],
      'entry 2 stands in another place or time than it says',
    ],
    [
      'a cut end',
      (w: string) => [`delete from audit_entries where workspace_id = '${w}' and seq > 3`],
      'the chain ends at 3, and its head says 6',
    ],
  ])('shows %s', async (_, change, fault) => {
    const workspaceId = await givenWorkspace();
    for (let n = 2; n <= 6; n++)
      await audit.note(workspaceId, { action: 'a.b', resourceType: 'a', resourceId: `e${n}` });
    expect(await faultsOf(workspaceId)).toEqual([]);
    await tamper(...change(workspaceId));
    expect(await faultsOf(workspaceId)).toContain(fault);
  });

  test('whose end was cut together with its head does not go through an anchor from before', async () => {
    const workspaceId = await givenWorkspace();
    for (let n = 2; n <= 6; n++)
      await audit.note(workspaceId, { action: 'a.b', resourceType: 'a', resourceId: `e${n}` });
    const anchors = await anchorOf(workspaceId);
    await audit.note(workspaceId, { action: 'a.b', resourceType: 'a', resourceId: 'later' });
    expect(await faultsOf(workspaceId, anchors)).toEqual([]);
    await tamper(
      `delete from audit_entries where workspace_id = '${workspaceId}' and seq > 4`,
      `update audit_heads h set seq = 4, hash = e.hash from audit_entries e where e.workspace_id = h.workspace_id and e.seq = 4
         and h.workspace_id = '${workspaceId}'`,
    );
    expect(await faultsOf(workspaceId)).toEqual([]);
    expect(await faultsOf(workspaceId, anchors)).toEqual(['entry 6 is not the one of the given anchor']);
    const [anchor] = anchors;
    if (!anchor) throw new Error('There is no anchor.');
    const forged = [{ ...anchor, seq: 3 }];
    expect(await faultsOf(workspaceId, forged)).toContain(
      'the given anchor at 3 was not signed by this installation',
    );
    await tamper(`delete from audit_heads where workspace_id = '${workspaceId}'`);
    expect(await faultsOf(workspaceId, anchors)).toEqual(['the chain is missing']);
  });

  test('holds from the anchor that retention leaves, which nobody else can leave', async () => {
    const workspaceId = await givenWorkspace();
    for (let n = 2; n <= 6; n++)
      await audit.note(workspaceId, { action: 'a.b', resourceType: 'a', resourceId: `e${n}` });
    const anchors = await anchorOf(workspaceId);
    const owning = await Chains.open(given.url, installationSecret, { asOwner: true });
    try {
      expect(await owning.forget(new Date(Date.now() - 3_600_000))).toBe(0);
      expect(await owning.forget(new Date(Date.now() + 1000))).toBeGreaterThan(5);
    } finally {
      await owning.close();
    }
    expect(await all(workspaceId)).toEqual([]);
    await audit.note(workspaceId, { action: 'a.b', resourceType: 'a', resourceId: 'later' });
    expect((await all(workspaceId)).map(({ entry }) => entry.seq)).toEqual([7]);
    expect(await faultsOf(workspaceId, anchors)).toEqual([]);
    await tamper(`update audit_heads set anchor_mac = 'made up' where workspace_id = '${workspaceId}'`);
    expect(await faultsOf(workspaceId)).toEqual(['the anchor at 6 was not left by this installation']);
  });
});

/** As if entry `n` had been appended 400 - 10n days ago. */
const aged = (workspaceId: string) => `
do $$ declare h bytea := ''; r record; b json; at timestamptz(3); begin
  for r in select seq, body from audit_entries where workspace_id = '${workspaceId}' order by seq loop
    at := now() - make_interval(days => 400 - 10 * r.seq::int);
    b := jsonb_set(r.body::jsonb, '{createdAt}', to_jsonb(to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))::json;
    h := sha256(h || convert_to(b::text, 'UTF8'));
    update audit_entries set body = b, hash = h, created_at = at where workspace_id = '${workspaceId}' and seq = r.seq;
  end loop;
  update audit_heads set hash = h where workspace_id = '${workspaceId}';
end $$`;

describe('the retention of a worker', () => {
  const givenOld = async () => {
    const workspaceId = await givenWorkspace();
    for (let n = 2; n <= 6; n++)
      await audit.note(workspaceId, { action: 'a.b', resourceType: 'a', resourceId: `e${n}` });
    await tamper(aged(workspaceId));
    expect(await faultsOf(workspaceId)).toEqual([]);
    return workspaceId;
  };
  const seqs = async (workspaceId: string) => (await all(workspaceId)).map(({ entry }) => entry.seq);

  test('deletes what is older than the setting, also two at once, and the rest goes on being provable', async () => {
    const [workspaceId, young] = [await givenOld(), await givenWorkspace()];
    const anchors = await anchorOf(workspaceId);
    const other = (await given.another()).get(AuditRetention);
    const deleted = await Promise.all([given.app.get(AuditRetention).turn(2), other.turn(2)]);
    expect(deleted[0] + deleted[1]).toBe(3);
    expect(await seqs(workspaceId)).toEqual([6, 5, 4]);
    expect(await seqs(young)).toEqual([1]);
    await audit.note(workspaceId, { action: 'a.b', resourceType: 'a', resourceId: 'later' });
    expect(await faultsOf(workspaceId, anchors)).toEqual([]);
    expect(await other.turn()).toBe(0);
    await tamper(`update audit_heads set anchor_mac = 'made up' where workspace_id = '${workspaceId}'`);
    expect(await faultsOf(workspaceId)).toEqual(['the anchor at 3 was not left by this installation']);
  });

  test.each([
    ['what has no anchor', '0', 3],
    ['what is younger than a month', '40', 1],
  ])('may not delete %s', async (_, anchorSeq, seq) => {
    const workspaceId = await givenOld();
    const young = `update audit_entries set created_at = now() - interval '29 days' where workspace_id = '${workspaceId}'`;
    if (seq === 1) await tamper(young);
    const deletion = database.systemTransaction(async (client) => {
      await client.query(`set local holdfast.audit_retention = 'on'`);
      await client.query(
        `update audit_heads set anchor_seq = ${anchorSeq} where workspace_id = '${workspaceId}'`,
      );
      await client.query(`delete from audit_entries where workspace_id = '${workspaceId}' and seq <= ${seq}`);
    });
    await expect(deletion).rejects.toThrow('only appended');
    expect(await seqs(workspaceId)).toHaveLength(6);
  });
});

describe('attempts that are refused', () => {
  const attempt = (n: number) => ({
    action: 'access.refused' as const,
    resourceType: 'workspace',
    resourceId: 'ws',
    about: { code: 'FORBIDDEN', path: `/${n}` },
  });

  test('cannot fill a log: those of one kind are one entry, and a workspace gets a hundred in an hour', async () => {
    const [workspaceId, other] = [await givenWorkspace(), await givenWorkspace()];
    const attempts = given.app.get(RefusedAttempts);
    await Promise.all(Array.from({ length: 300 }, () => attempts.note(workspaceId, attempt(1))));
    expect(actionsOf(await all(workspaceId))).toEqual(['access.refused', 'workspace.created']);
    await Promise.all(Array.from({ length: 300 }, (_, n) => attempts.note(workspaceId, attempt(n))));
    expect(await all(workspaceId)).toHaveLength(101);
    await attempts.note(other, attempt(1));
    expect(actionsOf(await all(other))).toEqual(['access.refused', 'workspace.created']);
  });

  test('begin no log of a workspace that there is not', async () => {
    await given.app.get(RefusedAttempts).note('ws_made_up', attempt(1));
    expect(await anchorOf('ws_made_up')).toEqual([]);
  });
});
