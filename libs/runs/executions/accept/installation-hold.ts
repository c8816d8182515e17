import type pg from 'pg';
import { Conflict } from '#libs/platform/errors/errors';
import { newId } from '#libs/platform/ids/ids';
import { type Hold, holdSubjectAgain, type ShownHold } from './holds.ts';
import * as sql from './holds.sql.ts';

const actor = { kind: 'operator' };

/** The hold of all workspaces; null when there is none. The connection reaches all of them, here and below. */
export async function getInstallationHold(client: pg.Client): Promise<ShownHold | null> {
  return (await client.query<ShownHold>(sql.shownInstallation)).rows[0] ?? null;
}

/** Holds all workspaces of an installation, also those that are made later. Throws when they are held already. */
export async function holdInstallation(
  client: pg.Client,
  wish: Pick<Hold, 'mode' | 'reason' | 'stops'>,
): Promise<ShownHold | null> {
  const { mode, reason, stops } = wish;
  const values = [newId('hold'), mode, reason, JSON.stringify(actor), stops];
  const { rowCount } = await client.query(insertHold, values);
  const subject = { workspaceId: null, workflowId: null, triggerId: null, host: null, ...wish };
  if (rowCount === 0)
    await holdSubjectAgain(async (text, given) => (await client.query(text, given)).rows, subject, actor);
  return getInstallationHold(client);
}

/** Begins to let go what waits in all workspaces, the oldest first, together at the rate. Throws when nothing is held. */
export async function releaseInstallation(
  client: pg.Client,
  perSecond: number | null,
): Promise<ShownHold | null> {
  const hold = await getInstallationHold(client);
  if (!hold) throw new Conflict('The installation is not held.', 'NOT_HELD');
  await client.query(sql.releaseHold, [null, hold.id, perSecond]);
  return getInstallationHold(client);
}

/** $1 id, $2 mode, $3 reason, $4 actor, $5 what stops */
const insertHold = /* sql */ `
insert into holds (id, mode, reason, actor, stops) values ($1, $2, $3, $4, $5) on conflict on constraint holds_once do nothing`;
