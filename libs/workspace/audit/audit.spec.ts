import { actorContext } from '#libs/platform/database/actor-context';
import { terminateSessions } from '#libs/platform/database/support/sessions';
import { Database } from '#libs/platform/database/database';
import type { ShownEntry } from './audit.ts';
import { RefusedAttempts } from './refused-attempts.ts';
import { givenLog, type GivenLog } from './support/log.ts';

let log: GivenLog;
let database: Database;

beforeAll(async () => {
  log = await givenLog();
  database = log.given.app.get(Database);
});
afterAll(() => log?.stop());

const addWorkflow = (workspaceId: string, name: string) =>
  database.statement(
    workspaceId,
    `insert into workflows (id, workspace_id, name, definition, definition_hash) values ('wf_' || $2, $1, $2, '{}', 'hash')`,
    [workspaceId, name],
  );
const actionsOf = (entries: ShownEntry[]) => entries.map(({ entry }) => entry.action);

describe('an entry', () => {
  test('an audit entry is appended with each change, and shows its actor, its request and the change', async () => {
    const workspaceId = await log.givenWorkspace();
    const who = {
      actor: { kind: 'user', id: 'usr_1' },
      keyId: 'key_1',
      requestId: 'req_1',
      address: '192.0.2.1',
    };
    await actorContext.run(who, () => addWorkflow(workspaceId, 'Invoices'));
    await database.statement(workspaceId, `update workflows set name = 'Bills', updated_at = now()`);
    await database.statement(workspaceId, `update workflows set updated_at = now()`);
    await database.statement(
      workspaceId,
      `insert into secrets (workspace_id, name, sealed) values ($1, 'TOKEN', 'hidden')`,
      [workspaceId],
    );
    await database.statement(workspaceId, 'delete from workflows');
    const entries = await log.all(workspaceId);
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

  test('an audit entry is taken back with its transaction', async () => {
    const workspaceId = await log.givenWorkspace();
    const failing = database.within(workspaceId, async (tx) => {
      await tx.query(
        `insert into workflows (id, workspace_id, name, definition, definition_hash) values ('wf_x', $1, 'x', '{}', 'h')`,
        [workspaceId],
      );
      throw new Error('taken back');
    });
    await expect(failing).rejects.toThrow('taken back');
    expect(actionsOf(await log.all(workspaceId))).toEqual(['workspace.created']);
  });

  test('an audit entry cannot be changed or deleted by the owner of the schema either', async () => {
    await log.givenWorkspace();
    for (const change of [
      `update audit_entries set body = '{}'`,
      'delete from audit_entries',
      'truncate audit_entries',
    ])
      await expect(log.owner.query(change)).rejects.toThrow('only appended');
  });

  test('an audit entry is found by each filter, the newest first, by pages', async () => {
    const workspaceId = await log.givenWorkspace();
    for (let n = 0; n < 20; n++)
      await actorContext.run(
        { actor: { kind: 'key', id: `key_${n % 2}` }, keyId: null, requestId: 'r', address: '' },
        () =>
          log.audit.noteEvent(workspaceId, {
            action: n % 3 ? 'table.exported' : 'logs.exported',
            resourceType: 'table',
            resourceId: `tbl_${n % 5}`,
          }),
      );
    const entries = await log.all(workspaceId);
    expect(entries.map(({ entry }) => entry.seq)).toEqual(Array.from({ length: 21 }, (_, n) => 21 - n));
    const chosen = async (filters: object) =>
      (await log.all(workspaceId, filters)).map(({ entry }) => entry.seq - 2);
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
  test('a chain of audit entries holds after 64 writers at once in two workspaces, of which some are killed', async () => {
    const workspaces = [await log.givenWorkspace(), await log.givenWorkspace()];
    const writing = `query ilike '%insert into workflows%' limit 2`;
    const writers = Array.from({ length: 64 }, (_, n) => addWorkflow(workspaces[n % 2] ?? '', `w${n}`));
    const killers = Array.from({ length: 5 }, () => terminateSessions(log.owner, writing));
    const outcomes = await Promise.allSettled(writers);
    await Promise.all(killers);
    const reasons = outcomes.map((one) => (one.status === 'rejected' ? String(one.reason) : ''));
    expect(reasons.filter((reason) => reason && !/terminat/i.test(reason))).toEqual([]);
    for (const [at, workspaceId] of workspaces.entries()) {
      const { rows } = await log.owner.query('select id from workflows where workspace_id = $1', [
        workspaceId,
      ]);
      const answered = outcomes.filter(({ status }, n) => n % 2 === at && status === 'fulfilled').length;
      expect(rows.length).toBeGreaterThanOrEqual(answered);
      expect(await log.all(workspaceId)).toHaveLength(rows.length + 1);
      expect(await log.faultsOf(workspaceId)).toEqual([]);
    }
  });

  test('a chain of audit entries does not keep writers of another workspace waiting', async () => {
    const [held, free] = [await log.givenWorkspace(), await log.givenWorkspace()];
    await log.owner.query('begin');
    await log.owner.query('select 1 from audit_heads where workspace_id = $1 for update', [held]);
    const waiting = addWorkflow(held, 'held');
    await addWorkflow(free, 'free');
    expect(actionsOf(await log.all(held))).toEqual(['workspace.created']);
    await log.owner.query('commit');
    await waiting;
  });
});

describe('exports', () => {
  test('exports are limited to a thousand in an hour for a caller, and each has an entry', async () => {
    const workspaceId = await log.givenWorkspace();
    const by = (id: string) => ({
      actor: { kind: 'user', id },
      keyId: id,
      requestId: 'req',
      address: '192.0.2.1',
    });
    const noted = (id: string) =>
      actorContext.run(by(id), () =>
        log.audit
          .noteEvent(workspaceId, { action: 'table.exported', resourceType: 'table', resourceId: 'tbl' })
          .then(
            () => 'noted',
            (error: Error) => error.constructor.name,
          ),
      );
    const told = await Promise.all(Array.from({ length: 1003 }, () => noted('usr_many')));
    expect(told.filter((one) => one !== 'noted')).toEqual(['TooMany', 'TooMany', 'TooMany']);
    expect(await noted('usr_other')).toBe('noted');
    const { rows } = await log.owner.query(
      `select count(*)::int as n from audit_entries where workspace_id = $1 and action = 'table.exported'`,
      [workspaceId],
    );
    expect(rows).toEqual([{ n: 1001 }]);
  });
});

describe('attempts that are refused', () => {
  const attempt = (n: number) => ({
    action: 'access.refused' as const,
    resourceType: 'workspace',
    resourceId: 'ws',
    about: { code: 'FORBIDDEN', path: `/${n}` },
  });

  test('attempts that are refused cannot fill a log: each kind is one entry, and a workspace gets a hundred in an hour', async () => {
    const [workspaceId, other] = [await log.givenWorkspace(), await log.givenWorkspace()];
    const attempts = log.given.app.get(RefusedAttempts);
    await Promise.all(Array.from({ length: 300 }, () => attempts.recordAttempt(workspaceId, attempt(1))));
    expect(actionsOf(await log.all(workspaceId))).toEqual(['access.refused', 'workspace.created']);
    await Promise.all(Array.from({ length: 300 }, (_, n) => attempts.recordAttempt(workspaceId, attempt(n))));
    expect(await log.all(workspaceId)).toHaveLength(101);
    await attempts.recordAttempt(other, attempt(1));
    expect(actionsOf(await log.all(other))).toEqual(['access.refused', 'workspace.created']);
  });

  test('attempts that are refused begin no log of a workspace that does not exist', async () => {
    await log.given.app.get(RefusedAttempts).recordAttempt('ws_made_up', attempt(1));
    expect(await log.anchorOf('ws_made_up')).toEqual([]);
  });
});
