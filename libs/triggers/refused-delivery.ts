import { cutText } from '#libs/platform/text/whole-text';
import type { Statement } from '#libs/platform/database/statements';
import type { DeliveryRow } from '#libs/runs/executions/accept/accept.sql';
import type { RefusedVerdict } from './verdict.ts';

/** A refused delivery as it is logged. */
export interface RefusedDelivery {
  workspaceId: string;
  delivery: DeliveryRow;
  verdict: RefusedVerdict;
  error: { code: string; message: string } | null;
}

/** Forged deliveries that are kept of one trigger, and deliveries of each other verdict that started nothing. */
const keptMax = { forged: 100, other: 1000 };
/** A forged body is kept up to this many characters: nobody replays it. */
const forgedCharsMax = 4096;

/**
 * The statements that log a delivery that started nothing. Of each verdict the newest are kept, so that a stranger cannot fill the log.
 * With `once` a delivery that has started an execution, or has an entry with this verdict, gets no other one.
 */
export function logRefused(
  { workspaceId, delivery, verdict, error }: RefusedDelivery,
  once: '' | 'once' = '',
): Statement[] {
  const isForged = verdict === 'forged';
  const body = isForged ? cutText(delivery.body, forgedCharsMax) : delivery.body;
  const row = JSON.stringify({ ...delivery, body, verdict, error, workspace_id: workspaceId });
  const kept = isForged ? keptMax.forged : keptMax.other;
  return [
    [once ? insertOnce : insertRefused, [row]],
    [dropOlder, [delivery.trigger_id, verdict, kept]],
  ];
}

/** $1 a delivery with its verdict */
const insertRefused = /* sql */ `
insert into trigger_deliveries (id, workspace_id, trigger_id, source, verdict, error, sender_id, content_hash, headers, query, body, content_type,
  replay_of)
select id, workspace_id, trigger_id, source, verdict, error, sender_id, content_hash, headers, query, body, content_type, replay_of
from json_to_record($1::json) as d (id text, workspace_id text, trigger_id text, source text, verdict text, error json, sender_id text,
  content_hash text, headers json, query json, body text, content_type text, replay_of text)
where exists (select from triggers t where t.id = d.trigger_id)`;

const insertOnce = `${insertRefused} and not exists (
  select from trigger_deliveries e
  where e.trigger_id = d.trigger_id and e.sender_id = d.sender_id and (e.verdict = 'accepted' or e.verdict = d.verdict))`;

/** $1 trigger, $2 verdict, $3 the number that is kept */
const dropOlder = /* sql */ `
delete from trigger_deliveries where trigger_id = $1 and verdict = $2 and id <= (
  select id from trigger_deliveries where trigger_id = $1 and verdict = $2 order by id desc offset $3 limit 1)`;
