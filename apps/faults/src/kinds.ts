/** The status of a run at the end of the campaign. */
export type End = 'completed' | 'failed' | 'cancelled' | 'paused';

/** What is done to a run that has failed or waits. In bulk, one job does it to all such runs of a round. */
export interface Control {
  verb: 'retry' | 'fork' | 'cancel' | 'answer';
  inBulk?: true;
}

/** The step whose answer takes so long that a stopping process has it under way. */
export const slowStep = { name: 'slow', answersAfterMs: 18_000 };

/** The step that the receiver refuses until it is opened for a run. */
export const shutStep = 'shut';

/** One kind of workflow. A completed run of it responds with its number `n`. */
export interface Kind {
  definition: object;
  /** `completed` when absent. A `cancelled` run is cancelled at its first pause. A `paused` run gets no answer. */
  ends?: End;
  /** The steps that call the receiver. A list inside stands for calls in any order. */
  steps: (string | string[])[];
  /** True when no call may arrive twice, because nothing but a stop with time to end happens to its runs. */
  arrivesOnce?: true;
  /** The number of rows that a run leaves in the table `written`, each with its number. */
  rows?: number;
  /** The number of people who must say yes. The run responds with its number as `run` and with all `votes`. */
  voters?: number;
  /** True when it runs in the workspace whose callers meet limits. */
  narrow?: boolean;
  /** What its runs need to reach their end. A fork ends in the place of its run. */
  control?: Control;
  /** True when a call that the receiver refuses asks an operator, who lets it be sent again. */
  asksOperator?: true;
  /** The number of its runs that may be under way at once. */
  limit?: number;
  /** The number of documents that a run leaves in the base `noted`, each with its number in the name. */
  documents?: number;
}

/** The attempts of a call. All other blocks have one. */
export const attemptsMax = 5;

/** The table that runs write to. It has no unique column, so a repeated insert leaves two rows. */
export const written = {
  name: 'written',
  schema: { columns: [{ name: 'run', type: 'number' }] },
};

/** The knowledge base that runs add documents to. Each text is unique, so none counts as a duplicate. */
export const noted = { name: 'noted' };

/** The name of the document that a run adds. */
export const documentNamed = (run: number | string) => `run-${run}.txt`;

const start = { inputs: { n: { type: 'number', required: true } } };

const insert = (id: string) => ({
  id,
  type: 'table',
  params: { operation: 'insert', table: written.name, data: { run: '{{ start.n }}' } },
});
const note = (id: string) => ({
  id,
  type: 'knowledge',
  params: {
    operation: 'add',
    knowledgeBase: noted.name,
    text: 'This is what run {{ start.n }} has to say.',
    filename: documentNamed('{{ start.n }}'),
  },
});
const ask = (id: string) => ({
  id,
  type: 'human',
  params: { title: 'Go on?', form: [{ name: 'ok', type: 'boolean' }] },
});
const vote = {
  id: 'vote',
  type: 'human',
  params: {
    title: 'Go on?',
    form: [{ name: 'approved', type: 'boolean', required: true }],
    approvals: { required: 2 },
  },
};
/** A text that no row and no message of Temporal can hold: a NUL, halves of an emoji, and a whole one at a place of a cut. */
const hostile = String.raw`"x".repeat(input.n % 130) + "\u{1F44D}\ud83d\0\udc4d\u202e"`;
const odd = (id: string, code: string) => ({
  id,
  type: 'function',
  params: { code, input: { n: '{{ start.n }}' } },
});
const counted = {
  id: 'done',
  type: 'response',
  params: { data: { run: '{{ start.n }}', votes: '{{ vote.votes }}' } },
};
const done = { id: 'done', type: 'response', params: { data: '{{ start.n }}' } };
/** This status is invalid, so the block fails. */
const refused = { id: 'done', type: 'response', params: { status: '{{ start.n + 1000 }}' } };

/** Kinds by name. `child` is the id of a deployed workflow of the kind `calls`. */
export function buildKinds(url: string, child: string): Record<string, Kind> {
  const post = (id: string, step = id) => ({
    id,
    type: 'http',
    params: { method: 'POST', url, idempotent: true, body: { run: '{{ start.n }}', step } },
    retry: { maxAttempts: attemptsMax, initialDelay: 1 },
  });
  const shut = () => line(post('a'), post(shutStep), post('b'), done);
  const shutSteps = ['a', shutStep, 'b'];
  const passes = ['pass 0', 'pass 1', 'pass 2'];
  return {
    pure: {
      definition: line(
        { id: 'check', type: 'condition', cases: [{ port: 'never', when: 'start.n < 0' }] },
        done,
      ),
      steps: [],
    },
    calls: { definition: line(post('a'), post('b'), done), steps: ['a', 'b'] },
    // Only the trials of triggers and holds have runs of these two kinds.
    oneCall: { definition: line(post('a'), done), steps: ['a'] },
    nap: { definition: line({ id: 'nap', type: 'wait', params: { duration: 1 } }, done), steps: [] },
    // The runs of a storm alone are of this kind.
    threeCalls: { definition: line(post('a'), post('b'), post('c'), done), steps: ['a', 'b', 'c'] },
    person: {
      definition: line(
        post('a'),
        ask('ask'),
        { id: 'nap', type: 'wait', params: { duration: 1 } },
        post('b'),
        done,
      ),
      steps: ['a', 'b'],
    },
    quorum: { definition: line(post('a'), vote, post('b'), counted), steps: ['a', 'b'], voters: 2 },
    queued: {
      definition: limitTo(1, line(post('a'), post('b'), done)),
      steps: ['a', 'b'],
      limit: 1,
    },
    narrow: { definition: line(post('a'), post('b'), done), steps: ['a', 'b'], narrow: true },
    people: { definition: line(ask('first'), ask('second'), ask('third'), post('a'), done), steps: ['a'] },
    loop: {
      definition: line(box('loop', 3, post('each', 'pass {{ loop.index }}')), done),
      steps: passes,
    },
    parallel: {
      definition: line(box('parallel', 3, post('each', 'pass {{ branch.index }}')), done),
      steps: [passes],
    },
    table: {
      definition: line(insert('first'), post('a'), box('loop', 2, insert('each')), done),
      steps: ['a'],
      rows: 3,
    },
    document: { definition: line(note('note'), post('a'), done), steps: ['a'], documents: 1 },
    child: {
      definition: line(
        { id: 'sub', type: 'workflow', params: { workflowId: child, inputs: { n: '{{ start.n }}' } } },
        post('c'),
        done,
      ),
      steps: ['a', 'b', 'c'],
    },
    hostile: {
      definition: line(
        odd('throwing', `throw new Error(${hostile})`),
        post('a'),
        odd('odd', `console.log(${hostile}); return { [${hostile}]: (${hostile}).repeat(200) }`),
        post('b'),
        done,
      ),
      steps: ['a', 'b'],
    },
    refused: { definition: line(refused), steps: [], ends: 'failed' },
    failing: { definition: line(post('a'), refused), steps: ['a'], ends: 'failed' },
    cancelled: { definition: line(post('a'), ask('ask'), post('b'), done), steps: ['a'], ends: 'cancelled' },
    waiting: { definition: line(ask('ask'), done), steps: [], ends: 'paused' },
    retried: { definition: shut(), steps: shutSteps, control: { verb: 'retry' } },
    forked: { definition: shut(), steps: shutSteps, control: { verb: 'fork' } },
    bulkRetried: { definition: shut(), steps: shutSteps, control: { verb: 'retry', inBulk: true } },
    bulkForked: { definition: shut(), steps: shutSteps, control: { verb: 'fork', inBulk: true } },
    bulkCancelled: {
      definition: line(post('a'), ask('ask'), post('b'), done),
      steps: ['a'],
      ends: 'cancelled',
      control: { verb: 'cancel', inBulk: true },
    },
    bulkAnswered: {
      definition: line(post('a'), ask('ask'), post('b'), done),
      steps: ['a', 'b'],
      control: { verb: 'answer', inBulk: true },
    },
    asked: {
      definition: { ...shut(), onFailure: 'pause' },
      steps: shutSteps,
      asksOperator: true,
    },
    // Only the runs of a round of restarts are of this kind.
    slow: { definition: line(post(slowStep.name), done), steps: [slowStep.name], arrivesOnce: true },
    resting: { definition: line(post('a'), ask('ask'), done), steps: ['a'], ends: 'paused' },
  };
}

/** The kind of run `n` in a round of restarts. */
export const chooseKindAtRestart = (n: number, pure: number) => (n % 2 === 0 ? 'slow' : chooseKind(n, pure));

/** Lets only so many runs of a definition be under way at once. The others wait. */
function limitTo(limit: number, definition: object): object {
  return { ...definition, start: { ...start, flow: { concurrency: { limit } } } };
}

/** A container that runs one block `count` times. */
function box(type: 'loop' | 'parallel', count: number, block: { id: string }) {
  const body = { blocks: [block], edges: [{ from: 'start', to: block.id }] };
  return { id: 'box', type, params: { count }, body };
}

/** The ports by which blocks continue whose port `out` is never taken. */
const ports: Record<string, string> = { check: 'else', throwing: 'error' };

/** Puts blocks one after the other. */
function line(...blocks: { id: string; type: string; [member: string]: unknown }[]): object {
  const edges = blocks.map(({ id }, i) => {
    const before = blocks[i - 1]?.id ?? 'start';
    return { from: before, to: id, ...(ports[before] ? { port: ports[before] } : {}) };
  });
  return { start, blocks, edges };
}

/** The kinds of the runs, in turn. Most bugs were about answers, so many runs wait for people. */
const turns = [
  'people',
  'pure',
  'quorum',
  'calls',
  // These come one after the other, so that a job has more than one.
  ...['bulkRetried', 'bulkForked', 'bulkAnswered'].flatMap((kind) => [kind, kind]),
  'narrow',
  'loop',
  'person',
  'parallel',
  'quorum',
  'child',
  'retried',
  'forked',
  'asked',
  'table',
  'narrow',
  'document',
  'hostile',
  'bulkCancelled',
  'bulkCancelled',
  'failing',
  'cancelled',
  'waiting',
  'refused',
  'resting',
  // These come one after the other, so that some wait for others.
  ...Array.from({ length: 6 }, () => 'queued'),
];

/** The kind of run `n`, when `pure` pure runs follow each other run. */
export function chooseKind(n: number, pure: number): string {
  const turn = Math.floor(n / (pure + 1));
  return n % (pure + 1) === 0 ? (turns[turn % turns.length] ?? '') : 'pure';
}
