import { newId } from '#libs/platform/ids/ids';
import type { DeliveryRow } from '#libs/runs/executions/accept/accept.sql';

/** A delivery with what it has beside these members: nothing. */
export const newDelivery = (triggerId: string, members: Partial<DeliveryRow> = {}): DeliveryRow => ({
  id: newId('dlv'),
  trigger_id: triggerId,
  revision: null,
  source: 'sender',
  sender_id: null,
  content_hash: null,
  repeat_seconds: 0,
  headers: {},
  query: {},
  body: '',
  content_type: null,
  replay_of: null,
  ...members,
});

/** A moment as a delivery: its id keeps it from being accepted twice, and its body serves a replay. */
export const toMomentDelivery = (triggerId: string, moment: string, senderId = moment): DeliveryRow =>
  newDelivery(triggerId, {
    sender_id: senderId,
    body: JSON.stringify({ scheduledAt: moment }),
    content_type: 'application/json',
  });
