import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Json, JsonObject } from '#libs/definition/values';
import { blockFailure } from '../effects/effect-handler.ts';
import { excerpt } from '../calls/http-response.ts';
import type { TurnResult } from './model-provider.ts';

/**
 * One for each answer, for it keeps whatever it has compiled. Without the meta-schema, which would cost more than all
 * the rest: deploy has looked through the schema. Formats are hints to the model and are not checked.
 */
const checker = {
  strict: false,
  validateFormats: false,
  validateSchema: false,
  meta: false,
  logger: false,
} as const;

/**
 * The JSON that a model was asked for, checked against the schema: providers promise it and do not all keep it. What
 * does not fit is a failure `MODEL_OUTPUT_INVALID`, which another attempt may mend.
 */
export function structured({ content, finishReason, usage }: TurnResult, schema: JsonObject): Json {
  const invalid = (why: string) =>
    blockFailure('MODEL_OUTPUT_INVALID', `The model's answer does not fit: ${why}.`, {
      retryable: true,
      details: { content: excerpt(content), finishReason, usage },
    });
  const parsed = parse(content);
  if (parsed === undefined) throw invalid('it is no JSON');
  const ajv = new Ajv2020(checker);
  const fits = compiled(ajv, schema);
  if (!fits(parsed)) throw invalid(ajv.errorsText(fits.errors, { dataVar: 'answer' }));
  return parsed;
}

/** A schema that deploy should have refused fails its block, and not the worker for ever. */
function compiled(ajv: Ajv2020, schema: JsonObject): ValidateFunction {
  try {
    return ajv.compile(schema);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw blockFailure('INVALID_VALUE', `The schema cannot be used: ${why.slice(0, 300)}`, {
      retryable: false,
    });
  }
}

/** Whether OpenAI's strict mode takes the schema: closed objects, all members required, no `oneOf` and no `allOf`. */
export function isStrict(schema: Json): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict);
  if (typeof schema !== 'object' || schema === null) return true;
  const { properties, required, additionalProperties, type, oneOf, allOf } = schema;
  if (oneOf !== undefined || allOf !== undefined) return false;
  if (type === 'object' || properties !== undefined) {
    const names = Object.keys(properties ?? {});
    const all = Array.isArray(required) && names.every((name) => required.includes(name));
    if (!all || additionalProperties !== false) return false;
  }
  return Object.values(schema).every(isStrict);
}

function parse(content: string): Json | undefined {
  try {
    const parsed: Json = JSON.parse(content);
    return parsed;
  } catch {
    return undefined;
  }
}
