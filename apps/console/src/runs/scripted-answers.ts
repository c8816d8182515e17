type Params = Record<string, unknown>;
type Answers = Record<string, { output: unknown }>;

/** What calls and children of a draft return in a test that makes none of them. */
export interface Scripted {
  effects: Answers;
  children: Answers;
}

const answer = { status: 200, headers: {}, data: {} };
const usage = { promptTokens: 0, completionTokens: 0, totalTokens: 0 };
const rowOutputs: Record<string, object> = {
  get: { row: null },
  insert: { rows: [], insertedCount: 1 },
  upsert: { operation: 'insert' },
  update: { updatedCount: 1, updatedRowIds: [] },
  delete: { deletedCount: 1, deletedRowIds: [] },
  aggregate: { groups: [], hasMore: false },
};

/** An output of each type of block that calls out, as a place to begin. */
const outputs: Record<string, (params: Params) => unknown> = {
  http: () => answer,
  webhook: () => ({ id: 'msg_1', ...answer }),
  function: () => ({}),
  llm: ({ responseSchema }) => ({
    content: 'text',
    ...(responseSchema ? { data: {} } : {}),
    usage,
    finishReason: 'stop',
  }),
  router: ({ routes }) => ({ port: findFirst(routes, 'port'), reason: 'because', usage }),
  evaluator: ({ metrics }) => ({ scores: { [findFirst(metrics, 'name')]: 1 }, reasons: {}, usage }),
  mcp: () => ({ content: [{ type: 'text', text: 'text' }] }),
  table: ({ operation }) => rowOutputs[String(operation)] ?? { rows: [], rowCount: 0 },
  knowledge: ({ operation }) => (operation === 'add' ? { document: {} } : { results: [], totalResults: 0 }),
};

/** Returns an answer for each block of a definition that calls out, and for each that runs another workflow, also in loops and parallels. */
export function proposeAnswers(definition: unknown): Scripted {
  const found: Scripted = { effects: {}, children: {} };
  for (const block of listOf(Object(definition).blocks)) {
    const { id, type, params, body } = Object(block) as Params;
    const output = outputs[String(type)]?.(Object(params) as Params);
    if (output !== undefined) found.effects[String(id)] = { output };
    if (type === 'workflow') found.children[String(id)] = { output: {} };
    if (!body) continue;
    const inner = proposeAnswers(body);
    Object.assign(found.effects, inner.effects);
    Object.assign(found.children, inner.children);
  }
  return found;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const findFirst = (list: unknown, name: string): string => String(Object(listOf(list)[0])[name] ?? '');
