import { around, ask, branching, done, failures, get, line, one } from './test/lines.ts';

const broken = (code = 'HTTP_503', more: object = {}) => ({
  fail: { code, message: 'It said no.', ...more },
});
const status = 'completed' as const;

describe('effects', () => {
  test('get parameters rendered with inputs and secrets, and may return values of any size', async () => {
    const headers = { key: 'Bearer {{ secrets.KEY }}' };
    const params = { method: 'GET', url: 'https://api.test/', headers };
    const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `row ${id}` }));
    const data = { rows: '{{ size(call.data.rows) }}', last: '{{ call.data.rows[19999] }}' };
    const large = {
      secrets: { KEY: 'k' },
      effects: { call: { output: { data: { rows } } } },
      expect: {
        status,
        output: { rows: 20_000, last: { id: 19_999, name: 'row 19999' } },
        calls: { call: [{ headers: { key: 'Bearer k' } }] },
      },
    };
    expect(await failures(line(get('call', { params }), done(data)), large)).toEqual([]);
  });

  test('fail when they read a secret that the scenario does not give, as in the product', async () => {
    const params = { method: 'GET', url: 'https://api.test/', headers: { key: '{{ secrets.NOPE }}' } };
    const scenario = {
      effects: { call: { output: 1 } },
      expect: { status: 'failed' as const, failure: { code: 'SECRET_NOT_FOUND', blockId: 'call' } },
    };
    expect(await failures(line(get('call', { params })), scenario)).toEqual([]);
  });

  test('fail when a template fails, as in the product', async () => {
    const expression = { status: 'failed' as const, failure: { code: 'EXPRESSION_FAILED', blockId: 'call' } };
    const params = { method: 'GET', url: 'https://api.test/{{ int(start.text) }}' };
    const scenario = { inputs: { text: 'x' }, effects: { call: { output: 1 } }, expect: expression };
    const start = { inputs: { text: { type: 'string' } } };
    expect(await failures({ start, ...line(get('call', { params })) }, scenario)).toEqual([]);
  });

  test('effects are ordered again when no worker had a slot, which does not count as an attempt', async () => {
    const busy = broken('WORKSPACE_BUSY');
    const scenario = {
      effects: { call: [busy, busy, { output: 7 }] },
      expect: { status, path: [{ block: 'call', attempts: 1 }, 'done'], output: 7 },
    };
    expect(await failures(line(get('call'), done('{{ call }}')), scenario)).toEqual([]);
  });

  test('effects are retried after their delays, in workflow time', async () => {
    const retry = { maxAttempts: 4, initialDelay: 'PT10M', backoff: 2 };
    const scenario = {
      effects: { call: [broken(), broken(), broken('HTTP_429', { retryAfter: 'PT50M' }), { output: 7 }] },
      expect: {
        status,
        path: [{ block: 'call', attempts: 4 }, 'done'],
        // 10 and 20 minutes, then the `retryAfter` of the answer, which is longer than 40 minutes.
        elapsed: { min: 'PT80M', max: 'PT81M' },
        output: 7,
      },
    };
    expect(await failures(line(get('call', { retry }), done('{{ call }}')), scenario)).toEqual([]);
  });

  test('effects are not retried after a failure that is not retryable', async () => {
    const retry = { maxAttempts: 5, initialDelay: 'PT1H' };
    const path = [{ block: 'call', attempts: 1 }];
    const notAgain = {
      effects: { call: broken('HTTP_404', { retryable: false }) },
      expect: { status: 'failed' as const, path, failure: { blockId: 'call' }, elapsed: 'PT0S' },
    };
    expect(await failures(line(get('call', { retry }), done('done')), notAgain)).toEqual([]);
  });

  test('take their error port when they fail, with the failure as output', async () => {
    const caught = done('{{ call.error.code }} {{ call.error.details.status }}', 'caught');
    const definition = branching(line(get('call'), done('done')), 'call', 'error', caught);
    const scenario = {
      effects: { call: broken('HTTP_503', { details: { status: 503 } }) },
      expect: {
        status,
        output: 'HTTP_503 503',
        path: [{ block: 'call', status: 'failed' as const, port: 'error' }, 'caught'],
      },
    };
    expect(await failures(definition, scenario)).toEqual([]);
  });

  test('get answers for all types, and a router takes the port of its answer', async () => {
    const model = { model: 'm', baseUrl: 'https://model.test' };
    const routes = ['good', 'bad'].map((port) => ({ port, description: port }));
    const metrics = [{ name: 'tone', description: 'its tone', min: 0, max: 10 }];
    const url = 'https://hook.test';
    const definition = branching(
      line(
        { id: 'add', type: 'function', params: { code: 'return "{{ input }}";', input: '{{ start.text }}' } },
        { id: 'say', type: 'llm', params: { ...model, prompt: '{{ add }}' } },
        { id: 'judge', type: 'evaluator', params: { ...model, content: '{{ say.content }}', metrics } },
        { id: 'tell', type: 'webhook', params: { url, event: 'said', secret: '{{ secrets.HOOK }}' } },
        {
          id: 'tool',
          type: 'mcp',
          params: { url, tool: 'look', arguments: { id: '{{ judge.scores.tone }}' } },
        },
        { id: 'route', type: 'router', params: { ...model, input: '{{ tool }}', routes } },
      ),
      'route',
      'bad',
      done('{{ route.reason }}', 'worse'),
    );
    const better = { from: 'route', port: 'good', to: 'better' };
    const edges = [...definition.edges, better];
    const blocks = [...definition.blocks, done('better', 'better')];
    const answers = (port: string) => ({
      add: { output: 'added' },
      say: { output: { content: 'hello', model: 'm', usage: null, finishReason: 'stop' } },
      judge: { output: { scores: { tone: 3 }, reasons: {}, usage: null } },
      tell: { output: { id: 'msg_1', status: 200, headers: {}, data: null } },
      tool: { output: { text: 'found' } },
      route: { output: { port, reason: 'so it is', usage: null } },
    });
    const inputs = { text: 'x' };
    const secrets = { HOOK: 'whsec_x' };
    const worse = {
      inputs,
      secrets,
      effects: answers('bad'),
      expect: {
        status,
        output: 'so it is',
        path: ['add', 'say', 'judge', 'tell', 'tool', { block: 'route', port: 'bad' }, 'worse'],
        calls: {
          add: [{ code: 'return "{{ input }}";', input: 'x' }],
          say: [{ prompt: 'added' }],
          tool: [{ arguments: { id: 3 } }],
          tell: [{ secret: 'whsec_x' }],
        },
      },
    };
    const nowhere = {
      inputs,
      secrets,
      effects: answers('elsewhere'),
      expect: { status: 'failed' as const, failure: { code: 'MODEL_OUTPUT_INVALID', blockId: 'route' } },
    };
    const text = { type: 'string' };
    expect(await failures({ start: { inputs: { text } }, blocks, edges }, worse, nowhere)).toEqual([]);
  });
});

describe('in loops and parallels', () => {
  const call = get('call', { params: { method: 'GET', url: 'https://api.test/{{ fan.index }}' } });
  const collect = '{{ call.n }}';

  test('an effect gets the answer for its pass, else the answer for its block', async () => {
    const fan = around('fan', 'parallel', { count: 4, collect }, call);
    const scenario = {
      effects: { call: { output: { n: 0 } }, 'call@fan[2]': { output: { n: 2 } } },
      expect: {
        status,
        output: [0, 0, 2, 0],
        path: ['fan', ...[0, 1, 2, 3].map((i) => `call@fan[${i}]`), 'done'],
        calls: { call: [0, 1, 2, 3].map((i) => ({ url: `https://api.test/${i}` })) },
      },
    };
    expect(await failures(line(fan, done('{{ fan.results }}')), scenario, scenario)).toEqual([]);
  });

  test('the path has the order of the definition, not the order of the ends', async () => {
    const retry = { maxAttempts: 2, initialDelay: 'PT1H' };
    const blocks = [get('slow', { retry }), get('behindSlow'), get('fast'), get('behindFast')];
    const edges = [
      { from: 'start', to: 'slow' },
      { from: 'slow', to: 'behindSlow' },
      { from: 'start', to: 'fast' },
      { from: 'fast', to: 'behindFast' },
    ];
    const answer = { output: 1 };
    const effects = { slow: [broken(), answer], fast: answer, behindSlow: answer, behindFast: answer };
    const path = [{ block: 'slow', attempts: 2 }, 'behindSlow', 'fast', 'behindFast'];
    expect(await failures({ blocks, edges }, { effects, expect: { status, path, elapsed: 'PT1H' } })).toEqual(
      [],
    );
  });

  test('each pass of a loop gets the next answer of a list', async () => {
    const poll = around('poll', 'loop', { until: 'call.ready', maxIterations: 9 }, get('call'));
    const scenario = {
      effects: {
        call: [{ output: { ready: false } }, { output: { ready: false } }, { output: { ready: true } }],
      },
      expect: { status, output: 3, calls: { call: [{}, {}, {}] } },
    };
    expect(await failures(line(poll, done('{{ poll.count }}')), scenario)).toEqual([]);
  });

  test('a run with a long history continues in a new history, and takes answers there', async () => {
    const many = around('many', 'loop', { count: 140 }, get('call'));
    const at = (after?: string) => ({
      effects: { call: { output: 1 } },
      people: [
        { block: 'approve', ...(after === undefined ? {} : { after }), answers: { approved: true } },
        { block: 'again', after: 'P2D', answers: { approved: false } },
      ],
      expect: { status, output: [true, false], pauses: ['approve', 'again'] },
    });
    const definition = line(many, ask('approve'), ask('again'), {
      ...done(''),
      params: { data: ['{{ approve.approved }}', '{{ again.approved }}'] },
    });
    expect(await failures(definition, at(), at('P5D'))).toEqual([]);
  });
});

test('a child workflow ends with the outcome that the scenario gives it', async () => {
  const params = { workflowId: 'wf_1', inputs: { n: '{{ start.n }}' } };
  const definition = line({ id: 'sub', type: 'workflow', params }, done('{{ sub.sum }}'));
  const inputs = { n: 2 };
  const good = {
    inputs,
    children: { sub: { output: { sum: 5, bulk: 'x'.repeat(20_000) } } },
    expect: { status, output: 5, path: ['sub', 'done'], calls: { sub: [{ n: 2 }] } },
  };
  const bad = {
    inputs,
    children: { sub: broken('CHILD_BROKE') },
    expect: { status: 'failed' as const, failure: { code: 'CHILD_BROKE', blockId: 'sub' } },
  };
  expect(await failures(definition, good, bad)).toEqual([]);
  const none = await one(definition, { inputs, expect: { status: 'failed' } });
  expect(none.problems).toEqual([
    '"sub" was called and the scenario has no answer for it: give one under children.sub.',
  ]);
});
