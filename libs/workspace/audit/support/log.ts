import { Module } from '@nestjs/common';
import type pg from 'pg';
import { type GivenStore, givenStore } from '#libs/platform/database/support/store';
import { PagesModule } from '#libs/platform/cursors/pages.module';
import type { Anchor } from '../anchor.ts';
import { AuditModule } from '../audit.module.ts';
import { Audit, type ShownEntry } from '../audit.ts';
import { Chains } from '../chain.ts';

@Module({ imports: [AuditModule, PagesModule] })
class AuditAlone {}

/** The secret of every store in the tests. */
export const installationSecret = 'x'.repeat(32);

const dayMs = 86_400_000;

/** The audit log on a test's own database. It deletes entries that are older than a year. */
export async function givenLog() {
  const given: GivenStore = await givenStore(AuditAlone, { DATABASE_POOL_MAX: '16', AUDIT_RETENTION: '365' });
  const { owner } = given;
  const audit = given.app.get(Audit);
  const chains = await Chains.open(given.url, installationSecret);
  let made = 0;

  /** Makes a workspace with this many entries. The first entry is its creation. */
  async function givenWorkspace(entries = 1): Promise<string> {
    const id = `ws_${++made}`;
    await owner.query('insert into workspaces (id, name) values ($1, $1)', [id]);
    for (let n = 2; n <= entries; n++) await append(id, `e${n}`);
    return id;
  }

  const append = (workspaceId: string, resourceId: string) =>
    audit.noteEvent(workspaceId, { action: 'a.b', resourceType: 'a', resourceId });

  const all = (workspaceId: string, filters: object = {}) => allOf(audit, workspaceId, filters);

  const faultsOf = async (workspaceId: string, anchors?: Anchor[], days: number | null = 365) =>
    (await chains.verify(anchors, days === null ? null : days * dayMs))
      .filter((one) => one.workspaceId === workspaceId)
      .flatMap(({ faults }) => faults);

  const anchorOf = async (workspaceId: string) =>
    (await chains.anchors()).filter((one) => one.workspaceId === workspaceId);

  const tamper = (...statements: string[]) => tamperWith(owner, statements);
  const forget = (before: Date) => forgetIn(given.url, before);

  async function stop(): Promise<void> {
    await chains.close();
    await given.stop();
  }

  return {
    given,
    owner,
    audit,
    chains,
    givenWorkspace,
    append,
    all,
    faultsOf,
    anchorOf,
    tamper,
    forget,
    stop,
  };
}

async function allOf(audit: Audit, workspaceId: string, filters: object): Promise<ShownEntry[]> {
  const entries: ShownEntry[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await audit.list(workspaceId, { ...filters, limit: 7, ...(cursor ? { cursor } : {}) });
    entries.push(...page.items);
    if (!page.nextCursor) return entries;
    cursor = page.nextCursor;
  }
}

/** Runs statements without triggers, as the owner of the database can. */
async function tamperWith(owner: pg.Client, statements: string[]): Promise<void> {
  await owner.query('set session_replication_role = replica');
  try {
    for (const statement of statements) await owner.query(statement);
  } finally {
    await owner.query('set session_replication_role = origin');
  }
}

/** Deletes entries of all workspaces, as the owner of the schema. */
async function forgetIn(url: string, before: Date): Promise<number> {
  const owning = await Chains.open(url, installationSecret, { asOwner: true });
  try {
    return (await owning.forget(before)).deleted;
  } finally {
    await owning.close();
  }
}

export type GivenLog = Awaited<ReturnType<typeof givenLog>>;

/** Statements that make entry `n` 400 - 10n days old. */
export const aged = (workspaceId: string) => `
do $$ declare h bytea := ''; r record; b json; at timestamptz(3); begin
  for r in select seq, body from audit_entries where workspace_id = '${workspaceId}' order by seq loop
    at := now() - make_interval(days => 400 - 10 * r.seq::int);
    b := jsonb_set(r.body::jsonb, '{createdAt}', to_jsonb(to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))::json;
    h := sha256(h || convert_to(b::text, 'UTF8'));
    update audit_entries set body = b, hash = h, created_at = at where workspace_id = '${workspaceId}' and seq = r.seq;
  end loop;
  update audit_heads set hash = h where workspace_id = '${workspaceId}';
end $$`;
