import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Json, JsonObject } from '#libs/platform/json/json';
import { cutText } from '#libs/platform/text/whole-text';
import { parseKeepingDigits } from '#libs/platform/json/kept-digits';

/** The answer of a model, and the JSON Schema that it must follow. */
export interface AnswerCheck {
  content: string;
  schema: JsonObject;
}

/** The JSON of the answer, or the reason why it does not fit, or the reason why the schema is unusable. */
export type CheckedAnswer = { data: Json } | { unfit: string } | { unusable: string };

/** Every branch of an `anyOf` may report a fault. A failure shows at most this much of the reports. */
const reasonCharsMax = 500;

/**
 * Makes one checker for each answer, because a checker keeps everything that it has compiled. It checks no schema
 * against the meta-schema, the most expensive part: deploy has done that. Formats are hints to the model and are not
 * checked.
 */
const checker = {
  strict: false,
  validateFormats: false,
  validateSchema: false,
  meta: false,
  logger: false,
} as const;

/** Runs in a thread: a large answer against a large `anyOf` takes minutes, and nothing inside the thread can stop it. */
export default function check({ content, schema }: AnswerCheck): CheckedAnswer {
  const parsed = parse(content);
  if (parsed === undefined) return { unfit: 'it is no JSON' };
  const ajv = new Ajv2020(checker);
  try {
    const fits = ajv.compile(schema);
    if (fits(parsed)) return { data: parsed };
    const listed = fits.errors?.slice(0, 20);
    return { unfit: cutText(ajv.errorsText(listed, { dataVar: 'answer' }), reasonCharsMax) };
  } catch (error) {
    return { unusable: cutText(error instanceof Error ? error.message : String(error), reasonCharsMax) };
  }
}

function parse(content: string): Json | undefined {
  try {
    return parseKeepingDigits(content);
  } catch {
    return undefined;
  }
}
