/** A figure of a bench, its unit, and its goal. */
export interface Figure {
  /** The names of the members that lead to the figure in the JSON of the bench, joined by slashes. */
  path: string;
  unit: Unit;
  atMost?: number;
  atLeast?: number;
}

/** A share is a number from 0 to 1, shown in percent. */
type Unit = 'times' | 'ms' | 's' | 'MB' | 'kB' | 'a second' | 'share' | 'count' | 'score';

export interface ReportRow {
  says: string;
  figures: Figure[];
}

/** The rows of one bench on the page about benchmarks. */
export interface BenchReport {
  /** The head of each column of figures. */
  heads: string[];
  rows: ReportRow[];
}

const row = (
  says: string,
  path: string,
  unit: Unit,
  goal: Pick<Figure, 'atMost' | 'atLeast'> = {},
): ReportRow => ({
  says,
  figures: [{ path, unit, ...goal }],
});

const measured = (rows: ReportRow[]): BenchReport => ({ heads: ['measured'], rows });

const scaled = (says: string, name: string): ReportRow => ({
  says,
  figures: [
    { path: `figures/${name}/smallP95Ms`, unit: 'ms' },
    { path: `figures/${name}/p95Ms`, unit: 'ms' },
    { path: `figures/${name}/ratio`, unit: 'times', atMost: 1.3 },
  ],
});

const shared = (says: string, load: string): ReportRow => ({
  says,
  figures: [
    { path: `loads/${load}/executeP95Ms`, unit: 'ms', atMost: 1000 },
    { path: `loads/${load}/executeRatio`, unit: 'times', atMost: 3 },
    { path: `loads/${load}/readP95Ms`, unit: 'ms', atMost: 1000 },
    { path: `loads/${load}/readRatio`, unit: 'times', atMost: 3 },
  ],
});

/** A figure of each system, and ours divided by that of DBOS. */
const besidePeers = (
  says: string,
  name: string,
  unit: Unit,
  goal: Pick<Figure, 'atMost' | 'atLeast'> = {},
): ReportRow => ({
  says,
  figures: [
    ...['ours', 'dbos', 'restate'].map((system) => ({ path: `${system}/${name}`, unit })),
    { path: `ratio/${name}`, unit: 'times', ...goal },
  ],
});

const stalled = (says: string, name: string): ReportRow =>
  row(says, `figures/${name}`, 'ms', { atMost: 100 });

const ranked = (says: string, way: string): ReportRow => ({
  says,
  figures: ['r1', 'r5', 'mrr', 'exactR1', 'exactMrr'].map((name) => ({
    path: `${way}${name}`,
    unit: 'score',
  })),
});

export const reports: Record<string, BenchReport> = {
  execute: measured([
    row(
      'an execution of three pure blocks, median, beside a bare start and its result',
      'ratioP50At1',
      'times',
      {
        atMost: 0.35,
      },
    ),
    row('answers a second to ten clients, beside the same', 'answersRatioAt10', 'times', { atLeast: 3 }),
    row('an execution up to a pause, median, beside the same', 'pauseRatioAt1', 'times', { atMost: 0.5 }),
    row('longest time until Temporal shows the runs of ten clients', 'syncCaughtUpS', 's', { atMost: 60 }),
    row('CPU time of API, worker and Postgres for an execution', 'cpuMsPerRun', 'ms', { atMost: 5 }),
    row('bytes written to the disk for an execution', 'diskKbPerRun', 'kB', { atMost: 100 }),
  ]),
  resume: measured([
    row(
      'an answer and the result of its run, median, beside a bare update and its result',
      'ratioP50At1',
      'times',
      {
        atMost: 1.1,
      },
    ),
    row('the same with ten clients', 'ratioP50At10', 'times'),
    row('answers a second to ten clients, beside the same', 'ratioThroughputAt10', 'times', { atLeast: 0.6 }),
  ]),
  http: measured([
    row('ten calls in a row, median, beside ten bare activities', 'calls10RatioToBare', 'times', {
      atMost: 0.35,
    }),
    row('time that each further call adds to the call itself', 'perCallOverheadMs', 'ms', { atMost: 3 }),
    row(
      'a parallel of 1,000 calls, calls a second, beside bare activities',
      'branches1000RatioToBare',
      'times',
      {
        atLeast: 1,
      },
    ),
  ]),
  functions: measured([
    row('three function blocks in a row, median', 'functions3P50Ms', 'ms', { atMost: 15 }),
    row('the same, p95', 'functions3P95Ms', 'ms'),
    row('the median is longer than that of three calls by', 'overHttp3Ms', 'ms', { atMost: 5 }),
    row('three function blocks in a row by ten clients, runs', 'functions3RunsPerS', 'a second', {
      atLeast: 100,
    }),
  ]),
  triggers: measured([
    row(
      'a signed hook to its committed 202, median, beside an asynchronous execution',
      'hooks/p50Ratio',
      'times',
      {
        atMost: 1.3,
      },
    ),
    row('a signed hook, p95', 'hooks/p95Ms', 'ms', { atMost: 20 }),
    row('signed hooks of ten clients', 'hooks/perSAt10', 'a second'),
    row('the same, beside asynchronous executions', 'hooks/rateRatioAt10', 'times'),
    row('deliveries of eight senders, three of ten repeated', 'deliveries/perS', 'a second'),
    row('executions too many or too few for these', 'deliveries/wrong', 'count', { atMost: 0 }),
    row('schedules in each minute', 'spread/schedules', 'count'),
    row('from the moment of a schedule to the start of its execution, median', 'spread/p50S', 's'),
    row('the same, p95', 'spread/p95S', 's', { atMost: 2 }),
    row('the same when all have the same moment, median', 'schedules/p50S', 's'),
    row('the same, p95', 'schedules/p95S', 's'),
    row('moments without an execution, of schedules in each minute', 'spread/missing', 'count', {
      atMost: 0,
    }),
    row('moments without an execution, of schedules of the same moment', 'schedules/missing', 'count', {
      atMost: 0,
    }),
    row('held executions that start at the rate of the release', 'release/ratioToAsked', 'times', {
      atLeast: 0.95,
      atMost: 1.05,
    }),
    row('held executions that never started', 'release/missing', 'count', { atMost: 0 }),
  ]),
  control: measured([
    row('a fork of an execution of 10,000 visits, median', 'fork/p50Ms', 'ms', { atMost: 1000 }),
    row('the same, p95', 'fork/p95Ms', 'ms'),
    row('CPU time of API and Postgres for it', 'fork/cpuMs', 'ms', { atMost: 600 }),
    row('a fork of an execution of 10,000 calls, median', 'forkOfCalls/p50Ms', 'ms', { atMost: 1000 }),
    row('the same, p95', 'forkOfCalls/p95Ms', 'ms'),
    row('CPU time of API and Postgres for it', 'forkOfCalls/cpuMs', 'ms'),
    row('a backtest of 200 executions with a call each, median', 'backtest/p50Ms', 'ms', { atMost: 10_000 }),
    row('the same, p95', 'backtest/p95Ms', 'ms'),
    row('executions that a bulk job retries, and that complete', 'bulk/retried', 'count'),
    row('executions that do not', 'bulk/missing', 'count', { atMost: 0 }),
    row('its rate, beside the 50 a second that it is given', 'bulk/ratioToAsked', 'times', { atLeast: 0.95 }),
    row(
      'CPU time of API, worker and Postgres for one of them, with the calls of a neighbour',
      'bulk/cpuMs',
      'ms',
    ),
    row('a short execution of a neighbour meanwhile, median', 'bulk/besideP50Ms', 'ms'),
    row('the same, p95', 'bulk/besideP95Ms', 'ms'),
    row('this p95, beside that without the job', 'bulk/neighbourRatio', 'times', { atMost: 3 }),
  ]),
  steps: measured([
    row('a pure block of a long run', 'pureBlockMs', 'ms', { atMost: 0.3 }),
    row(
      'a block of a loop of 10,000, beside one of a loop of 1,000',
      'costPerStepRatio10000To1000',
      'times',
      {
        atMost: 1.2,
      },
    ),
    row('a call in a loop, beside a bare activity', 'effectRatioToBareActivity', 'times', { atMost: 1.3 }),
    row('events in the history for a call in a loop', 'eventsPerActivity', 'count', { atMost: 6 }),
    row('events in the history for 1,000 pure blocks', 'eventsPerPureSegment', 'count', { atMost: 1 }),
    row('replay of a run of 300 calls, p95', 'replay300P95Ms', 'ms', { atMost: 120 }),
  ]),
  paused: measured([
    row('a list of paused executions among 100,000, p95', 'listP95Ms', 'ms', { atMost: 40 }),
    row(
      'an answer among 100,000 paused executions, median, beside an empty system',
      'resumeRatioToEmpty',
      'times',
      {
        atMost: 1.3,
      },
    ),
    row('the same beside a bare update', 'resumeRatioToBare', 'times', { atMost: 2 }),
    row('waiting runs that an upgrade lost', 'upgradeLost', 'count', { atMost: 0 }),
  ]),
  peers: {
    heads: ['ours', 'DBOS', 'Restate', 'ours / DBOS'],
    rows: [
      besidePeers('3 calls in a row, median', 'calls3P50Ms', 'ms', { atMost: 1 }),
      besidePeers('the same, p95', 'calls3P95Ms', 'ms'),
      besidePeers('from the request to the first call, median', 'calls3FirstMs', 'ms'),
      besidePeers('from the answer to a call to the next call, median', 'calls3StepMs', 'ms'),
      besidePeers('3 calls in a row by ten clients, runs', 'calls3RunsPerS', 'a second', { atLeast: 1.2 }),
      besidePeers('CPU time for one of these runs', 'calls3CpuMs', 'ms'),
      besidePeers('commits of Postgres for one of these runs', 'calls3Commits', 'count'),
      besidePeers('10 calls in a row, median', 'calls10P50Ms', 'ms', { atMost: 0.7 }),
      besidePeers('3 pure steps, median', 'pureP50Ms', 'ms'),
      besidePeers('3 pure steps by ten clients, runs', 'pureRunsPerS', 'a second'),
      besidePeers('CPU time for one of these runs', 'pureCpuMs', 'ms'),
      besidePeers('answer to a run that waits, to its result, median', 'answerP50Ms', 'ms', { atMost: 1 }),
      besidePeers('the same, p95', 'answerP95Ms', 'ms'),
      row('our p95 of answers, beside our median', 'answerP95ToP50', 'times', { atMost: 2 }),
    ],
  },
  clients: measured([
    row('time that the client adds to a small read', 'read/overheadMs', 'ms', { atMost: 0.3 }),
    row('time that it adds to an execution with a key', 'execute/overheadMs', 'ms', { atMost: 0.3 }),
    row('time that it adds to one without a key', 'executeWithoutKey/overheadMs', 'ms', { atMost: 0.3 }),
  ]),
  mcp: measured([
    row('a call of a pure workflow, median, beside the same over REST', 'callRatioToRest', 'times', {
      atMost: 1.3,
    }),
    row('`tasks/get` beside open tasks, p95', 'getP95Ms', 'ms', { atMost: 5 }),
    row('memory of the API for 1,000 open tasks', 'apiMbPerThousandTasks', 'MB', { atMost: 1 }),
  ]),
  logs: measured([
    row('the slowest filter of the list of logs, p95', 'worstFilterP95Ms', 'ms', { atMost: 50 }),
    row('a search that finds nothing, longest', 'vainSearchMs', 'ms'),
  ]),
  tables: measured([
    row('rows inserted, 1,000 a call, with all checks', 'bulkInsertRowsPerS', 'a second', { atLeast: 8000 }),
    row('single inserts of 64 clients, beside raw commits of one row', 'singleInsertRatioToRaw', 'times', {
      atLeast: 0.35,
    }),
    row('the same with 32 clients', 'singleInsertRatioAt32', 'times'),
    row('the same with 8 clients', 'singleInsertRatioAt8', 'times'),
    row('the same with one client', 'singleInsertRatioAt1', 'times'),
    row('page by a filter on an indexed column, p95', 'indexedPageP95Ms', 'ms', { atMost: 30 }),
    row('page by `$eq`, `$gte` or `$lt` on any column, p95', 'anyPageP95Ms', 'ms', { atMost: 500 }),
    row('page by `$contains`, p95', 'containsPageP95Ms', 'ms'),
    row('rename of a column', 'renameMs', 'ms', { atMost: 50 }),
    row('single inserts of a neighbour while 10,000 rows are changed here', 'neighbourRatio', 'times', {
      atMost: 1.2,
    }),
    row('aggregate over all rows, beside the same over a typed table', 'aggregateRatioToTyped', 'times', {
      atMost: 1.5,
    }),
    row('the same over columns that have no typed copy', 'aggregateRatioWithoutSlots', 'times'),
  ]),
  knowledge: measured([
    row(
      'ingestion of long documents, beside the rate of the bare embedder',
      'ingestRatioToEmbedder',
      'times',
      {
        atLeast: 0.8,
      },
    ),
    row('ingestion of documents of two pages, beside the same', 'ingestRatioOfShortDocuments', 'times'),
    row('most memory of a worker that reads a PDF of 1,000 pages', 'pdf1000PeakMb', 'MB', { atMost: 512 }),
    row('search of 100,000 chunks without the embedding, median', 'searchP50Ms', 'ms'),
    row('the same, p95', 'searchP95Ms', 'ms', { atMost: 40 }),
    row('the same with the embedding, p95', 'searchWithEmbeddingP95Ms', 'ms'),
    row('of the ten best chunks, found', 'recallAt10', 'share', { atLeast: 0.99 }),
    row('time to build the index', 'indexS', 's'),
  ]),
  'knowledge-quality': {
    heads: ['questions R@1', 'R@5', 'MRR', 'names R@1', 'MRR'],
    rows: [
      ranked('search', ''),
      ranked('cosine', 'cosine/'),
      ranked('BM25', 'bm25/'),
      ranked('fusion of both', 'fusion/'),
    ],
  },
  shares: {
    heads: ['execution, p95', 'beside quiet', 'page of rows, p95', 'beside quiet'],
    rows: [
      shared('200 callers of `/health/ready`', 'probes'),
      shared('files with an answer that is refused', 'files'),
      shared('300 inserts at once, beside changes of the columns of their table', 'inserts'),
      shared('imports in the call, changes of columns and queries of eight tables', 'connections'),
      shared('a workflow that calls itself 50 times in parallel', 'descendants'),
      shared('huge documents, and searches in logs', 'documents'),
      shared('pauses with notices to receivers that never answer', 'notices'),
      shared('40 answers of models at once, whose checks take seconds', 'checks'),
      shared('new workspaces, and lists of them all', 'workspaces'),
      shared('the worst expression, file and definition, one after another', 'parsers'),
      shared('100 senders of signed hooks', 'hooks'),
      shared('60 calls at a time with answers of 8 to 10 MB', 'largeAnswers'),
    ],
  },
  stalls: measured([
    stalled('check of a definition of 400 KB', 'validate'),
    stalled('create and deploy of the same', 'deploy'),
    stalled('import of 5,000 nodes', 'import'),
    stalled('execution with a text of 8 MB, which it answers', 'text'),
    stalled('the same with emoji', 'emoji'),
    stalled('the same with a list of 290,000 numbers', 'items'),
    stalled('the same with 95,000 objects', 'objects'),
    stalled('the same with an object of 95,000 names', 'names'),
    stalled('`split` of 2 MB in an expression', 'split'),
    stalled('insert of 1,000 rows of 8 KB', 'rows'),
    stalled('large body that is refused', 'unknownField'),
    stalled('call with an answer of 8 MB of objects', 'answer'),
    stalled('the same with 3,400,000 empty objects', 'answerOfEmpty'),
    stalled('the same with one text of 8 MB', 'answerOfText'),
    stalled('20 such calls with objects at once', 'answers'),
    stalled('call with objects, which the execution answers', 'answerShown'),
    stalled('code with a result of 1,000,000 empty objects', 'codeResult'),
  ]),
  scale: {
    heads: ['1,000 executions, p95', '1,000,000 executions, p95', 'ratio'],
    rows: [
      scaled('accept a job', 'accept'),
      scaled('list of paused executions', 'list'),
      scaled('one execution with its block log', 'detail'),
      scaled('inbox of a workspace', 'inbox'),
      scaled('inbox of a person', 'inboxOfPerson'),
      scaled('answer, to the result', 'answer'),
      {
        says: 'executions that retention deletes',
        figures: [{ path: 'retention/deletedPerS', unit: 'a second', atLeast: 200 }],
      },
      { says: 'most memory of a process', figures: [{ path: 'mostMemoryMb', unit: 'MB', atMost: 1024 }] },
    ],
  },
};

const figuresIn = (bench: string): Figure[] => reports[bench]?.rows.flatMap(({ figures }) => figures) ?? [];

/** The member at the path of a figure in the output of a bench. */
function valueAt(printed: object, path: string): number | undefined {
  const member = path.split('/').reduce<unknown>((value, name) => Object(value)[name], printed);
  return typeof member === 'number' ? member : undefined;
}

/** By path: the figures of a report that the output of the bench has. */
export function reported(bench: string, printed: object): Record<string, number> {
  return Object.fromEntries(
    figuresIn(bench).flatMap(({ path }): [string, number][] => {
      const value = valueAt(printed, path);
      return value === undefined ? [] : [[path, value]];
    }),
  );
}

/** True when each figure below the path keeps its goal. A missing figure does not. */
export function goalsHold(bench: string, printed: object, below = ''): boolean {
  return figuresIn(bench)
    .filter(({ path, atMost, atLeast }) => path.startsWith(below) && (atMost ?? atLeast) !== undefined)
    .every(({ path, atMost = Infinity, atLeast = -Infinity }) => {
      const value = valueAt(printed, path) ?? NaN;
      return value <= atMost && value >= atLeast;
    });
}
