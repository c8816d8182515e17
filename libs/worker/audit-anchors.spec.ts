import { Writable } from 'node:stream';
import { Module } from '@nestjs/common';
import { parseAnchors } from '#libs/workspace/audit/anchor';
import { Audit } from '#libs/workspace/audit/audit';
import { AuditAnchors } from '#libs/workspace/audit/audit-anchors';
import { AuditModule } from '#libs/workspace/audit/audit.module';
import { Chains } from '#libs/workspace/audit/chain';
import { type GivenStore, givenStore } from '#libs/platform/database/support/store';
import { createLogger, nestLogger } from '#libs/platform/telemetry/logging/logging';
import { PagesModule } from '#libs/platform/cursors/pages.module';

@Module({ imports: [AuditModule, PagesModule] })
class AuditAlone {}

let given: GivenStore;
let chains: Chains;
const lines: string[] = [];

beforeAll(async () => {
  given = await givenStore(AuditAlone);
  chains = await Chains.open(given.url, 'x'.repeat(32));
  const target = new Writable({
    write(chunk: Buffer, _, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  given.app.useLogger(nestLogger(createLogger('worker', { logLevel: 'info', logFormat: 'numbers' }, target)));
});
afterAll(async () => {
  await chains?.close();
  await given?.stop();
});

/** The log of the workers since the last call. */
const logged = () => lines.splice(0).join('');

test('workers log an anchor of each chain that has grown, and the anchors later prove that its end was cut off', async () => {
  await given.owner.query(`insert into workspaces (id, name) values ('ws_1', 'one'), ('ws_2', 'two')`);
  const [audit, anchors] = [given.app.get(Audit), given.app.get(AuditAnchors)];
  expect(await anchors.writeDueAnchors()).toBe(2);
  const [one] = logged().split('\n');
  expect(JSON.parse(one ?? '')).toMatchObject({ level: 30, name: 'worker', msg: 'audit anchor', seq: 1 });
  expect(await anchors.writeDueAnchors()).toBe(0);
  await audit.noteEvent('ws_2', { action: 'a.b', resourceType: 'a', resourceId: 'hidden later' });
  expect(await anchors.writeDueAnchors()).toBe(1);
  const log = logged();
  expect(parseAnchors(log)).toEqual(
    (await chains.anchors()).filter(({ workspaceId }) => workspaceId === 'ws_2'),
  );
  const faults = async () => (await chains.verify(parseAnchors(log))).map((verdict) => verdict.faults);
  expect(await faults()).toEqual([[], []]);
  await given.owner.query(`set session_replication_role = replica;
    delete from audit_entries where workspace_id = 'ws_2' and seq = 2;
    update audit_heads h set seq = 1, hash = e.hash from audit_entries e where e.workspace_id = 'ws_2' and h.workspace_id = 'ws_2'`);
  expect(await faults()).toEqual([[], ['entry 2 is not the one of the given anchor']]);
});
