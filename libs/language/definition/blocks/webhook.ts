import { credential, sentHeaders, url } from '../expressions/atoms.ts';
import * as shape from '../shapes/shape.ts';
import {
  type EffectBase,
  type EffectKind,
  closedOutput,
  outputStatus,
  outputObject,
  outputText,
} from './kind.ts';

const eventName = shape.text({
  min: 1,
  max: 128,
  pattern: /^[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)*$/,
  says: 'an event name as order.paid',
});

/** `secret` reads a secret of the workspace. */
const params = shape.object(
  { url, event: eventName, secret: credential },
  { data: shape.json, headers: sentHeaders },
);

/** A block that delivers one signed event. */
export interface WebhookBlock extends EffectBase {
  type: 'webhook';
  params: shape.ValueOf<typeof params>;
}

export const webhook: EffectKind<WebhookBlock> = {
  members: { params },
  sample: { type: 'webhook', params: { url: 'https://a.test', event: 'a.b', secret: '{{ secrets.KEY }}' } },
  ...closedOutput({
    id: outputText,
    status: outputStatus,
    headers: outputObject,
    data: shape.json,
    encoding: outputText,
  }),
  effect: { queue: 'io', timeoutMs: 30_000 },
};
