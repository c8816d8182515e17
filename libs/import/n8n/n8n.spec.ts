import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { fc } from '#libs/platform/text/support/random';
import { validate } from '#libs/language/definition/checks/validate';
import { Invalid } from '#libs/platform/errors/errors';
import { convertFile } from '../import-file.ts';

const file = JSON.parse(readFileSync('libs/import/support/n8n-orders.json', 'utf8'));
const nothing = { workflows: new Map<string, string>() };
const convert = (given: unknown) => convertFile('n8n', given, nothing);

const lineOf = (name: string) => convert(file).report.blocks.find((one) => one.name === name);

/** A webhook and one node behind it. */
const behind = (node: object) => ({
  nodes: [
    { name: 'In', type: 'n8n-nodes-base.webhook', typeVersion: 2, parameters: { httpMethod: 'POST' } },
    { name: 'It', ...node },
  ],
  connections: { In: { main: [[{ node: 'It', type: 'main', index: 0 }]] } },
});
/** The inputs of a trigger whose call is read part by part. */
const callByParts = {
  body: '{{ event.body }}',
  query: '{{ event.query }}',
  headers: '{{ event.headers }}',
};
/** A call whose address is an expression, behind a webhook. */
const callTo = (url: string) =>
  behind({ type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, parameters: { url } });
const blocksOf = (given: object) => Object(convert(given).definition)['blocks'];
/** The template of the address, or the advice of the placeholder. */
const valueOf = (value: string) => {
  const block = blocksOf(callTo(value)).at(-1);
  return block.type === 'placeholder' ? block.params.todo : block.params.url;
};
/** Runs the code of a function block. */
const run = (code: string, input: object) =>
  JSON.parse(JSON.stringify(runInNewContext(`((input) => {${code}})(${JSON.stringify(input)})`)) ?? 'null');
/** What the function block before the call computes for a body. */
const computed = (value: string, body: object) => {
  const [values] = blocksOf(callTo(value));
  return run(values.params.code, { json: { body, query: body } }).v0;
};

describe('a file of n8n', () => {
  test('a file of n8n is reported node by node, each once', () => {
    const { report } = convert(file);
    const names = file.nodes.map(({ name }: { name: string }) => name);
    expect(report.blocks.map(({ name }) => name)).toEqual(names);
    expect(report.summary).toEqual({ kept: 6, changed: 31, refused: 4 });
  });

  test('a file of n8n becomes a definition whose only faults are placeholders, each naming its original', () => {
    const { definition, report } = convert(file);
    const { faults } = validate(definition);
    const refused = report.blocks.filter(({ outcome }) => outcome === 'refused');
    expect(faults.map(({ code, blockId }) => `${code} ${blockId}`).toSorted()).toEqual(
      refused.map(({ becomes }) => `placeholder ${becomes}`).toSorted(),
    );
    expect(faults.find(({ blockId }) => blockId === 'store')?.message).toContain(
      'It stands for "Store", postgres, of n8n',
    );
  });

  test('a file of n8n gives advice for each refused node', () => {
    expect(lineOf('Python')?.note).toContain('write it in JavaScript');
    expect(lineOf('Asynchronous')?.note).toContain('asynchronous');
    expect(lineOf('Store')?.note).toContain('Use a table block');
    expect(lineOf('Stock of the shop')?.note).toContain('runs the workflow "Stock"');
  });

  test('a file of n8n runs the workflow of the workspace with the same name', () => {
    const workflows = new Map([['Stock', 'wf_01900000000070008000000000000000']]);
    const { report } = convertFile('n8n', file, { workflows });
    expect(report.blocks.find(({ name }) => name === 'Stock of the shop')?.outcome).toBe('kept');
  });

  test('a file of n8n asks for the secrets, workflows and triggers that it does not hold', () => {
    const { needs } = convert(file).report;
    expect(needs.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'trigger Order received',
      'trigger Every night',
      'secret REPORTS_TOKEN',
      'secret SLACK',
      'secret OPENAI_CHAT_MODEL_KEY',
      'workflow Stock',
    ]);
  });

  test('a file of n8n with several triggers begins by the trigger that an input names', () => {
    expect(convert(file).definition).toMatchObject({
      start: { inputs: { trigger: { enum: ['order_received', 'every_night'], default: 'order_received' } } },
    });
    const made = convert(file).report.needs.flatMap(({ triggers }) => triggers ?? []);
    expect(made.map(({ kind, inputs }) => [kind, inputs])).toEqual([
      ['webhook', { ...callByParts, trigger: 'order_received' }],
      ['schedule', { trigger: 'every_night' }],
    ]);
  });

  test.each([
    ['={{ $json.query.page }}', '{{ start.query.page }}'],
    ['={{ $json["headers"]["x-shop"] }}', '{{ start.headers["x-shop"] }}'],
    [
      "={{ $('In').item.json.headers.host }}/{{ $json.body.a }}",
      '{{ start.headers.host }}/{{ start.body.a }}',
    ],
  ])('a file of n8n that reads %s of a call gets its body, query and headers as inputs', (given, wanted) => {
    expect(valueOf(given)).toBe(wanted);
    const { definition, report } = convert(callTo(given));
    expect(Object.keys(Object(definition).start.inputs)).toEqual(['body', 'query', 'headers']);
    expect(report.needs.flatMap(({ triggers }) => triggers ?? [])).toMatchObject([{ inputs: callByParts }]);
  });

  test.each([
    ['={{ $json.body.a }}', '{{ start.a }}'],
    ['={{ $json["body"]["a b"] }}', '{{ start["a b"] }}'],
    ['=Dear {{ $json.body.name }}!', 'Dear {{ start.name }}!'],
    ["={{ $('In').item.json.body.a }}", '{{ start.a }}'],
    ["={{ $('In').first().json.body.a[0].b }}", '{{ start.a[0].b }}'],
    ['={{ $node["In"].json.body.a }}', '{{ start.a }}'],
    ['={{ $input.item.json.body.a }}', '{{ start.a }}'],
    ['={{ $input.first().json.body.a }}', '{{ start.a }}'],
    ['={{ $now.toISO() }}', '{{ run.startTime }}'],
    ['{{ not an expression }}', '{{ "{{" }} not an expression }}'],
  ])('%s is read as %s', (given, wanted) => {
    expect(valueOf(given)).toBe(wanted);
  });

  test.each<[string, object]>([
    ['{{ "a" + $json.body.n }}', { n: 1 }],
    ['{{ "a" + $json.body.none }}', {}],
    ['{{ `n: ${$json.body.n}` }}', { n: 2.5 }],
    ['{{ $json.body.n > 1 ? "many" : "one" }}', { n: '7' }],
    ['{{ $json.body.rows.map((i, at) => i.id + at).join() }}', { rows: [{ id: 'a' }, { id: 'b' }] }],
    ['{{ 15 / 100 * $json.body.net }}', { net: 50 }],
    ['{{ 7 % 2.5 + $json.body.net ** 2 }}', { net: 3 }],
    ['{{ $json.body.text.length }}', { text: 'a\u{1F44D}' }],
    ['{{ $json.body.text.replace(/a+/g, "b").toUpperCase() }}', { text: 'aab' }],
    ['{{ Math.max(...$json.body.list) | 0 }}', { list: [1, 4.5] }],
    [
      '{{ JSON.stringify({ a: $json.body.a, ...$json.body.o }) + typeof $json.body.a }}',
      { a: [1], o: { b: 2 } },
    ],
    ['{{ $json.body.a == "1" }}', { a: 1 }],
    ['{{ $json.body.missing?.deep?.er ?? "none" }}', {}],
    ['{{ new Date($json.body.at).toISOString().slice(0, 10) }}', { at: '2026-01-02T23:00:00Z' }],
    ['{{ (0.1 + 0.2).toFixed(2) + parseInt($json.body.n, 16) }}', { n: 'ff' }],
  ])('%s has the value that JavaScript gives it', (expression, body) => {
    const wanted = run(`const $json = input; return (${expression.slice(2, -2)})`, { body });
    expect(computed(`=${expression}`, body)).toEqual(wanted);
  });

  test.each<[string, object, unknown]>([
    ['a {{ $json.body.a }} b {{ $json.body.o }} {{ 1 + 1 }}', { a: null, o: [1, 2] }, 'a  b 1,2 2'],
    ['{{ $json.body.deep.er.x }}{{ 1 }}', {}, '1'],
    ['{{ $json.body.list.isEmpty() }}', { list: [] }, true],
    ['{{ $json.body.list.isNotEmpty() && $json.body.list.last().first() }}', { list: [[1], [2]] }, 2],
    ['{{ $json.body.none.isEmpty() }}', {}, true],
    ['{{ ({ b: $json.body.a }).toJsonString() + $json.body.none?.isEmpty() }}', { a: 1 }, '{"b":1}true'],
    ['{{ $if($json.body.a, "yes", "no") }}', { a: 0 }, 'no'],
    ['{{ $json.body.a.toInt() + [1, 1, 2].unique().sum() }}', { a: '41.9' }, 44],
    [
      '{{ $input.first().json.body.a + $("In").item.json.body.a + $node["In"].json.query.a }}',
      { a: 'x' },
      'xxx',
    ],
  ])('%s has the value that n8n gives it', (expression, body, wanted) => {
    const [values] = blocksOf(callTo(`=${expression}`));
    const item = { body, query: body };
    const input = { json: item, nodes: { In: item } };
    expect(run(values.params.code, input).v0 ?? undefined).toEqual(wanted);
  });

  // Each value is that of n8n-workflow 2.41.
  test.each<[string, unknown, unknown]>([
    ['toInt()', '$12.50', 12],
    ['toInt()', '0x1f', 31],
    ['toFloat()', '1,5', undefined],
    ['toNumber()', '€ 3', 3],
    ['round(2)', 1.005, 1],
    ['sum()', [1, '2'], undefined],
    ['unique("a")', [{ a: 1, b: 2 }, { b: 2, a: 1 }, { a: 2 }], [{ a: 1, b: 2 }, { a: 2 }]],
    ['compact()', [{ a: null }, '', 'nil', { b: { c: '' }, d: 1 }], [{}, { b: {}, d: 1 }]],
    ['isEmpty()', 0, true],
    ['isNumeric()', '1e3', true],
    ['parseJson()', '{"a":[1]}', { a: [1] }],
    ['removeTags()', '<p>hi</p> there', 'hi there'],
    ['toSentenceCase()', 'hello. WORLD? x', 'Hello. World? X'],
    ['toSnakeCase()', 'a b-C!d', 'a_b_cd'],
    ['removeMarkdown()', '# Head\n* a [t](u) **bold**', 'Head\na t bold'],
    ['urlEncode()', { a: 'x y', b: "it's (ok)~!" }, 'a=x+y&b=it%27s+%28ok%29%7E%21'],
  ])('%s of %j is %j', (call, value, wanted) => {
    expect(computed(`={{ [$json.body.v.${call}] }}`, { v: value })?.[0]).toEqual(wanted);
  });

  // Each value is that of Luxon in UTC.
  test.each([
    ['$now', '2026-03-31T23:05:09.007Z'],
    ['$today', '2026-03-31T00:00:00.000Z'],
    ['$now.startOf("month").toISO()', '2026-03-01T00:00:00.000Z'],
    ['$now.endOf("week").toISO()', '2026-04-05T23:59:59.999Z'],
    ['$now.minus(1, "days").toISODate()', '2026-03-30'],
    ['$now.minus({ months: 1 }).toISODate()', '2026-02-28'],
    ['$now.toFormat("EEE, dd MMM yy h:mm a")', 'Tue, 31 Mar 26 11:05 PM'],
    ['$now.format("dd/LL/yyyy")', '31/03/2026'],
    ['DateTime.fromISO("2024-02-29T01:02:03+02:00").toISO()', '2024-02-28T23:02:03.000Z'],
    ['DateTime.fromMillis(1700000000000).toFormat("X SSS")', '1700000000 000'],
    ['"2024-05-06".toDateTime().weekday', 1],
  ])('{{ %s }} has the date of Luxon in UTC', (source, wanted) => {
    const [values] = blocksOf(callTo(`={{ [${source}][0] }}`));
    const input = { json: { body: {} }, now: '2026-03-31T23:05:09.007Z' };
    expect(run(values.params.code, input).v0).toEqual(wanted);
  });

  test('a format of a date that is not known fails by its name', () => {
    const [values] = blocksOf(callTo('={{ $now.toFormat("W") }}'));
    expect(() => run(values.params.code, { json: {}, now: '2026-03-31T00:00:00Z' })).toThrow('The format W');
  });

  test.each([
    '={{ ($json.body.a) }}',
    '={{ ($json.body.a + 1) // a comment }}',
    '={{ $json.body.a /* one */ }}',
  ])('%s is read with its parentheses and comments', (given) => {
    expect(valueOf(given)).toMatch(/^\{\{ (start\.a|it_values\.v0) \}\}$/);
  });

  test.each([
    [{}, { scheme: 'none', respond: 'accepted' }],
    [{ authentication: 'headerAuth' }, { scheme: 'bearer', respond: 'accepted' }],
    [{ responseMode: 'lastNode' }, { scheme: 'none', respond: 'result' }],
  ])('a webhook of n8n with %j becomes a trigger', (parameters, webhook) => {
    const nodes = [
      {
        name: 'In',
        type: 'n8n-nodes-base.webhook',
        typeVersion: 2,
        parameters: { httpMethod: 'POST', ...parameters },
      },
      { name: 'Next', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} },
    ];
    const connections = { In: { main: [[{ node: 'Next', type: 'main', index: 0 }]] } };
    const { report } = convertFile('n8n', { nodes, connections }, nothing);
    expect(report.needs.flatMap(({ triggers }) => triggers)).toEqual([
      { kind: 'webhook', name: 'In', webhook },
    ]);
  });

  test('a member that no webhook of n8n has is null, and one that is not here has a placeholder', () => {
    expect(valueOf('={{ $json.nothing }}')).toBe('{{ null }}');
    expect(valueOf('={{ $json.nothing.deep }}')).toBe('{{ null }}');
    expect(valueOf('={{ $json.params.id }}')).toContain('there is no member "params"');
  });

  test('code may write names that it has not declared, and members that are not there', () => {
    const jsCode =
      'for (const one of $input.all()) one.json.made = 1;\noutput = $input.all();\nreturn output;';
    const given = behind({ type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode } });
    expect(run(blocksOf(given)[0].params.code, { json: { body: 1 } })).toEqual({ body: 1, made: 1 });
  });

  test('a form of several parts is sent as one text, and a file of the run is refused', () => {
    const form = (parameterType?: string) => {
      const parameters = [
        { name: 'a', value: '={{ $json.body.a }}', ...(parameterType ? { parameterType } : {}) },
      ];
      const call = {
        method: 'POST',
        url: 'http://a.test',
        sendBody: true,
        contentType: 'multipart-form-data',
      };
      return behind({
        type: 'n8n-nodes-base.httpRequest',
        typeVersion: 4.2,
        parameters: { ...call, bodyParameters: { parameters } },
      });
    };
    const [values, call] = blocksOf(form());
    const [, line] = String(call.params.headers['Content-Type']).split('boundary=');
    expect(run(values.params.code, { json: { body: { a: 'x' } } }).v0).toBe(
      `--${line}\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n--${line}--\r\n`,
    );
    expect(blocksOf(form('formBinaryData'))[0].params.todo).toContain('a file of the run');
  });

  test.each([
    ['={{ $json.body.a.replace(/"}}/g, "") }}', '"}}b', 'b'],
    ["={{ $json.body.a.split('{{')[0] }}", 'c{{d', 'c'],
  ])('%s ends where the parser says', (given, a, wanted) => {
    const [values] = blocksOf(callTo(given));
    expect(run(values.params.code, { json: { body: { a } } }).v0).toBe(wanted);
  });

  test('where two ways join, the item of the one that ran is read, whatever it is put together of', () => {
    const joined = behind({
      type: 'n8n-nodes-base.if',
      typeVersion: 1,
      parameters: { conditions: { string: [{ value1: 'a' }] } },
    });
    const llm = (name: string) => ({
      name,
      type: 'n8n-nodes-base.openAi',
      typeVersion: 1,
      parameters: { resource: 'chat', prompt: { messages: [{ content: name }] } },
    });
    const out = {
      name: 'Out',
      type: 'n8n-nodes-base.httpRequest',
      typeVersion: 4,
      parameters: { url: '={{ $json.message.content }}' },
    };
    Object.assign(joined, { nodes: [...joined.nodes, llm('A'), llm('B'), out] });
    const to = (...names: string[]) => ({ main: names.map((node) => [{ node, type: 'main', index: 0 }]) });
    Object.assign(joined.connections, { It: to('A', 'B'), A: to('Out'), B: to('Out') });
    expect(convert(joined).report.summary.refused).toBe(0);
    expect(blocksOf(joined).at(-1).params.url).toContain('a.content != null ?');
  });

  test.each([
    '={{ $json.params.x }}',
    '={{ $json.body.n.toLocaleString() }}',
    '={{ Buffer.from("a") }}',
    '={{ $json.body.a.hash() + 1 }}',
    '={{ $("In").params.x }}',
    '={{ $now.diffTo($json.body.a) }}',
    '={{ await $json.body.a }}',
    '={{ $evaluate("1") }}',
    '={{ $jmespath($json, "a") }}',
    '={{ $json.body.a.hash() }}',
    "={{ $('Nobody').item.json.a }}",
    '={{ $json.body. }}',
  ])('a file of n8n with %s has a placeholder that names the expression', (given) => {
    expect(valueOf(given)).toContain(`The expression "${given.slice(3, -2).trim()}" has no counterpart`);
  });

  test('a chain with a model of OpenAI is an llm block, whose answer is read as text', () => {
    const given = {
      nodes: [
        { name: 'In', type: 'n8n-nodes-base.webhook', typeVersion: 2 },
        {
          name: 'Chain',
          type: '@n8n/n8n-nodes-langchain.chainLlm',
          typeVersion: 1.5,
          parameters: { promptType: 'define', text: '=Say {{ $json.body.a }}' },
        },
        {
          name: 'Model',
          type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
          typeVersion: 1.2,
          parameters: { model: { value: 'gpt-4.1' } },
        },
        {
          name: 'Out',
          type: 'n8n-nodes-base.respondToWebhook',
          typeVersion: 1.1,
          parameters: { respondWith: 'text', responseBody: '={{ $json.text }}' },
        },
      ],
      connections: {
        In: { main: [[{ node: 'Chain' }]] },
        Model: { ai_languageModel: [[{ node: 'Chain', type: 'ai_languageModel' }]] },
        Chain: { main: [[{ node: 'Out' }]] },
      },
    };
    expect(blocksOf(given)).toMatchObject([
      {
        type: 'llm',
        params: {
          model: 'gpt-4.1',
          apiKey: '{{ secrets.MODEL_KEY }}',
          messages: [{ role: 'user', content: 'Say {{ start.a }}' }],
        },
      },
      { type: 'response', params: { data: '{{ chain.content }}' } },
    ]);
  });

  test('a message of Telegram is a call of its API with the token as a secret', () => {
    const node = {
      type: 'n8n-nodes-base.telegram',
      typeVersion: 1.2,
      parameters: { chatId: '=7', text: '=Hi {{ $json.body.a }}', additionalFields: { parse_mode: 'HTML' } },
      credentials: { telegramApi: { id: '1', name: 'My bot' } },
    };
    expect(blocksOf(behind(node))).toMatchObject([
      {
        type: 'http',
        params: {
          method: 'POST',
          url: 'https://api.telegram.org/bot{{ secrets.MY_BOT }}/sendMessage',
          body: { chat_id: '7', text: 'Hi {{ start.a }}', parse_mode: 'HTML' },
        },
      },
    ]);
  });

  test.each([
    ['n8n-nodes-base.wait', 1, { type: 'wait', params: { duration: 3600 } }],
    ['n8n-nodes-base.wait', 1.1, { type: 'wait', params: { duration: 5 } }],
  ])('%s of version %d has the defaults of that version', (type, typeVersion, wanted) => {
    expect(blocksOf(behind({ type, typeVersion, parameters: {} }))).toMatchObject([wanted]);
  });

  test('a text that one expression gives as a JSON body is read as JSON', () => {
    const parameters = {
      method: 'POST',
      url: 'http://a.test',
      sendBody: true,
      specifyBody: 'json',
      jsonBody: '={{ $json.body.text }}',
    };
    const [values, call] = blocksOf(
      behind({ type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, parameters }),
    );
    expect(call.params.body).toBe('{{ it_values.v0 }}');
    expect(run(values.params.code, { json: { body: { text: '{"a":[1]}' } } }).v0).toEqual({ a: [1] });
  });

  test('the fields of a form are inputs with their types and choices, and its page is a trigger', () => {
    const formFields = {
      values: [
        { fieldLabel: 'name', requiredField: true },
        { fieldLabel: 'boat', fieldType: 'dropdown', fieldOptions: { values: [{ option: 'Laser' }] } },
      ],
    };
    const given = behind({ type: 'n8n-nodes-base.noOp' });
    Object.assign(given.nodes[0] ?? {}, {
      type: 'n8n-nodes-base.formTrigger',
      parameters: { formTitle: 'Sail', formFields },
    });
    const { definition, report } = convert(given);
    expect(report.needs).toMatchObject([
      { kind: 'trigger', triggers: [{ kind: 'form', form: { title: 'Sail' } }] },
    ]);
    expect(definition).toMatchObject({
      start: {
        inputs: { name: { type: 'string', required: true }, boat: { type: 'string', enum: ['Laser'] } },
      },
    });
  });

  test.each([
    ["Buffer.from('hi').toString('base64')", '"Buffer" is not known here'],
    ["new URL('http://a.test').host", '"URL" is not known here'],
    ['structuredClone({ a: 1 })', '"structuredClone" is not known here'],
    ['Intl.Collator', '"Intl" is not known here'],
    ['$input.all().map(', 'it is no JavaScript'],
  ])('code with %s has a placeholder that says what is missing', (code, sentence) => {
    const node = {
      type: 'n8n-nodes-base.code',
      typeVersion: 2,
      parameters: { jsCode: `return [{ json: { x: ${code} } }];` },
    };
    expect(blocksOf(behind(node))[0].params.todo).toContain(sentence);
  });

  test.each<[string, unknown, string]>([
    ['no object', [], ''],
    ['no nodes', { connections: {} }, 'nodes'],
    ['an empty list of nodes', { nodes: [] }, 'nodes'],
    ['a node without a name', { nodes: [{ type: 'x' }] }, 'nodes[0].name'],
    [
      'two nodes of one name',
      {
        nodes: [
          { name: 'a', type: 'x' },
          { name: 'a', type: 'x' },
        ],
      },
      'nodes[1].name',
    ],
    ['nothing but a trigger', { nodes: [{ name: 'a', type: 'n8n-nodes-base.webhook' }] }, ''],
  ])('a file of n8n with %s is refused by the name of the field', (_, given, path) => {
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

  test('a file of n8n in any shape has each of its nodes in the report once, and no fault except placeholders', () => {
    const types = [
      'set',
      'if',
      'code',
      'noOp',
      'merge',
      'wait',
      'slack',
      'splitInBatches',
      'httpRequest',
      'stickyNote',
    ];
    const node = fc.record({ type: fc.constantFrom(...types), to: fc.array(fc.nat(9), { maxLength: 3 }) });
    fc.assert(
      fc.property(fc.array(node, { minLength: 1, maxLength: 10 }), (given) => {
        const name = (n: number) => `Node ${n}`;
        const nodes = given.map(({ type }, n) => ({
          name: name(n),
          type: `n8n-nodes-base.${type}`,
          typeVersion: 3,
          parameters: {},
        }));
        const ways = given.map(({ to }, n): [string, object] => [
          name(n),
          // Ways lead forward, but for those that end a pass.
          { main: [to.filter((one) => one > n && one < given.length).map((one) => ({ node: name(one) }))] },
        ]);
        const all = [{ name: 'In', type: 'n8n-nodes-base.manualTrigger' }, ...nodes];
        const connections = { ...Object.fromEntries(ways), In: { main: [[{ node: name(0) }]] } };
        if (given[0]?.type === 'stickyNote') return;
        const { report, definition } = convert({ nodes: all, connections });
        expect(report.blocks.map((one) => one.name)).toEqual(all.map((one) => one.name));
        expect(validate(definition).faults.filter(({ code }) => code !== 'placeholder')).toEqual([]);
      }),
    );
  });
});
