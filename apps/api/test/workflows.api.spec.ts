import { randomUUID } from 'node:crypto';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { approval, pure } from './support/definitions.ts';
import { Stack, type Workspace } from './support/stack.ts';

let stack: Stack;
let theirs: Workspace;
beforeAll(async () => {
  stack = await Stack.shared();
  theirs = await stack.givenWorkspace();
});
afterAll(() => stack.stop());

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
const constant = (data: unknown) => ({
  blocks: [{ id: 'end', type: 'response', params: { data } }],
  edges: [{ from: 'start', to: 'end' }],
});

/** Names of workflows and their folders. */
const placed = { '50% off': 'sales', Offers: 'sales/eu', Old: 'sales-old', Top: '' };

describe('/api/v1/workflows', () => {
  test('the resource /api/v1/workflows creates, reads, changes, exports, imports and deletes', async () => {
    const created = await stack.post('/api/v1/workflows', {
      name: 'Invoices',
      description: 'All of them',
      definition: pure,
    });
    const summary = {
      id: expect.stringMatching(/^wf_/),
      workspaceId: stack.home.id,
      name: 'Invoices',
      description: 'All of them',
      folder: '',
      isDeployed: false,
      deployedAt: null,
      version: null,
      createdAt: time,
      updatedAt: time,
    };
    expect(created).toMatchObject({ status: 201, body: { data: { ...summary, definition: pure } } });
    const path = `/api/v1/workflows/${created.body.data.id}`;
    expect((await stack.get(path)).body).toEqual(created.body);
    const changed = await stack.call('PATCH', path, { name: 'Bills', folder: 'sales/eu' });
    const now = { name: 'Bills', description: 'All of them', folder: 'sales/eu' };
    expect(changed.body.data).toMatchObject(now);
    const exported = (await stack.get(`${path}/export`)).body.data;
    expect(exported).toEqual({ version: '1', ...now, definition: pure });
    const imported = await stack.post('/api/v1/workflows/import', { ...exported, name: 'Copy' });
    expect(imported).toMatchObject({ status: 201, body: { data: { name: 'Copy', folder: 'sales/eu' } } });
    expect((await stack.call('DELETE', path)).body).toEqual({
      data: { id: created.body.data.id, deleted: true },
    });
    expect((await stack.get(path)).status).toBe(404);
  });

  test('a file of n8n is imported with a report, and its accepted blocks run', async () => {
    const file = JSON.parse(readFileSync('libs/import/support/n8n-orders.json', 'utf8'));
    const way = '/api/v1/workflows/import?from=n8n';
    const tried = await stack.post(`${way}&dryRun=true`, file);
    expect(tried).toMatchObject({ status: 201, body: { data: { workflow: null } } });
    const stored = await stack.post(way, file);
    const { workflow, definition, report } = stored.body.data;
    expect({ workflow: null, definition, report, triggers: [] }).toEqual(tried.body.data);
    const path = `/api/v1/workflows/${workflow.id}`;
    expect(workflow).toMatchObject({ name: 'Orders of the shop', isDeployed: false });
    const refused = await stack.post(`${path}/deploy`, {});
    expect(refused.status).toBe(400);
    expect(refused.body.details.map(({ code }: { code: string }) => code)).toEqual(
      Array(report.summary.refused).fill('placeholder'),
    );
    const wrong = new Set<string>(
      report.blocks.flatMap(({ outcome, name }: Record<string, string>) =>
        outcome === 'refused' ? [name] : [],
      ),
    );
    // This one would wait for an answer.
    wrong.add('Wait for approval');
    // This one would ask a model.
    for (const name of ['Ask AI', 'OpenAI Chat Model']) wrong.add(name);
    const good = { ...file, nodes: file.nodes.filter(({ name }: { name: string }) => !wrong.has(name)) };
    for (const [name, outputs] of Object.entries<{ main?: { node: string }[][] }>(good.connections)) {
      if (wrong.has(name)) delete good.connections[name];
      else if (outputs.main)
        outputs.main = outputs.main.map((all: { node: string }[]) =>
          all.filter(({ node }) => !wrong.has(node)),
        );
    }
    const made = await stack.post(`${way}&workflowName=Good part`, good);
    expect(made.body.data).toMatchObject({ report: { summary: { refused: 0 } } });
    const id = made.body.data.workflow.id;
    expect(await stack.post(`/api/v1/workflows/${id}/deploy`, {})).toMatchObject({ status: 200 });
    const items = [
      { sku: 'A', qty: 2, price: 100 },
      { sku: 'B', qty: 1, price: 10 },
    ];
    const body = { id: 'o-1', customer: { name: 'Ann' }, total: 210, urgent: false, items };
    const output = { size: 'medium', total: 190, lines: 2, note: 'normal: order o-1 of ann', order: 'o-1' };
    const ran = await stack.post(`/api/workflows/${id}/execute`, { inputs: { body } });
    expect(ran.body).toMatchObject({ output });
    const { url } = made.body.data.triggers.find(({ kind }: { kind: string }) => kind === 'webhook');
    expect((await stack.post(new URL(url).pathname, body)).body).toMatchObject({ output });
  });

  test('a file of Sim is imported with a report, and its accepted blocks run', async () => {
    const file = JSON.parse(readFileSync('libs/import/support/sim-tickets.json', 'utf8'));
    const way = '/api/v1/workflows/import?from=sim';
    const tried = await stack.post(`${way}&dryRun=true`, file);
    expect(tried).toMatchObject({ status: 201, body: { data: { workflow: null } } });
    const stored = await stack.post(way, file);
    const { workflow, definition, report } = stored.body.data;
    expect({ workflow: null, definition, report, triggers: [] }).toEqual(tried.body.data);
    const refused = await stack.post(`/api/v1/workflows/${workflow.id}/deploy`, {});
    expect(refused.status).toBe(400);
    // All behind this condition needs models, tables or people.
    const { blocks, edges } = file.state;
    const outside = new Set(['c2']);
    for (let before = 0; before < outside.size;) {
      before = outside.size;
      for (const { source, target } of edges) if (outside.has(source)) outside.add(target);
    }
    for (const id of outside) delete blocks[id];
    delete blocks['dwf'];
    file.state.edges = edges.filter(
      ({ source, target }: Record<string, string>) => blocks[source ?? ''] && blocks[target ?? ''],
    );
    const made = await stack.post(`${way}&workflowName=Good tickets`, file);
    expect(made.body.data).toMatchObject({ report: { summary: { refused: 0 } } });
    const { id } = made.body.data.workflow;
    expect(await stack.post(`/api/v1/workflows/${id}/deploy`, {})).toMatchObject({ status: 200 });
    const items = [
      { qty: 2, price: 100 },
      { qty: 1, price: 10 },
    ];
    const inputs = { id: 't-1', total: 210, items, customer: { name: ' Ann ' } };
    const ran = await stack.post(`/api/workflows/${id}/execute`, { inputs });
    expect(ran.body).toMatchObject({
      output: {
        order: 't-1',
        name: 'Ann',
        size: 'medium',
        total: 210,
        branches: [[{ result: 1 }], [{ result: 2 }]],
        passes: [[{ result: 0 }], [{ result: 1 }]],
        text: 'order t-1',
      },
    });
  });

  describe('nodes of n8n behind a webhook', () => {
    type Link = [string, number, string];
    const node = (name: string, type: string, parameters: object, typeVersion = 1) => ({
      name,
      type: `n8n-nodes-base.${type}`,
      typeVersion,
      parameters,
    });
    const respond = (name: string, responseBody: string) =>
      node(name, 'respondToWebhook', { respondWith: 'json', responseBody }, 1.1);
    /** What the workflow of these nodes answers; each leads to the next unless links say otherwise. */
    const answer = async (nodes: ReturnType<typeof node>[], inputs: object, links?: Link[]) => {
      const all = [node('In', 'webhook', { httpMethod: 'POST' }, 2), ...nodes];
      const connections: Record<string, { main: object[][] }> = {};
      for (const [from, output, to] of links ??
        nodes.map((one, i): Link => [all[i]?.name ?? '', 0, one.name])) {
        const { main } = (connections[from] ??= { main: [] });
        while (main.length <= output) main.push([]);
        main[output]?.push({ node: to, type: 'main', index: 0 });
      }
      const name = `n8n ${randomBytes(5).toString('hex')}`;
      const made = await stack.post('/api/v1/workflows/import?from=n8n', { name, nodes: all, connections });
      expect(made.body.data.report.summary.refused).toBe(0);
      const { id } = made.body.data.workflow;
      expect((await stack.post(`/api/v1/workflows/${id}/deploy`, {})).status).toBe(200);
      const { output, failure } = (await stack.post(`/api/workflows/${id}/execute`, { inputs })).body;
      return failure ? failure.message : output;
    };
    const set = (fields: [string, string, string][], options = {}) =>
      node(
        'Set',
        'set',
        {
          assignments: { assignments: fields.map(([name, type, value]) => ({ name, type, value })) },
          options,
        },
        3.4,
      );

    test('fields of a Set node have the types that it gives them', async () => {
      const fields: [string, string, string][] = [
        ['text', 'string', '={{ $json.body.n }}'],
        ['object', 'string', '={{ $json.body.o }}'],
        ['number', 'number', '={{ $json.body.t }}'],
        ['flag', 'boolean', '={{ $json.body.b }}'],
        ['list', 'array', '={{ $json.body.l }}'],
        ['none', 'string', '={{ $json.body.missing.deep }}'],
        ['rows[1].name', 'string', 'x'],
        ['percent', 'number', '={{ 15 / 100 * $json.body.n }}'],
      ];
      const body = { n: 50, t: '42', b: 'true', l: '[1,2]', o: { a: 1 } };
      expect(await answer([set(fields), respond('Out', '={{ $json }}')], body)).toEqual({
        text: '50',
        object: '{"a":1}',
        number: 42,
        flag: true,
        list: [1, 2],
        none: null,
        rows: [null, { name: 'x' }],
        percent: 7.5,
      });
      const dotted = set([['a.b', 'string', 'x']], { dotNotation: false });
      expect(await answer([dotted, respond('Out', '={{ $json }}')], {})).toEqual({ 'a.b': 'x' });
      const wrong = set([['n', 'number', '={{ $json.body.t }}']]);
      expect(await answer([wrong, respond('Out', '={{ $json }}')], { t: 'x' })).toContain('wants a number');
    });

    test('conditions convert as their version and their strictness say', async () => {
      const one = (type: string, operation: string, rightValue: unknown, typeValidation: string) => ({
        options: { caseSensitive: true, typeValidation, version: 2 },
        combinator: 'and',
        conditions: [{ leftValue: '={{ $json.body.v }}', rightValue, operator: { type, operation } }],
      });
      const older = (type: string, operation: string | undefined, value2: unknown) => ({
        [type]: [{ value1: '={{ $json.body.v }}', value2, ...(operation ? { operation } : {}) }],
      });
      const cases: [object, number, unknown, string][] = [
        [one('number', 'gt', 5, 'loose'), 2.2, '7', 'yes'],
        [one('number', 'gt', 5, 'strict'), 2.2, '7', 'The condition wants a number'],
        [one('string', 'equals', '7', 'loose'), 2.2, 7, 'yes'],
        [one('string', 'regex', '^a.c$', 'strict'), 2.2, 'abc', 'yes'],
        [one('boolean', 'true', '', 'loose'), 2.2, 'false', 'no'],
        [one('dateTime', 'after', '2024-01-01', 'strict'), 2.2, '2024-06-01', 'yes'],
        [
          one('dateTime', 'equals', '2024-06-01T00:00:00Z', 'strict'),
          2.2,
          '2024-06-01T02:00:00+02:00',
          'yes',
        ],
        [one('array', 'lengthGt', 1, 'strict'), 2.2, [1, 2], 'yes'],
        [one('number', 'gt', '5', 'strict'), 2.2, 7, 'The condition wants a number'],
        [one('string', 'exists', '', 'strict'), 2.2, null, 'no'],
        [older('number', 'larger', 5), 1, '7', 'yes'],
        [older('number', undefined, 5), 1, 4, 'yes'],
        [older('string', undefined, '7'), 1, 7, 'no'],
        [older('string', 'contains', '7'), 1, 171, 'yes'],
        [older('string', 'isEmpty', ''), 1, {}, 'yes'],
      ];
      for (const [conditions, version, v, wanted] of cases) {
        const nodes = [
          node('If', 'if', { conditions, options: {} }, version),
          respond('Yes', '{"way":"yes"}'),
          respond('No', '{"way":"no"}'),
        ];
        const links: Link[] = [
          ['In', 0, 'If'],
          ['If', 0, 'Yes'],
          ['If', 1, 'No'],
        ];
        const said = await answer(nodes, { v }, links);
        expect([JSON.stringify(conditions), v, said?.way ?? said]).toEqual([
          JSON.stringify(conditions),
          v,
          wanted.startsWith('The') ? expect.stringContaining(wanted) : wanted,
        ]);
      }
    });

    test('several items go through code, filters and lists, and a node that takes one item names them', async () => {
      const give = node('Give', 'code', { jsCode: 'return [1, 2, 3].map((n) => ({ json: { n } }));' }, 2);
      const twice = node(
        'Twice',
        'code',
        { mode: 'runOnceForEachItem', jsCode: 'return { json: { n: $json.n * 2 } };' },
        2,
      );
      const all = node('All', 'aggregate', { aggregate: 'aggregateAllItemData' });
      const odd = node(
        'Odd',
        'filter',
        {
          conditions: {
            options: { typeValidation: 'strict', version: 2 },
            combinator: 'and',
            conditions: [
              { leftValue: '={{ $json.n }}', rightValue: 2, operator: { type: 'number', operation: 'gt' } },
            ],
          },
        },
        2.2,
      );
      expect(await answer([give, twice, odd, all, respond('Out', '={{ $json }}')], {})).toEqual({
        data: [{ n: 4 }, { n: 6 }],
      });
      const call = node(
        'Call',
        'httpRequest',
        { url: '=http://127.0.0.1:9/{{ $json.n }}', options: {} },
        4.2,
      );
      expect(await answer([give, call, respond('Out', '={{ $json }}')], {})).toContain(
        '3 items come from the block before it',
      );
      const split = node('Split', 'splitOut', { fieldToSplitOut: 'body.list' });
      const last = node('Last', 'limit', { maxItems: 1, keep: 'lastItems' });
      expect(await answer([split, last, respond('Out', '={{ $json }}')], { list: ['a', 'b'] })).toEqual({
        'body.list': 'b',
      });
    });

    test('a file of n8n with a webhook and one with a schedule get their triggers, which start nothing before a deploy', async () => {
      const next = { name: 'It', type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters: {} };
      const connections = { In: { main: [[{ node: 'It', type: 'main', index: 0 }]] } };
      const convert = (type: string, parameters: object, query = '') =>
        stack.post(`/api/v1/workflows/import?from=n8n${query}`, {
          name: `${type} ${randomUUID()}`,
          nodes: [{ name: 'In', type: `n8n-nodes-base.${type}`, typeVersion: 1, parameters }, next],
          connections,
          settings: { timezone: 'Europe/Berlin' },
        });
      const rule = {
        interval: [
          { field: 'days', triggerAtHour: 9 },
          { field: 'cronExpression', expression: 'no' },
        ],
      };
      const dry = await convert('scheduleTrigger', { rule }, '&dryRun=true');
      expect(dry.body.data.triggers).toEqual([]);
      const timed = (await convert('scheduleTrigger', { rule })).body.data;
      expect(timed.triggers).toMatchObject([
        {
          name: 'In',
          kind: 'schedule',
          status: 'paused',
          schedule: { cron: '0 9 * * *', timezone: 'Europe/Berlin' },
        },
      ]);
      expect(timed.report.needs[0].note).toMatch(/The trigger In 2 was not made: must have five fields/);
      const called = (await convert('webhook', { httpMethod: 'POST', path: 'orders' })).body.data;
      const [trigger] = called.triggers;
      expect(trigger).toMatchObject({ kind: 'webhook', webhook: { scheme: 'none' } });
      const hook = new URL(trigger.url).pathname;
      expect((await stack.post(hook, { order: 1 })).body.code).toBe('NOT_DEPLOYED');
      await stack.post(`/api/v1/workflows/${called.workflow.id}/deploy`);
      expect((await stack.post(hook, { order: 2 })).status).toBe(202);
    });

    test('a circle, a stale connection and settings are in the report, and the rest is taken over', async () => {
      const nodes = [
        node('In', 'webhook', {}, 2),
        node('Ask', 'noOp', {}),
        node('Wait', 'wait', { amount: 1, unit: 'seconds' }, 1.1),
        node(
          'F',
          'formTrigger',
          {
            formFields: { values: [{ fieldLabel: 'age', fieldType: 'number', requiredField: true }] },
          },
          2.2,
        ),
      ];
      const to = (name: string) => ({ main: [[{ node: name }]] });
      const connections = {
        In: to('Ask'),
        Ask: to('Wait'),
        Wait: to('Ask'),
        Gone: to('Ask'),
        F: to('Nobody'),
      };
      const settings = { timezone: 'Asia/Tokyo', executionTimeout: 30, errorWorkflow: 'Tell' };
      const way = '/api/v1/workflows/import?from=n8n&dryRun=true&workflowName=x';
      const { report } = (await stack.post(way, { nodes, connections, settings })).body.data;
      expect(report.blocks.find(({ name }: { name: string }) => name === 'Wait')).toMatchObject({
        outcome: 'refused',
        note: expect.stringContaining('It leads back to "Ask"'),
      });
      expect(report.notes).toEqual([
        expect.stringContaining('"Gone", which is no node'),
        expect.stringContaining('"Nobody", which is no node'),
        expect.stringContaining('The error workflow "Tell"'),
        expect.stringContaining('The time zone Asia/Tokyo'),
        expect.stringContaining('The executionTimeout of 30 s'),
      ]);
    });
  });

  test('an import names its faults', async () => {
    const tried = async (query: string, body: object) => {
      const { status, body: said } = await stack.post(`/api/v1/workflows/import?${query}`, body);
      return [status, said.details?.[0]?.path];
    };
    const nodes = [{ name: 'a', type: 'n8n-nodes-base.noOp' }];
    expect(await tried('from=n8n', {})).toEqual([400, 'nodes']);
    expect(await tried('from=sim', {})).toEqual([400, 'blocks']);
    expect(await tried('from=zapier', {})).toEqual([400, 'from']);
    expect(await tried('dryRun=true', { name: 'x', definition: pure })).toEqual([400, 'dryRun']);
    expect(await tried('', { definition: pure })).toEqual([400, 'name']);
    expect(await tried('from=n8n', { nodes })).toEqual([400, '']);
    nodes.push({ name: 'In', type: 'n8n-nodes-base.webhook' });
    const connections = { In: { main: [[{ node: 'a' }]] } };
    expect(await tried('from=n8n&dryRun=true', { nodes, connections })).toEqual([400, 'workflowName']);
  });

  test('a draft changes and is deployed only in the revision that If-Match names', async () => {
    const created = await stack.post('/api/v1/workflows', { name: 'Guarded', definition: pure });
    const path = `/api/v1/workflows/${created.body.data.id}`;
    const read = (await stack.get(path)).headers.get('etag') ?? '';
    expect(created.headers.get('etag')).toBe(read);
    const changed = await stack.call('PATCH', path, { description: 'mine' }, { 'If-Match': read });
    expect(changed.status).toBe(200);
    const newer = changed.headers.get('etag') ?? '';
    for (const late of [
      await stack.call('PATCH', path, { definition: {}, description: 'theirs' }, { 'If-Match': read }),
      await stack.call('POST', `${path}/deploy`, {}, { 'If-Match': read }),
    ])
      expect(late).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });
    expect((await stack.get(path)).body.data).toMatchObject({ description: 'mine', isDeployed: false });
    expect((await stack.call('POST', `${path}/deploy`, {}, { 'If-Match': newer })).status).toBe(200);
    // A deploy does not change the draft.
    expect((await stack.get(path)).headers.get('etag')).toBe(newer);
    // A proxy that compresses makes tags weak, and a list names several.
    for (const form of [`W/${newer}`, `"0", ${newer}`, `"abc" ,W/${newer}`, '*'])
      expect(await stack.call('POST', `${path}/deploy`, {}, { 'If-Match': form })).toMatchObject({
        status: 200,
      });
    for (const foreign of ['"x"', '"01"', 'W/"0", "x"', '"99999999999999999999"'])
      expect(await stack.call('PATCH', path, { name: 'x' }, { 'If-Match': foreign })).toMatchObject({
        status: 412,
      });
    for (const wrong of ['1', '"1', '"1" "2"', '"1",', '', 'w/"1"'])
      expect(await stack.call('PATCH', path, { name: 'x' }, { 'If-Match': wrong })).toMatchObject({
        status: 400,
        body: { details: [{ path: 'If-Match' }] },
      });
    const missing = await stack.call(
      'PATCH',
      '/api/v1/workflows/wf_none',
      { name: 'x' },
      { 'If-Match': read },
    );
    expect(missing.status).toBe(404);
  });

  test.each([' ', '\t\n', '\u00a0\u2003'])(
    'the resource /api/v1/workflows refuses the name %j, which holds nothing but spaces',
    async (name) => {
      const made = await stack.post('/api/v1/workflows', { name, definition: pure });
      expect(made).toMatchObject({ status: 400, body: { details: [{ path: 'name', code: 'pattern' }] } });
    },
  );

  test('the resource /api/v1/workflows refuses a name that is taken, without regard to case', async () => {
    await stack.post('/api/v1/workflows', { name: 'Same', definition: pure });
    const again = await stack.post('/api/v1/workflows', { name: 'sAME', definition: pure });
    expect(again).toMatchObject({ status: 409, body: { code: 'NAME_TAKEN' } });
    const elsewhere = await stack.post(
      '/api/v1/workflows',
      { name: 'Same', definition: pure },
      { 'x-api-key': theirs.key },
    );
    expect(elsewhere.status).toBe(201);
  });

  test('the list of workflows pages by cursor and shows only deployed ones when asked', async () => {
    const mine = { 'x-api-key': (await stack.givenWorkspace('paged')).key };
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) ids.push(await stack.givenWorkflow(pure, mine));
    await stack.post(`/api/v1/workflows/${ids[1]}/deploy`, undefined, mine);
    const first = (await stack.get('/api/v1/workflows?limit=2', mine)).body;
    const second = (await stack.get(`/api/v1/workflows?limit=2&cursor=${first.nextCursor}`, mine)).body;
    expect([...first.data, ...second.data].map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(second.nextCursor).toBeNull();
    expect((await stack.get('/api/v1/workflows?deployedOnly=true', mine)).body.data).toMatchObject([
      { id: ids[1] },
    ]);
    const torn = `${first.nextCursor.slice(0, -1)}x`;
    expect(await stack.get(`/api/v1/workflows?limit=2&cursor=${torn}`, mine)).toMatchObject({
      status: 400,
      body: { details: [{ path: 'cursor' }] },
    });
  });

  test('the resource /api/v1/workflows are found by name, state and folder, with their number and the last execution of each', async () => {
    const mine = { 'x-api-key': (await stack.givenWorkspace('foldered')).key };
    const made: Record<string, string> = {};
    for (const [name, folder] of Object.entries(placed)) {
      const created = await stack.post('/api/v1/workflows', { name, folder, definition: pure }, mine);
      made[name] = created.body.data.id;
    }
    await stack.post(`/api/v1/workflows/${made['50% off']}/deploy`, undefined, mine);
    const { executionId } = (await stack.execute(made['50% off'] ?? '', { inputs: { amount: 1 } }, mine))
      .body;
    const found = async (query: string) => {
      const { body } = await stack.get(`/api/v1/workflows?${query}`, mine);
      expect(body.totalCount).toBe(body.data.length);
      return body.data.map(({ name }: { name: string }) => name);
    };
    expect(await found('')).toEqual(Object.keys(placed));
    expect(await found('name=FF')).toEqual(['50% off', 'Offers']);
    expect(await found('name=%25')).toEqual(['50% off']);
    expect(await found('name=_')).toEqual([]);
    expect(await found('folder=sales')).toEqual(['50% off', 'Offers']);
    expect(await found('folder=sales%2Feu')).toEqual(['Offers']);
    expect(await found('state=deployed')).toEqual(['50% off']);
    expect(await found('state=draft&folder=sales')).toEqual(['Offers']);
    expect(await found('state=draft&deployedOnly=true')).toEqual([]);
    const { body } = await stack.get('/api/v1/workflows?limit=2', mine);
    expect(body).toMatchObject({ totalCount: 4, nextCursor: expect.any(String) });
    expect(body.data[0].lastExecution).toEqual({ executionId, status: 'completed', createdAt: time });
    expect(body.data[1].lastExecution).toBeNull();
  });

  test('the resource /api/v1/workflows lie in folders, which are listed with their counts', async () => {
    const { key } = await stack.givenWorkspace('counted');
    const mine = { 'x-api-key': key };
    for (const [name, folder] of Object.entries(placed))
      await stack.post('/api/v1/workflows', { name, folder, definition: pure }, mine);
    const live = await stack.givenDeployed(pure, mine);
    await stack.call('PATCH', `/api/v1/workflows/${live}`, { folder: 'sales' }, mine);
    const first = (await stack.get('/api/v1/folders?limit=2', mine)).body;
    expect(first.data).toEqual([
      { path: '', workflowCount: 1, deployedCount: 0 },
      { path: 'sales', workflowCount: 2, deployedCount: 1 },
    ]);
    const second = (await stack.get(`/api/v1/folders?limit=2&cursor=${first.nextCursor}`, mine)).body;
    expect(second.data.map(({ path }: { path: string }) => path)).toEqual(['sales-old', 'sales/eu']);
    expect(second.nextCursor).toBeNull();
  });

  test.each(['/sales', 'sales/', 'a//b', 'a, b', ' a', 'a/ b', 'x'.repeat(201)])(
    'the resource /api/v1/workflows are not put into the folder %s',
    async (folder) => {
      const answer = await stack.post('/api/v1/workflows', { name: 'Lost', folder, definition: pure });
      expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'folder' }] } });
    },
  );

  test('the resource /api/v1/workflows reports every fault of a definition at once and stores nothing', async () => {
    const definition = {
      blocks: [
        { id: 'a', type: 'condition', cases: [{ port: 'x', when: 'start.n >' }] },
        { id: 'b', type: 'teleport', params: {} },
        { id: 'c', type: 'response', params: { data: '{{ nobody.x }}' } },
      ],
      edges: [
        { from: 'start', to: 'a' },
        { from: 'a', port: 'y', to: 'c' },
      ],
    };
    const { status, body } = await stack.post('/api/v1/workflows/validate', { definition });
    expect([status, body.data.valid]).toEqual([200, false]);
    const blocks = new Set(body.data.faults.map(({ blockId }: { blockId?: string }) => blockId));
    expect([...blocks]).toEqual(expect.arrayContaining(['a', 'b', 'c']));
  });

  test('the resource /api/v1/workflows hides a workflow from another workspace in every call', async () => {
    const id = await stack.givenDeployed(pure);
    const foreign = { 'x-api-key': theirs.key };
    const calls: [string, string, unknown?][] = [
      ['GET', `/api/v1/workflows/${id}`],
      ['PATCH', `/api/v1/workflows/${id}`, { name: 'taken over' }],
      ['DELETE', `/api/v1/workflows/${id}`],
      ['GET', `/api/v1/workflows/${id}/export`],
      ['GET', `/api/v1/workflows/${id}/versions`],
      ['GET', `/api/v1/workflows/${id}/versions/1`],
      ['POST', `/api/v1/workflows/${id}/deploy`],
      ['POST', `/api/v1/workflows/${id}/rollback`, { version: 1 }],
      ['DELETE', `/api/v1/workflows/${id}/deploy`],
      ['GET', `/api/workflows/${id}/status`],
      ['GET', `/api/workflows/${id}/paused`],
      ['POST', `/api/workflows/${id}/execute`, { inputs: { amount: 1 } }],
    ];
    for (const [method, path, body] of calls) {
      const answer = await stack.call(method, path, body, foreign);
      expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 404, 'NOT_FOUND']);
    }
    expect((await stack.get(`/api/workflows/${id}/status`)).body.isDeployed).toBe(true);
  });
});

describe('deployments', () => {
  test('deploy makes numbered versions with names; the newest is live', async () => {
    const id = await stack.givenWorkflow(constant('one'));
    expect(await stack.execute(id)).toMatchObject({ status: 403, body: { code: 'NOT_DEPLOYED' } });
    const first = await stack.post(`/api/v1/workflows/${id}/deploy`, {
      name: 'First',
      description: 'The first',
    });
    expect(first).toMatchObject({
      status: 200,
      body: { data: { id, isDeployed: true, deployedAt: time, version: 1, warnings: [] } },
    });
    await stack.call('PATCH', `/api/v1/workflows/${id}`, { definition: constant('two') });
    expect((await stack.get(`/api/workflows/${id}/status`)).body).toEqual({
      isDeployed: true,
      deployedAt: time,
      needsRedeployment: true,
    });
    expect((await stack.execute(id)).body.output).toBe('one');
    expect((await stack.post(`/api/v1/workflows/${id}/deploy`)).body.data.version).toBe(2);
    expect((await stack.execute(id)).body.output).toBe('two');
    const versions = (await stack.get(`/api/v1/workflows/${id}/versions`)).body.data;
    expect(versions).toMatchObject([
      { version: 2, name: '', description: '', isActive: true },
      { version: 1, name: 'First', description: 'The first', isActive: false },
    ]);
    expect((await stack.get(`/api/v1/workflows/${id}/versions/1`)).body.data.definition).toEqual(
      constant('one'),
    );
  });

  test('rollback goes to the named version, or back along the live versions', async () => {
    const id = await stack.givenWorkflow(constant(1));
    for (const n of [1, 2, 3]) {
      await stack.call('PATCH', `/api/v1/workflows/${id}`, { definition: constant(n) });
      await stack.post(`/api/v1/workflows/${id}/deploy`);
    }
    const path = `/api/v1/workflows/${id}/rollback`;
    expect((await stack.post(path)).body.data.version).toBe(2);
    expect((await stack.post(path)).body.data.version).toBe(1);
    expect(await stack.post(path)).toMatchObject({ status: 409, body: { code: 'NO_EARLIER_VERSION' } });
    expect((await stack.post(path, { version: 3 })).body.data).toMatchObject({
      version: 3,
      isDeployed: true,
    });
    expect((await stack.post(path)).body.data.version).toBe(1);
    expect((await stack.execute(id)).body.output).toBe(1);
    expect((await stack.post(path, { version: 9 })).status).toBe(404);
    expect((await stack.get(`/api/v1/workflows/${id}/versions`)).body.data).toHaveLength(3);
  });

  test.each([0, 1.5, 'two', -1, null])(
    'rollback refuses %p as a version and names the field',
    async (version) => {
      const id = await stack.givenDeployed(pure);
      const answer = await stack.post(`/api/v1/workflows/${id}/rollback`, { version });
      expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'version' }] } });
    },
  );

  test('undeploy stops new executions, and a second one is a conflict', async () => {
    const id = await stack.givenDeployed(pure);
    const undeployed = await stack.call('DELETE', `/api/v1/workflows/${id}/deploy`);
    expect(undeployed.body).toEqual({
      data: { id, isDeployed: false, deployedAt: null, version: null, warnings: [], triggers: [] },
    });
    expect((await stack.execute(id, { inputs: { amount: 1 } })).status).toBe(403);
    expect((await stack.call('DELETE', `/api/v1/workflows/${id}/deploy`)).status).toBe(409);
  });

  test('a deployment names missing secrets, tables, bases and workflows, as warnings or, if strict, as faults', async () => {
    const calling = { url: 'https://a.test/', headers: { a: '{{ secrets.NOPE }}' } };
    const id = await stack.givenWorkflow({
      blocks: [
        { id: 'call', type: 'http', params: calling },
        { id: 'keep', type: 'table', params: { operation: 'insert', table: 'nope', data: {} } },
        {
          id: 'find',
          type: 'knowledge',
          params: { operation: 'search', knowledgeBases: ['nope'], query: 'x' },
        },
        { id: 'child', type: 'workflow', params: { workflowId: 'wf_nope' } },
      ],
      edges: [
        { from: 'start', to: 'call' },
        { from: 'call', to: 'keep' },
        { from: 'keep', to: 'find' },
        { from: 'find', to: 'child' },
      ],
    });
    const path = `/api/v1/workflows/${id}`;
    const warnings = [
      'blocks[0].params.headers.a: there is no secret "NOPE" in this workspace, so "call" would fail.',
      'blocks[1].params.table: there is no table "nope" in this workspace, so "keep" would fail.',
      'blocks[2].params.knowledgeBases[0]: there is no knowledge base "nope" in this workspace, so "find" would fail.',
      'blocks[3].params.workflowId: there is no workflow "wf_nope" in this workspace, so "child" would fail.',
    ];
    const { definition } = (await stack.get(path)).body.data;
    const validated = await stack.post('/api/v1/workflows/validate', { name: 'any', definition });
    expect(validated.body.data).toEqual({ valid: true, faults: [], warnings });
    const strict = await stack.post(`${path}/deploy`, { strict: true });
    expect([strict.status, strict.body.code]).toEqual([400, 'INVALID_DEFINITION']);
    expect(strict.body.details).toMatchObject([
      { path: 'blocks[0].params.headers.a', code: 'secret_not_found', blockId: 'call' },
      { path: 'blocks[1].params.table', code: 'table_not_found', blockId: 'keep' },
      { path: 'blocks[2].params.knowledgeBases[0]', code: 'knowledge_base_not_found', blockId: 'find' },
      { path: 'blocks[3].params.workflowId', code: 'workflow_not_found', blockId: 'child' },
    ]);
    expect((await stack.get(path)).body.data.isDeployed).toBe(false);
    expect((await stack.get(`${path}/deploy/preview`)).body.data).toMatchObject({ faults: [], warnings });
    const deployed = await stack.post(`${path}/deploy`, undefined);
    expect([deployed.status, deployed.body.data.warnings]).toEqual([200, warnings]);
  });

  test('a deployment refuses an invalid definition with details by block and keeps the live version', async () => {
    const id = await stack.givenDeployed(constant('good'));
    const broken = {
      blocks: [{ id: 'end', type: 'response', params: { data: '{{ gone.x }}' } }],
      edges: [{ from: 'start', to: 'end' }],
    };
    await stack.call('PATCH', `/api/v1/workflows/${id}`, { definition: broken });
    const answer = await stack.post(`/api/v1/workflows/${id}/deploy`);
    expect(answer).toMatchObject({
      status: 400,
      body: {
        code: 'INVALID_DEFINITION',
        details: [{ blockId: 'end', path: expect.stringContaining('blocks[0]') }],
      },
    });
    expect((await stack.execute(id)).body.output).toBe('good');
  });

  test('two deploys at once get two version numbers', async () => {
    const id = await stack.givenWorkflow(constant(1));
    const answers = await Promise.all([1, 2, 3, 4].map(() => stack.post(`/api/v1/workflows/${id}/deploy`)));
    expect(answers.map(({ body }) => body.data.version).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4]);
  });

  test('a deployment serves the JSON Schema of a definition to anyone', async () => {
    const { status, body } = await stack.get('/api/v1/definition-schema', { 'x-api-key': '' });
    expect([status, body.type]).toEqual([200, 'object']);
  });

  test('a deployment and the JSON Schema of a definition agree about what a trigger may have', async () => {
    const { body: schema } = await stack.get('/api/v1/definition-schema');
    const isValid = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
    const cases: [object, boolean][] = [
      [{}, true],
      [{ schedule: { cron: '0 9 * * *', except: ['2030-12-25'], maxRuns: null } }, true],
      [{ schedule: { crom: '0 9 * * *' } }, false],
      [{ when_: 'event.body.a' }, false],
      [{ secret: 'a secret of the sender' }, false],
      [{ kind: 'clock' }, false],
      [{ name: 7 }, false],
    ];
    for (const [more, isGood] of cases) {
      const trigger = { kind: 'schedule', name: 'daily', schedule: { cron: '0 9 * * *' }, ...more };
      const definition = { ...constant(1), start: { triggers: [trigger] } };
      const { status } = await stack.post(
        `/api/v1/workflows/${await stack.givenWorkflow(definition)}/deploy`,
      );
      expect([more, isValid(definition), status]).toEqual([more, isGood, isGood ? 200 : 400]);
    }
  });

  test('a deployment warns of a person who may be asked beside a response', async () => {
    const id = await stack.givenWorkflow({
      ...approval,
      blocks: [...approval.blocks, { id: 'now', type: 'response', params: { data: 1 } }],
      edges: [...approval.edges, { from: 'start', to: 'now' }],
    });
    const { body } = await stack.post(`/api/v1/workflows/${id}/deploy`);
    expect(body.data.warnings).toEqual(expect.arrayContaining([expect.stringContaining('approve')]));
  });
});
