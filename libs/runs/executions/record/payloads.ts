import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Json, Ref } from '#libs/platform/json/json';
import { readWhole, unread } from '#libs/platform/json/unread-json';
import type { SentValue } from '#libs/language/engine/effects';
import { Database, send, setLocal, type Statement } from '#libs/platform/database/database';
import { toStoredJson } from '#libs/platform/text/whole-text';
import { refsIn, unpack, type Packed } from './pack.ts';

/** The run to which a stored value belongs. */
export interface PayloadOwner {
  workspaceId: string;
  executionId: string;
}

/** The prefix of ids of what visits have sent, which not every reader of an execution may see. */
export const sentPrefix = 'sent_';

/** The id of what a visit has sent, when it is too large to be shown beside it. */
export const buildSentId = (executionId: string, path: string): string =>
  sentPrefix + createHash('sha256').update(`${executionId} ${path}`).digest('hex');

/**
 * A larger value is a parameter of its own. The client of Postgres escapes each quote in a list of texts, which stops the process for
 * two seconds when a value has millions of them.
 */
const listedBytesMax = 65_536;

/** The statements that store payloads, to commit with others; none without payloads. A repeated commit changes nothing. */
export function storing(
  { workspaceId, executionId }: PayloadOwner,
  payloads: Packed['payloads'],
): Statement[] {
  const listed = payloads.filter(({ bytes }) => bytes <= listedBytesMax);
  const columns = [
    listed.map(({ id }) => id),
    listed.map(({ body }) => body),
    listed.map(({ bytes }) => bytes),
  ];
  const alone = payloads.filter(({ bytes }) => bytes > listedBytesMax);
  return [
    ...(listed.length > 0
      ? [[storePayloads, [workspaceId, executionId, ...columns]] satisfies Statement]
      : []),
    ...alone.map(({ id, body, bytes }): Statement => [
      storePayload,
      [workspaceId, executionId, id, body, bytes],
    ]),
  ];
}

/** The statements that copy stored values of another execution: see `renewRefs`. */
export function copying(
  { workspaceId, executionId }: PayloadOwner,
  from: string,
  copies: ReadonlyMap<string, string>,
): Statement[] {
  if (copies.size === 0) return [];
  return [[copyPayloads, [workspaceId, executionId, from, [...copies.keys()], [...copies.values()]]]];
}

/**
 * Values that are too large to travel with a run. They belong to one execution and are read only under its
 * workspace.
 */
@Injectable()
export class Payloads {
  constructor(private readonly database: Database) {}

  async store(owner: PayloadOwner, payloads: Packed['payloads']): Promise<void> {
    if (payloads.length === 0) return;
    await this.database.batch(owner.workspaceId, storing(owner, payloads));
  }

  /**
   * Stores what a visit sends, when its workspace keeps values; the next attempt replaces it. Returns the reference. It does not wait for
   * the disk, because a crash of the machine repeats the attempt.
   */
  async putSent(
    { workspaceId, executionId }: PayloadOwner,
    path: string,
    value: Json,
  ): Promise<NonNullable<SentValue['whole']>> {
    const id = buildSentId(executionId, path);
    const body = toStoredJson(value);
    const bytes = Buffer.byteLength(body);
    await this.database.batch(workspaceId, [
      setLocal('synchronous_commit', 'off'),
      [storeSent, [workspaceId, executionId, id, body, bytes]],
    ]);
    return { $payload: id, bytes };
  }

  /** The value with its references resolved. A reference to another execution's payload reads as null. */
  async resolve(owner: PayloadOwner, value: Json): Promise<Json> {
    return refsIn(value).length === 0 ? value : readWhole(await this.resolveUnread(owner, value));
  }

  /** The same for a caller who gets the value as JSON: the stored values stay text, which nothing parses here. */
  async resolveUnread(owner: PayloadOwner, value: Json): Promise<Json> {
    const ids = idsWithin(refsIn(value));
    return ids.length === 0 ? value : unpackTexts(value, ids, await this.bodies(owner, value));
  }

  /** The value with its references resolved, up to `bytesMax` of stored values. The rest stay references. */
  async resolveWithin(
    tx: EntityManager,
    owner: PayloadOwner,
    value: Json,
    bytesMax = Infinity,
  ): Promise<Json> {
    return readWhole(await this.resolveUnreadWithin(tx, owner, value, bytesMax));
  }

  /** The same with the stored values as text: see `resolveUnread`. */
  async resolveUnreadWithin(
    tx: EntityManager,
    { executionId }: PayloadOwner,
    value: Json,
    bytesMax = Infinity,
  ): Promise<Json> {
    const ids = idsWithin(refsIn(value), bytesMax);
    if (ids.length === 0) return value;
    return unpackTexts(value, ids, await send<BodyText>(tx, bodyTexts, [executionId, ids]));
  }

  /**
   * The stored values behind a value's references, as JSON text. The reader parses them where it delays no other
   * work.
   */
  async bodies({ workspaceId, executionId }: PayloadOwner, value: Json): Promise<BodyText[]> {
    const ids = idsWithin(refsIn(value));
    if (ids.length === 0) return [];
    return this.database.statement<BodyText>(workspaceId, bodyTexts, [executionId, ids]);
  }

  /** One stored value of an execution, unread; undefined when it has no such value. */
  async read({ workspaceId, executionId }: PayloadOwner, id: string): Promise<Json | undefined> {
    const values = [executionId, [id]];
    const [row] = await this.database.statement<BodyText>(workspaceId, bodyTexts, values);
    return row && unread(row.body);
  }
}

/** A stored value as JSON text. */
interface BodyText {
  id: string;
  body: string;
}

/** The value with these references replaced by the stored texts, unread; null for one that is not there. */
function unpackTexts(value: Json, ids: string[], rows: BodyText[]): Json {
  const bodies = new Map<string, Json>(ids.map((id) => [id, null]));
  for (const { id, body } of rows) bodies.set(id, unread(body));
  return unpack(value, bodies);
}

function idsWithin(refs: Ref[], bytesMax = Infinity): string[] {
  let bytes = 0;
  return refs.flatMap((ref) => ((bytes += ref.bytes) <= bytesMax ? [ref.$payload] : []));
}

/** $1 execution, $2 payloads */
const bodyTexts = 'select id, body::text as body from payloads where execution_id = $1 and id = any($2)';

const storePayload = /* sql */ `
insert into payloads (id, workspace_id, execution_id, body, bytes) values ($3, $1, $2, $4::json, $5)
on conflict (id) do nothing`;

/** $1 workspace, $2 execution, $3 the one that has the values, $4 their ids, $5 those of the copies */
const copyPayloads = /* sql */ `
insert into payloads (id, workspace_id, execution_id, body, bytes)
select c.id, $1, $2, p.body, p.bytes
from unnest($4::text[], $5::text[]) as c (former, id) join payloads p on p.id = c.former and p.execution_id = $3`;

const storeSent = /* sql */ `
insert into payloads (id, workspace_id, execution_id, body, bytes)
select $3, w.id, $2, $4::json, $5 from workspaces w where w.id = $1 and w.records_values
on conflict (id) do update set body = excluded.body, bytes = excluded.bytes`;

const storePayloads = /* sql */ `
insert into payloads (id, workspace_id, execution_id, body, bytes)
select p.id, $1, $2, p.body::json, p.bytes from unnest($3::text[], $4::text[], $5::int[]) as p (id, body, bytes)
on conflict (id) do nothing`;
