import { type Json, type JsonObject, objectOf } from '#libs/platform/json/json';
import type { EvaluateEffect } from '#libs/language/engine/effects';
import { evaluateBlock, evaluationFailure, packRendered } from '#libs/language/engine/evaluate';
import { requireRendered } from '#libs/language/engine/scope';
import { pack, type Packed, refsIn, unpack } from '#libs/runs/executions/record/pack';
import { storable, Unstorable } from '#libs/runs/executions/record/storable';

/** A pure block over stored values. The values come as their stored JSON text. */
export interface Evaluation {
  effect: Pick<EvaluateEffect, 'type' | 'params' | 'scope'>;
  bodies: { id: string; body: string }[];
}

/** The rendered block with its large members packed, or the reason why it cannot be rendered. */
export type Evaluated = Packed | { code: string; message: string };

/** The row of a pause holds its whole form. People cannot fill in a larger one. */
const humanBytesMax = 256 * 1024;

/**
 * Equals the size limit of a function's result. A loop can double a variable in each pass, and every size is stored and
 * read again, also in the API.
 */
const variableBytesMax = 10 * 1024 * 1024;

/** Runs in a thread: it reads values of many megabytes, and an expression may take half a second. */
export default function evaluation({ effect: { type, params, scope }, bodies }: Evaluation): Evaluated {
  // A reference into another execution reads as null.
  const values = new Map<string, Json>(refsIn(scope).map(({ $payload }) => [$payload, null]));
  for (const { id, body } of bodies) values.set(id, JSON.parse(body));
  try {
    const rendered = evaluateBlock(type, params, objectOf(unpack(scope, values)));
    requireRendered(rendered);
    return tooLarge(type, rendered) ?? packed(type, rendered);
  } catch (error) {
    if (error instanceof Unstorable) return { code: 'OUTPUT_TOO_DEEP', message: error.message };
    const failure = evaluationFailure(error);
    if (!failure) throw error;
    return failure;
  }
}

function packed(type: string, rendered: JsonObject): Packed {
  const payloads: Packed['payloads'] = [];
  const value = packRendered(type, rendered, (member) => {
    const one = pack(storable(member));
    payloads.push(...one.payloads);
    return one.value;
  });
  return { value, payloads };
}

function tooLarge(type: string, rendered: JsonObject): Evaluated | null {
  if (type === 'human') return aboveBytes('The content of a pause', rendered, humanBytesMax);
  if (type !== 'variables') return null;
  for (const [name, value] of Object.entries(rendered)) {
    const refused = aboveBytes(`The value of the variable "${name}"`, value, variableBytesMax);
    if (refused) return refused;
  }
  return null;
}

function aboveBytes(subject: string, value: Json, bytesMax: number): Evaluated | null {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes <= bytesMax) return null;
  return {
    code: 'VALUE_TOO_LARGE',
    message: `${subject} comes to ${bytes} bytes; at most ${bytesMax} are allowed.`,
  };
}
