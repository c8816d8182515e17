import { ApplicationFailure } from '@temporalio/common';
import { objectOf, type Json, type JsonObject } from '#libs/definition/values';
import type { EvaluateEffect, Scope } from '#libs/engine/effects';
import { evaluateBlock, failureOf, packRendered } from '#libs/engine/evaluate';
import { pack, type Packed } from '#libs/executions/pack';
import type { Payloads } from '#libs/executions/payloads';
import { storable } from '#libs/executions/storable';
import type { RunKey } from '#temporal/activities';

/** The row of a pause has its form whole; a larger one is no form that a person can fill in. */
const humanBytesMax = 256 * 1024;

/** Renders a pure block over stored values; its large members are stored again. */
export async function evaluateStored(payloads: Payloads, run: RunKey, effect: EvaluateEffect): Promise<Json> {
  const scope = await payloads.resolve(run, effect.scope);
  const rendered = render(effect, objectOf(scope));
  if (effect.type === 'human') requireShowable(rendered);
  const stored: Packed['payloads'] = [];
  const packed = packRendered(effect.type, rendered, (value) => {
    const one = pack(storable(value));
    stored.push(...one.payloads);
    return one.value;
  });
  await payloads.store(run, stored);
  return packed;
}

function render(effect: EvaluateEffect, scope: Scope): JsonObject {
  try {
    return evaluateBlock(effect.type, effect.params, scope);
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    throw ApplicationFailure.nonRetryable(failure.message, failure.code);
  }
}

function requireShowable(rendered: JsonObject): void {
  const bytes = Buffer.byteLength(JSON.stringify(rendered));
  if (bytes <= humanBytesMax) return;
  const message = `What a person is shown comes to ${bytes} bytes; at most ${humanBytesMax} are allowed.`;
  throw ApplicationFailure.nonRetryable(message, 'VALUE_TOO_LARGE');
}
