const sentenceCharsMax = 200;

/** Failures of runs and blocks. Their messages and details are the words of authors and of servers that were called. */
const ofRuns =
  /^(Application|Activity|ChildWorkflow|Cancelled|Terminated|Timeout|Server|NexusOperation)Failure$/;

/**
 * What a line of the log says of an error: its type, its code, and of one that is no failure of a run the first line of its message, of at
 * most 200 characters and without what it quotes. Details are left out: they hold what blocks were given and what servers answered.
 */
export function errorFields(error: unknown): { type: string; code?: string; message?: string } {
  const { name, message } = fieldsOf(error);
  const type = typeof name === 'string' ? name : 'Error';
  const code = codeOf(error);
  return {
    type,
    ...(code === undefined ? {} : { code }),
    ...(typeof message === 'string' && !ofRuns.test(type) ? { message: sentenceOf(message) } : {}),
  };
}

/** The code of the failure that caused this one. */
function codeOf(error: unknown): string | undefined {
  const { type, code, cause } = fieldsOf(error);
  const own = [type, code].find((one) => typeof one === 'string' && one !== '');
  if (typeof own === 'string') return own;
  return cause === undefined || cause === null ? undefined : codeOf(cause);
}

function sentenceOf(message: string): string {
  const [first = ''] = message.split('\n', 1);
  return first
    .slice(0, 10 * sentenceCharsMax)
    .replaceAll(/"[^"]*"?|`[^`]*`?/g, '…')
    .slice(0, sentenceCharsMax);
}

/** Not by class: errors of workflow code come from another realm. */
function fieldsOf(error: unknown): Record<string, unknown> {
  return Object(error);
}
