import { readFileSync } from 'node:fs';
import { validate } from '#libs/language/definition/checks/validate';
import { Invalid } from '#libs/platform/errors/errors';
import { convertFile } from '../import-file.ts';

const file = JSON.parse(readFileSync('libs/import/support/sim-tickets.json', 'utf8'));
const nothing = { workflows: new Map<string, string>() };
const convert = (given: unknown) => convertFile('sim', given, nothing);
const lineOf = (name: string) => convert(file).report.blocks.find((one) => one.name === name);

/** A start and one condition behind it, as a bare state. */
const testing = (value: string) => ({
  blocks: {
    s: { type: 'starter', name: 'Start', subBlocks: {} },
    c: {
      type: 'condition',
      name: 'Test',
      subBlocks: { conditions: { value: JSON.stringify([{ id: 'c-if', title: 'if', value }]) } },
    },
  },
  edges: [{ source: 's', target: 'c' }],
});

/** The body of the call that an API block with a form becomes, or why there is none. */
function formOf(body: object): unknown {
  const subBlocks = {
    url: { value: 'https://a.test' },
    method: { value: 'POST' },
    headers: { value: [{ cells: { Key: 'Content-Type', Value: 'application/x-www-form-urlencoded' } }] },
    body: { value: JSON.stringify(body) },
  };
  const blocks = {
    s: { type: 'starter', name: 'Start', subBlocks: {} },
    a: { type: 'api', name: 'Call', subBlocks },
  };
  const { definition, report } = convert({ blocks, edges: [{ source: 's', target: 'a' }] });
  const params: unknown[] = [definition['blocks']].flat().map((block) => Object(block).params);
  return (
    params.map((one) => Object(one).body).find((one) => one !== undefined) ??
    report.blocks.find(({ name }) => name === 'Call')?.note
  );
}

test.each<[string, object, object]>([
  ['with a token', { requireAuth: { value: true }, token: { value: 't' } }, { scheme: 'bearer' }],
  ['without proof', {}, { scheme: 'none' }],
  [
    'with a field that makes it idempotent',
    { idempotencyField: { value: 'event.id' } },
    { scheme: 'none', deliveryIdPath: 'event.id' },
  ],
])('a webhook of Sim %s becomes a trigger', (_, subBlocks, webhook) => {
  const blocks = {
    s: { type: 'generic_webhook', name: 'Hook', subBlocks },
    r: { type: 'response', name: 'End', subBlocks: {} },
  };
  const { report } = convert({ blocks, edges: [{ source: 's', target: 'r' }] });
  expect(report.needs.flatMap(({ triggers }) => triggers)).toEqual([
    { kind: 'webhook', name: 'Hook', webhook },
  ]);
});

test.each([
  [{ grant: 'a b', id: 7 }, 'grant=a%20b&id=7'],
  [
    { grant: 'a b', user: '<start.user>' },
    { grant: 'a b', user: '{{ start.user }}' },
  ],
  [{ grant: { a: 1 } }, expect.stringContaining('"grant" of its form')],
  [{ grant: ['a'] }, expect.stringContaining('"grant" of its form')],
])('the form %j of Sim is sent as %j', (given, sent) => expect(formOf(given)).toEqual(sent));

describe('a file of Sim', () => {
  test('a file of Sim is reported block by block, each once', () => {
    const { report } = convert(file);
    const names = Object.values<{ name: string }>(file.state.blocks).map(({ name }) => name);
    expect(report.blocks.map(({ name }) => name)).toEqual(names);
    const { kept, changed, refused } = report.summary;
    expect(kept + changed + refused).toBe(names.length);
    expect(report.blocks.flatMap(({ outcome, name }) => (outcome === 'refused' ? [name] : []))).toEqual([
      'Tell Slack',
      'With Tools',
      'Python',
      'Fetches',
      'Tool Server',
      'Stock',
      'Guard',
      'Odd Test',
      'Sheet',
    ]);
  });

  test('a file of Sim becomes a definition whose only faults are placeholders', () => {
    const { definition, report } = convert(file);
    const refused = report.blocks.filter(({ outcome }) => outcome === 'refused');
    expect(
      validate(definition)
        .faults.map(({ code, blockId }) => `${code} ${blockId}`)
        .toSorted(),
    ).toEqual(refused.map(({ becomes }) => `placeholder ${becomes}`).toSorted());
    expect(JSON.stringify(definition)).not.toContain('xoxb-1');
  });

  test('a file of Sim gives advice for each refused block', () => {
    expect(lineOf('With Tools')?.note).toContain('Use an llm block');
    expect(lineOf('Python')?.note).toContain('write it in JavaScript');
    expect(lineOf('Odd Test')?.note).toContain('/^a/.test(<start.id>)');
    expect(lineOf('Stock')?.note).toContain('Import that first');
  });

  test('a file of Sim asks for the secrets, tables, bases, workflows and servers that it does not hold', () => {
    const { needs } = convert(file).report;
    expect(needs.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'secret OPENAI_KEY',
      'secret SHOP_TOKEN',
      'table Orders',
      'table Old Orders',
      'knowledgeBase Manuals',
      'knowledgeBase Notes',
      'mcpServer Tool Server',
      'workflow Stock',
    ]);
  });

  test('a file of Sim runs the workflow of the workspace with the name of the block', () => {
    const workflows = new Map([['Stock', 'wf_01900000000070008000000000000000']]);
    const { report } = convertFile('sim', file, { workflows });
    expect(report.blocks.find(({ name }) => name === 'Stock')?.outcome).toBe('changed');
  });

  test('a file of Sim keeps the settings of a model, read from a block or not, and the report names others', () => {
    const agent = (fields: object) => {
      const given = { model: 'gpt-4o', userPrompt: 'Hi', ...fields };
      const subBlocks = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, { value }]));
      const blocks = {
        s: { type: 'starter', name: 'Start', subBlocks: {} },
        a: { type: 'agent', name: 'Ask', subBlocks },
      };
      const { report, definition } = convert({ blocks, edges: [{ source: 's', target: 'a' }] });
      return {
        params: Object(definition).blocks[0].params,
        line: report.blocks.find(({ name }) => name === 'Ask'),
      };
    };
    const set = agent({
      temperature: '0.4',
      maxTokens: '<start.most>',
      verbosity: 'low',
      reasoningEffort: 'auto',
    });
    expect(set.params).toMatchObject({ temperature: 0.4, maxTokens: '{{ start.most }}' });
    expect(set.line?.note).toContain('It also says verbosity, which nothing reads here.');
    expect(agent({ temperature: '' }).params).not.toHaveProperty('temperature');
  });

  test('a file of Sim reports the retries and rerankers that are left out, and keeps the retries of a call', () => {
    const given = (type: string, name: string, fields: object) => ({
      type,
      name,
      subBlocks: Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, { value }])),
    });
    const blocks = {
      s: given('starter', 'Start', {}),
      k: given('knowledge', 'Manuals', { query: 'q', rerankerEnabled: 'true', rerankerModel: 'rerank-v4' }),
      f: given('function', 'Sum', { code: 'return 1', retries: '3' }),
      a: given('api', 'Call', {
        url: 'https://a.test',
        method: 'POST',
        retries: '20',
        retryDelayMs: '250',
        retryMaxDelayMs: '1000',
        retryNonIdempotent: true,
      }),
      p: given('api', 'Plain', { url: 'https://a.test', retries: 2 }),
    };
    const edges = ['k', 'f', 'a', 'p'].map((target) => ({ source: 's', target }));
    const { report, definition } = convert({ blocks, edges });
    const outcomes = report.blocks.map(({ name, outcome, note }) => [name, outcome, note]);
    expect(outcomes).toEqual([
      ['Start', 'kept', ''],
      ['Manuals', 'changed', expect.stringContaining('Its reranker is left out')],
      ['Sum', 'changed', expect.stringContaining('Its retries are left out')],
      ['Call', 'changed', expect.stringMatching(/ten attempts in place of 21.*longest delay/)],
      ['Plain', 'kept', ''],
    ]);
    expect(definition).toMatchObject({
      blocks: [
        {},
        {},
        { params: { idempotent: true }, retry: { maxAttempts: 10, initialDelay: 0.25 } },
        { retry: { maxAttempts: 3 } },
      ],
    });
    expect(validate(definition).faults).toEqual([]);
  });

  test.each([
    ['<start.n> > 1', '(dyn(start).?n.orValue(null) > 1)'],
    ['"<start.n>" === "a"', '(dyn(dyn(start).?n.orValue(null)) == dyn("a"))'],
    [
      '<start.input.n> == 1 || <start.ok> === true',
      '((dyn(dyn(start).?n.orValue(null)) == dyn(1)) || (dyn(dyn(start).?ok.orValue(null)) == dyn(true)))',
    ],
  ])('a file of Sim reads the condition %s as %s', (given, wanted) => {
    expect(convert(testing(given)).definition).toMatchObject({ blocks: [{ cases: [{ when: wanted }] }] });
  });

  test.each<[string, unknown, string]>([
    ['no blocks', { state: {} }, 'state.blocks'],
    ['an empty state', { blocks: {} }, 'blocks'],
    ['a block without a name', { blocks: { a: { type: 'x' } } }, 'blocks.a.name'],
    [
      'an edge from nowhere',
      { ...testing('true'), edges: [{ source: 'x', target: 'c' }] },
      'edges[0].source',
    ],
    [
      'a parent that is no container',
      { blocks: { a: { type: 'x', name: 'a', data: { parentId: 'b' } } } },
      'blocks.a.data.parentId',
    ],
    ['nothing but a start', { blocks: { a: { type: 'starter', name: 'a' } } }, ''],
  ])('a file of Sim with %s is refused by the field, by its name', (_, given, path) => {
    const refusal = (() => {
      try {
        return convert(given);
      } catch (error) {
        return error;
      }
    })();
    expect(refusal).toBeInstanceOf(Invalid);
    expect(Object(refusal).details[0].path).toBe(path);
  });
});
