import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Json, JsonObject } from '#libs/platform/json/json';

/** The answer of a model, and the JSON Schema that it must follow. */
export interface AnswerCheck {
  content: string;
  schema: JsonObject;
}

/** The JSON that was asked for; or why it is none; or why the schema can check nothing. */
export type CheckedAnswer = { data: Json } | { unfit: string } | { unusable: string };

/** Of an `anyOf` every branch may be at fault; a failure shows this much of what they say. */
const reasonCharsMax = 500;

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

/** Runs in a thread: a large answer against a large `anyOf` takes minutes, and nothing can stop it from inside. */
export default function check({ content, schema }: AnswerCheck): CheckedAnswer {
  const parsed = parse(content);
  if (parsed === undefined) return { unfit: 'it is no JSON' };
  const ajv = new Ajv2020(checker);
  try {
    const fits = ajv.compile(schema);
    if (fits(parsed)) return { data: parsed };
    const listed = fits.errors?.slice(0, 20);
    return { unfit: ajv.errorsText(listed, { dataVar: 'answer' }).slice(0, reasonCharsMax) };
  } catch (error) {
    return { unusable: (error instanceof Error ? error.message : String(error)).slice(0, reasonCharsMax) };
  }
}

function parse(content: string): Json | undefined {
  try {
    const parsed: Json = JSON.parse(content);
    return parsed;
  } catch {
    return undefined;
  }
}
