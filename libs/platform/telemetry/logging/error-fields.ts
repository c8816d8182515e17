import { cutText } from '#libs/platform/text/whole-text';
const sentenceCharsMax = 200;

/** The types of failures of runs and blocks. Their messages and details contain text of authors and of called servers. */
const ofRuns =
  /^(Application|Activity|ChildWorkflow|Cancelled|Terminated|Timeout|Server|NexusOperation)Failure$/;

/**
 * The fields of a log line for an error: its type, its code and a short message. The message is the first line, at most 200
 * characters, without quoted text. A failure of a run has no message. Details are left out, because they contain inputs of blocks and
 * answers of servers.
 */
export function errorFields(error: unknown): { type: string; code?: string; message?: string } {
  const { name, message } = toFields(error);
  const type = typeof name === 'string' ? name : 'Error';
  const code = getCode(error);
  return {
    type,
    ...(code === undefined ? {} : { code }),
    ...(typeof message === 'string' && !ofRuns.test(type) ? { message: toSentence(message) } : {}),
  };
}

/** The code of the error, or of its nearest cause with a code. */
function getCode(error: unknown): string | undefined {
  const { type, code, cause } = toFields(error);
  const own = [type, code].find((one) => typeof one === 'string' && one !== '');
  if (typeof own === 'string') return own;
  return cause === undefined || cause === null ? undefined : getCode(cause);
}

function toSentence(message: string): string {
  const [first = ''] = message.split('\n', 1);
  const start = cutText(first, 10 * sentenceCharsMax);
  return cutText(start.replaceAll(/"[^"]*"?|`[^`]*`?/g, '…'), sentenceCharsMax);
}

/** The fields of an error. It does not use `instanceof`, because errors of workflow code come from another realm. */
function toFields(error: unknown): Record<string, unknown> {
  return Object(error);
}
