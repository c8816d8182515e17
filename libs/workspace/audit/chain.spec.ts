import { Database } from '#libs/platform/database/database';
import { quickAgain, slowDeletion } from '#libs/platform/database/support/slow-deletion';
import { parseAnchors, signedAnchor } from './anchor.ts';
import { AuditRetention } from './audit-retention.ts';
import { aged, givenLog, type GivenLog, installationSecret } from './support/log.ts';

let log: GivenLog;
beforeAll(async () => {
  log = await givenLog();
});
afterAll(() => log?.stop());

describe('the proof of a chain', () => {
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
  ])('the proof of a chain shows %s', async (_, change, fault) => {
    const workspaceId = await log.givenWorkspace(6);
    expect(await log.faultsOf(workspaceId)).toEqual([]);
    await log.tamper(...change(workspaceId));
    expect(await log.faultsOf(workspaceId)).toContain(fault);
  });

  test('the proof of a chain fails at an earlier anchor when the end was cut together with its head', async () => {
    const workspaceId = await log.givenWorkspace(6);
    const anchors = await log.anchorOf(workspaceId);
    await log.append(workspaceId, 'later');
    expect(await log.faultsOf(workspaceId, anchors)).toEqual([]);
    await log.tamper(
      `delete from audit_entries where workspace_id = '${workspaceId}' and seq > 4`,
      `update audit_heads h set seq = 4, hash = e.hash from audit_entries e where e.workspace_id = h.workspace_id and e.seq = 4
         and h.workspace_id = '${workspaceId}'`,
    );
    expect(await log.faultsOf(workspaceId)).toEqual([]);
    expect(await log.faultsOf(workspaceId, anchors)).toEqual(['entry 6 is not the one of the given anchor']);
    const [anchor] = anchors;
    if (!anchor) throw new Error('There is no anchor.');
    const forged = [{ ...anchor, seq: 3 }];
    expect(await log.faultsOf(workspaceId, forged)).toContain(
      'the given anchor at 3 was not signed by this installation',
    );
  });

  test.each([
    ['a head that is gone', ['delete from audit_heads where'], 'the head of the chain is missing'],
    [
      'entries and a head that are gone',
      ['delete from audit_heads where', 'delete from audit_entries where'],
      'the chain is missing',
    ],
    [
      'entries that are gone behind a head that was set back',
      [`update audit_heads set seq = 0, hash = '' where`, 'delete from audit_entries where'],
      'the chain is empty, and every workspace has an entry of its making',
    ],
  ])('the proof of a chain shows %s, also without an anchor', async (_, changes, fault) => {
    const workspaceId = await log.givenWorkspace(6);
    const anchors = await log.anchorOf(workspaceId);
    await log.tamper(...changes.map((change) => `${change} workspace_id = '${workspaceId}'`));
    expect(await log.faultsOf(workspaceId)).toEqual([fault]);
    await log.tamper(`delete from workspaces where id = '${workspaceId}'`);
    expect(await log.faultsOf(workspaceId, anchors)).toContain(fault);
  });

  test('the proof of a chain holds from the anchor that retention leaves, which nobody else can leave', async () => {
    const workspaceId = await log.givenWorkspace(6);
    const anchors = await log.anchorOf(workspaceId);
    expect(await log.forget(new Date(Date.now() - 3_600_000))).toBe(0);
    expect(await log.forget(new Date(Date.now() + 1000))).toBeGreaterThan(5);
    expect(await log.all(workspaceId)).toEqual([]);
    const [behindAll] = await log.anchorOf(workspaceId);
    await log.append(workspaceId, 'later');
    expect((await log.all(workspaceId)).map(({ entry }) => entry.seq)).toEqual([7]);
    expect(await log.faultsOf(workspaceId)).toEqual([]);
    expect(behindAll?.createdAt).toBe(anchors[0]?.createdAt);
    await log.tamper(`update audit_heads set anchor_mac = 'made up' where workspace_id = '${workspaceId}'`);
    expect(await log.faultsOf(workspaceId)).toEqual(['the anchor at 6 was not left by this installation']);
  });

  test('the proof of a chain with anchors shows deleted entries that retention still keeps, with every way of deletion', async () => {
    const workspaceId = await log.givenWorkspace(6);
    const anchors = await log.anchorOf(workspaceId);
    await log.append(workspaceId, 'later');
    await log.forget(new Date(Date.now() + 1000));
    expect(await log.faultsOf(workspaceId)).toEqual([]);
    const fault = 'the entries up to 6 are missing, which are too young to be deleted';
    expect(await log.faultsOf(workspaceId, anchors)).toEqual([fault]);
    expect(await log.faultsOf(workspaceId, anchors, null)).toEqual([fault]);
    const old = anchors.map((anchor) =>
      signedAnchor(installationSecret, { ...anchor, createdAt: undefined }),
    );
    expect(await log.faultsOf(workspaceId, old)).toEqual([fault]);
    expect(await log.faultsOf(workspaceId, anchors, 0)).toEqual([]);
  });

  test('the proof of a chain does not hold from an exported anchor, which is no permission to delete', async () => {
    const workspaceId = await log.givenWorkspace(4);
    const anchors = await log.anchorOf(workspaceId);
    const [anchor] = anchors;
    if (!anchor?.createdAt) throw new Error('There is no anchor.');
    await log.append(workspaceId, 'later');
    const hide = `delete from audit_entries where workspace_id = '${workspaceId}' and seq <= 4`;
    const point = `update audit_heads set anchor_seq = 4, anchor_hash = decode('${anchor.hash}', 'hex'), anchor_at = '${anchor.createdAt}'`;
    for (const mac of [
      anchor.mac,
      signedAnchor(installationSecret, { ...anchor, createdAt: undefined }).mac,
    ]) {
      await log.tamper(hide, `${point}, anchor_mac = '${mac}' where workspace_id = '${workspaceId}'`);
      expect(await log.faultsOf(workspaceId)).toEqual(['the anchor at 4 was not left by this installation']);
      expect(await log.faultsOf(workspaceId, anchors)).toContain(
        'the entries up to 4 are missing, which are too young to be deleted',
      );
    }
    expect(await log.forget(new Date(Date.now() + 1000))).toBe(0);
  });

  test('the proof of a chain holds from an older anchor of retention without a signature, once it is signed', async () => {
    const workspaceId = await log.givenWorkspace(4);
    await log.forget(new Date(Date.now() + 1000));
    const [anchor] = await log.anchorOf(workspaceId);
    if (!anchor) throw new Error('There is no anchor.');
    await log.append(workspaceId, 'later');
    const { mac } = signedAnchor(installationSecret, { ...anchor, createdAt: undefined });
    await log.tamper(
      `update audit_heads set anchor_at = null, anchor_mac = '${mac}' where workspace_id = '${workspaceId}'`,
    );
    expect(await log.faultsOf(workspaceId)).toEqual(['the anchor at 4 was not left by this installation']);
    expect(await log.chains.renew()).toEqual([{ workspaceId, seq: 4 }]);
    expect(await log.faultsOf(workspaceId)).toEqual([]);
    expect(await log.chains.renew()).toEqual([]);
  });
});

describe('the retention of a worker', () => {
  const givenOld = async () => {
    const workspaceId = await log.givenWorkspace(6);
    await log.tamper(aged(workspaceId));
    expect(await log.faultsOf(workspaceId)).toEqual([]);
    return workspaceId;
  };
  const seqs = async (workspaceId: string) => (await log.all(workspaceId)).map(({ entry }) => entry.seq);

  test('the retention of a worker deletes entries older than the setting, also with two workers at once, and the rest stays provable', async () => {
    const [workspaceId, young] = [await givenOld(), await log.givenWorkspace()];
    const anchors = await log.anchorOf(workspaceId);
    const other = (await log.given.another()).get(AuditRetention);
    const deleted = await Promise.all([
      log.given.app.get(AuditRetention).deleteOldEntries(undefined, 2),
      other.deleteOldEntries(undefined, 2),
    ]);
    expect(deleted[0] + deleted[1]).toBe(3);
    expect(await seqs(workspaceId)).toEqual([6, 5, 4]);
    expect(await seqs(young)).toEqual([1]);
    await log.append(workspaceId, 'later');
    expect(await log.faultsOf(workspaceId, anchors)).toEqual([]);
    expect(await other.deleteOldEntries()).toBe(0);
    await log.tamper(`update audit_heads set anchor_mac = 'made up' where workspace_id = '${workspaceId}'`);
    expect(await log.faultsOf(workspaceId)).toEqual(['the anchor at 3 was not left by this installation']);
    await log.tamper(
      `update audit_entries set created_at = created_at - interval '1 year' where workspace_id = '${workspaceId}'`,
    );
    expect(await other.deleteOldEntries()).toBe(0);
  });

  test('the retention of a worker puts off a log that it cannot delete from, and goes on with the others', async () => {
    const [stuck, other] = [await givenOld(), await givenOld()];
    await log.tamper(slowDeletion('audit_entries', 0, `workspace_id = '${stuck}'`));
    expect(await log.given.app.get(AuditRetention).deleteOldEntries()).toBe(3);
    await log.tamper(quickAgain('audit_entries'));
    expect([await seqs(stuck), await seqs(other)]).toEqual([
      [6, 5, 4, 3, 2, 1],
      [6, 5, 4],
    ]);
    expect(await log.faultsOf(stuck)).toEqual([]);
    await log.tamper(`update deferrals set due_at = now() - interval '1 second'`);
    expect(await log.given.app.get(AuditRetention).deleteOldEntries()).toBe(3);
  });

  test.each([
    ['entries without an anchor', '0', 3],
    ['entries younger than a month', '40', 1],
  ])('the retention of a worker may not delete %s', async (_, anchorSeq, seq) => {
    const workspaceId = await givenOld();
    const young = `update audit_entries set created_at = now() - interval '29 days' where workspace_id = '${workspaceId}'`;
    if (seq === 1) await log.tamper(young);
    const deletion = log.given.app.get(Database).systemTransaction(async (client) => {
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

describe('a file of anchors', () => {
  test('a file of anchors is an export, or a log in which other lines stand between them', () => {
    const anchor = signedAnchor(installationSecret, {
      workspaceId: 'ws',
      seq: 3,
      hash: 'ab',
      createdAt: 'then',
    });
    const logged = { level: 30, time: 1, name: 'worker', ...anchor, msg: 'audit anchor' };
    const lines = [
      JSON.stringify(anchor),
      `worker-1  | ${JSON.stringify(logged)}`,
      '{"level":30,"msg":"the worker is running"}',
      'npm start',
      '{"workspaceId":"ws","seq":"3","hash":"ab","mac":"cd"}',
      '',
    ];
    expect(parseAnchors(lines.join('\n'))).toEqual([anchor, anchor]);
  });
});
