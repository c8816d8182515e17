import { convertFile } from '../import-file.ts';
import { n8nTable } from './nodes.ts';
import type { N8nRow } from './table.ts';

const langchain = '@n8n/n8n-nodes-langchain.';
const conditions = { string: [{ value1: 'a', value2: 'b' }] };
const sheet = {
  documentId: { __rl: true, mode: 'id', value: 'abc' },
  sheetName: { __rl: true, mode: 'name', value: 'Sales' },
};

/** What a node must say to be of use, by its type, and by the first version that says so. Other nodes are left empty. */
const said: Record<string, [number, object][]> = {
  httpRequest: [[1, { url: 'https://a.test' }]],
  code: [[1, { jsCode: 'return [];' }]],
  function: [[1, { functionCode: 'return [];' }]],
  functionItem: [[1, { functionCode: 'return item;' }]],
  set: [
    [1, { values: { string: [{ name: 'a', value: 'b' }] } }],
    [3, { fields: { values: [{ name: 'a', stringValue: 'b' }] } }],
    [3.3, { assignments: { assignments: [{ name: 'a', value: 'b', type: 'string' }] } }],
  ],
  if: [[1, { conditions }]],
  filter: [[1, { conditions }]],
  switch: [[1, { rules: { rules: [{ value2: 1 }] } }]],
  executeWorkflow: [[1, { workflowId: 'Child', workflowInputs: { value: { a: 1 } } }]],
  splitOut: [[1, { fieldToSplitOut: 'list' }]],
  aggregate: [[1, { aggregate: 'aggregateAllItemData' }]],
  sort: [[1, { sortFieldsUi: { sortField: [{ fieldName: 'a' }] } }]],
  summarize: [[1, { fieldsToSummarize: { values: [{ field: 'a' }] } }]],
  itemLists: [[3, { fieldToSplitOut: 'list' }]],
  renameKeys: [[1, { keys: { key: [{ currentKey: 'a', newKey: 'b' }] } }]],
  stopAndError: [[1, { errorMessage: 'No.' }]],
  telegram: [[1, { chatId: '1', text: 'Hi' }]],
  slack: [[1, { channel: 'a', channelId: 'a', text: 'Hi' }]],
  discord: [[1, { text: 'Hi', content: 'Hi', channelId: '1' }]],
  whatsApp: [[1, { phoneNumberId: '1', recipientPhoneNumber: '2', textBody: 'Hi' }]],
  twilio: [[1, { from: '1', to: '2', message: 'Hi' }]],
  microsoftOutlook: [[2, { toRecipients: 'a@a.test', subject: 'Hi' }]],
  googleSheets: [[3, sheet]],
  gmail: [[2, { sendTo: 'a@a.test', subject: 'Hi', message: 'Hi' }]],
  googleDrive: [[3, { resource: 'folder', name: 'a' }]],
  googleDocs: [[1, { operation: 'get', documentURL: 'abc' }]],
  googleCalendar: [[1, { calendar: 'a', start: 'b', end: 'c' }]],
  todoist: [[2, { operation: 'get', taskId: '1' }]],
  googleAnalytics: [[2, { propertyId: '1' }]],
  youTube: [[1, { resource: 'video', operation: 'get', videoId: 'a' }]],
  airtable: [
    [1, { application: 'app', table: 'tbl', id: 'rec' }],
    [2, { base: 'app', table: 'tbl', id: 'rec' }],
  ],
  supabase: [[1, { operation: 'getAll', tableId: 'a' }]],
  linear: [[1, { title: 'a', teamId: 'b' }]],
  baserow: [[1, { operation: 'get', tableId: 1, rowId: 2 }]],
  form: [[1, { operation: 'completion', completionTitle: 'Done' }]],
  wordpress: [[1, { title: 'a' }]],
  hackerNews: [[1, { articleId: '1' }]],
  openAi: [[1, { resource: 'chat', prompt: { messages: [{ content: 'Hi' }] } }]],
  [`${langchain}openAi`]: [[1, { modelId: 'gpt-4o', messages: { values: [{ content: 'Hi' }] } }]],
  [`${langchain}textClassifier`]: [[1, { inputText: 'a', categories: { categories: [{ category: 'b' }] } }]],
  [`${langchain}informationExtractor`]: [[1, { text: 'a', attributes: { attributes: [{ name: 'b' }] } }]],
  [`${langchain}outputParserStructured`]: [
    [1, { jsonSchema: '{ "type": "object" }', jsonSchemaExample: '{ "a": 1 }' }],
  ],
  [`${langchain}outputParserAutofixing`]: [[1, { jsonSchema: '{ "type": "object" }' }]],
  [`${langchain}toolHttpRequest`]: [[1, { url: 'https://a.test/{id}' }]],
  [`${langchain}toolWorkflow`]: [[1, { workflowId: 'Child' }]],
  [`${langchain}toolCode`]: [[1, { jsCode: 'return query;' }]],
};
const stores = ['Qdrant', 'Pinecone', 'Supabase', 'InMemory', 'PGVector'];
for (const name of stores) said[`${langchain}vectorStore${name}`] = [[1, { mode: 'load', prompt: 'Hi' }]];

interface TestNode {
  name: string;
  type: string;
  typeVersion: number;
  parameters: object;
}
const node = (name: string, type: string, typeVersion: number, parameters: object = {}): TestNode => ({
  name,
  type: type.includes('langchain') ? type : `n8n-nodes-base.${type}`,
  typeVersion,
  parameters,
});
const chain = (name: string, type = 'chainLlm', version = 1.5, parameters = {}) =>
  node(name, langchain + type, version, { promptType: 'define', text: 'Hi', ...parameters });
const gpt = node('Model', `${langchain}lmChatOpenAi`, 1);

/** A file with one node of a row, and with what it belongs to or what belongs to it. */
function fileWith({ type, kind, part, trigger }: N8nRow, version: number) {
  const parameters = said[type]?.findLast(([from]) => version >= from)?.[1] ?? {};
  const it = node('It', type, version, parameters);
  const start = node('In', 'manualTrigger', 1);
  const connections: Record<string, object> = {};
  const lead = (from: string, to: string, way = 'main') => {
    connections[from] = { [way]: [[{ node: to }]] };
  };
  if (trigger) {
    lead('It', 'Next');
    return { nodes: [it, node('Next', 'noOp', 1)], connections };
  }
  const nodes = [start, it];
  const isStore = stores.some((name) => type.endsWith(`vectorStore${name}`));
  if (part && !isStore) {
    const hosts: Record<string, TestNode> = {
      retriever: chain('Host', 'chainRetrievalQa'),
      document: node('Host', `${langchain}vectorStoreQdrant`, 1, { mode: 'insert' }),
      tool: chain('Host', 'agent', 1.7),
      memory: chain('Host', 'agent', 1.7),
      helper: node('Host', `${langchain}vectorStoreQdrant`, 1, { mode: 'load', prompt: 'Hi' }),
    };
    const host =
      hosts[part.kind] ?? chain('Host', 'chainLlm', 1.5, { hasOutputParser: part.kind === 'parser' });
    nodes.push(host);
    lead('In', 'Host');
    lead('It', 'Host', `ai_${part.kind}`);
    if (part.kind !== 'model') {
      nodes.push(gpt);
      lead('Model', 'Host', 'ai_languageModel');
    }
    if (/toolVectorStore|retriever/.test(type)) {
      nodes.push(node('Store', `${langchain}vectorStoreQdrant`, 1));
      lead('Store', 'It', 'ai_vectorStore');
    }
    return { nodes, connections };
  }
  if (type.includes('langchain') && !isStore) {
    nodes.push(gpt);
    lead('Model', 'It', 'ai_languageModel');
    if (type.endsWith('chainRetrievalQa')) {
      nodes.push(
        node('Retriever', `${langchain}retrieverVectorStore`, 1),
        node('Store', `${langchain}vectorStoreQdrant`, 1),
      );
      lead('Retriever', 'It', 'ai_retriever');
      lead('Store', 'Retriever', 'ai_vectorStore');
    }
    if (type.endsWith('openAi')) nodes.pop();
    if (type.endsWith('chainSummarization') && version < 2) {
      nodes.push(node('Loader', `${langchain}documentJsonInputLoader`, 1));
      lead('Loader', 'It', 'ai_document');
    }
  }
  if (kind === 'loop') {
    nodes.push(node('Pass', 'noOp', 1));
    connections['It'] = { main: version >= 3 ? [[], [{ node: 'Pass' }]] : [[{ node: 'Pass' }]] };
  }
  if (kind !== 'note') lead('In', 'It');
  else {
    nodes.push(node('Next', 'noOp', 1));
    lead('In', 'Next');
  }
  return { nodes, connections };
}

const workflows = new Map([['Child', 'wf_01900000000070008000000000000000']]);
const importIt = (file: object) => {
  const { definition, report } = convertFile('n8n', file, { workflows });
  const blocks = Object(definition)['blocks'];
  return { blocks, report, line: report.blocks.find(({ name }) => name === 'It') };
};
const behind = (type: string, typeVersion: number, parameters: object, more: object = {}) =>
  importIt({
    nodes: [node('In', 'manualTrigger', 1), { ...node('It', type, typeVersion, parameters), ...more }],
    connections: { In: { main: [[{ node: 'It' }]] } },
  });

interface FunctionBlock {
  params: { code: string };
}
/** Runs the code of a function block. A value that JSON does not have fails here as in the sandbox. */
const runBlock = ({ params }: FunctionBlock, input: object) => {
  // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-call -- the code of the block under test
  const made = new Function('input', params.code)(input);
  const text = JSON.stringify(made, (name, value: unknown) => {
    if (Number.isNaN(value)) throw new Error(`"${name}" is NaN.`);
    return value;
  });
  return JSON.parse(text);
};

describe('the table of n8n', () => {
  test.each(n8nTable.rows.map((row): [string, N8nRow] => [`${row.type} ${row.versions}`, row]))(
    'the table of n8n imports %s with its verdict, in each version',
    (_, row) => {
      const outcome = { same: 'kept', changed: 'changed', refused: 'refused' }[row.verdict];
      for (const version of row.versions.split(' ').map(Number)) {
        const { line, report } = importIt(fileWith(row, version));
        expect({ version, ...line }).toMatchObject({ version, outcome });
        if (row.verdict !== 'refused') expect(report.summary.refused).toBe(0);
      }
    },
  );

  test('the table of n8n has each version of a node once', () => {
    const all = n8nTable.rows.flatMap(({ type, versions }) =>
      versions.split(' ').map((one) => `${type} ${one}`),
    );
    expect(all.length).toBeGreaterThan(200);
    expect(all.filter((one, i) => all.indexOf(one) < i)).toEqual([]);
  });

  test('the importer refuses a version that its table does not have, by its number', () => {
    for (const type of ['set', 'httpRequest', 'googleSheets'])
      expect(behind(type, 99, {}).line).toMatchObject({
        outcome: 'refused',
        note: expect.stringContaining(`Version 99 of the node ${type} is not known here`),
      });
  });

  test('the report names a parameter that nothing reads', () => {
    const { line } = behind('limit', 1, { maxItems: 2, wonder: 'x', empty: '', off: false });
    expect(line).toMatchObject({
      outcome: 'changed',
      note: 'It also says wonder, which nothing reads here.',
    });
    const { line: call } = behind('httpRequest', 4.2, {
      url: 'https://a.test',
      options: { timeout: 500, queryParameterArrays: 'repeat' },
    });
    expect(call?.note).toBe('It also says options.queryParameterArrays, which nothing reads here.');
    const trigger = { ...node('It', 'gmailTrigger', 1.2, { filters: { sender: 'a@a.test' } }) };
    const file = {
      nodes: [trigger, node('Next', 'noOp', 1)],
      connections: { It: { main: [[{ node: 'Next' }]] } },
    };
    expect(importIt(file).line?.note).toContain('It also says filters, which nothing reads here.');
  });

  test('the importer leaves out a node that is switched off and that nothing leads to', () => {
    const file = {
      nodes: [
        { ...node('It', 'manualTrigger', 1), disabled: true },
        node('In', 'webhook', 2),
        node('Next', 'set', 3.4, said['set']?.[2]?.[1]),
      ],
      connections: { It: { main: [[{ node: 'Next' }]] }, In: { main: [[{ node: 'Next' }]] } },
    };
    const { line, report } = importIt(file);
    expect(line).toMatchObject({ outcome: 'changed', becomes: null });
    expect(report.summary.refused).toBe(0);
  });

  test('an expression takes no value from a node that no trigger leads to', () => {
    const file = {
      nodes: [
        node('In', 'webhook', 2),
        node('Lost', 'code', 2, { jsCode: 'return [];' }),
        node('It', 'httpRequest', 4.2, { url: '={{ $json.body.address }}' }),
      ],
      connections: { In: { main: [[{ node: 'It' }]] }, Lost: { main: [[{ node: 'It' }]] } },
    };
    const { line, blocks } = importIt(file);
    expect(line?.outcome).toBe('kept');
    expect(blocks[0].params.url).toBe('{{ start.address }}');
  });
});

describe('a node of a service', () => {
  const run = runBlock;
  const columns = (mappingMode: string, value: object, matchingColumns: string[] = []) => ({
    columns: { mappingMode, value, matchingColumns },
  });

  test('a node of Google Sheets gives a row as an object by the names of its columns, with the rows that its filter finds', () => {
    const filtersUI = { values: [{ lookupColumn: 'city', lookupValue: 'Bonn' }] };
    const values = [['name', 'city'], ['Ann', 'Bonn'], [], ['Bob'], ['Cid', 'Bonn', 'x']];
    const { blocks } = behind('googleSheets', 4.5, sheet);
    expect(blocks[0].params.url).toBe(
      'https://sheets.googleapis.com/v4/spreadsheets/abc/values/' + encodeURIComponent("'Sales'"),
    );
    expect(run(blocks[1], { data: { values } })).toEqual([
      { row_number: 2, name: 'Ann', city: 'Bonn' },
      { row_number: 4, name: 'Bob', city: '' },
      { row_number: 5, name: 'Cid', city: 'Bonn', col_3: 'x' },
    ]);
    const found = behind('googleSheets', 4.5, { ...sheet, filtersUI }).blocks;
    expect(
      run(found.at(-1), { data: { values }, filters: ['Bonn'] }).map(({ name }: { name: string }) => name),
    ).toEqual(['Ann', 'Cid']);
  });

  test('a node of Google Sheets appends all items in the order of the columns, and refuses a field without a column', () => {
    const { blocks } = behind('googleSheets', 4.5, {
      ...sheet,
      operation: 'append',
      ...columns('defineBelow', { city: '={{ $json.town }}', name: 'x' }),
    });
    expect(blocks.map(({ type }: { type: string }) => type)).toEqual(['http', 'function', 'http']);
    const json = [{ town: 'Bonn' }, { town: 'Ulm' }];
    expect(run(blocks[1], { json, data: { values: [['name', 'city']] } })).toEqual({
      body: {
        values: [
          ['x', 'Bonn'],
          ['x', 'Ulm'],
        ],
      },
      rows: [
        { city: 'Bonn', name: 'x' },
        { city: 'Ulm', name: 'x' },
      ],
    });
    expect(() => run(blocks[1], { json, data: { values: [['name']] } })).toThrow('no column "city"');
  });

  test('a node of Google Sheets writes the cells of the row that its column finds, and makes a row that is not there', () => {
    const parameters = { ...sheet, ...columns('autoMapInputData', {}, ['id']) };
    const data = {
      values: [
        ['id', 'name'],
        [7, 'Ann'],
      ],
    };
    const json = [
      { id: '7', name: 'Eve' },
      { id: 8, name: 'Bob' },
    ];
    const cells = (operation: string) =>
      run(behind('googleSheets', 4.5, { ...parameters, operation }).blocks[1], { json, data }).body.data;
    const changed = { range: "'Sales'!B2", values: [['Eve']] };
    expect(cells('update')).toEqual([changed]);
    expect(cells('appendOrUpdate')).toEqual([
      changed,
      { range: "'Sales'!A3", values: [[8]] },
      { range: "'Sales'!B3", values: [['Bob']] },
    ]);
  });

  test('a node of Gmail sends the text of a mail in base64, with words of other alphabets', () => {
    const { blocks } = behind('gmail', 2.1, { sendTo: 'a@a.test', subject: 'Grüße', message: '<b>Ж</b>' });
    const { v0 } = run(blocks[0], {});
    const mail = Buffer.from(v0, 'base64url').toString();
    expect(mail).toContain('To: a@a.test\r\n');
    expect(mail).toContain(`Subject: =?UTF-8?B?${Buffer.from('Grüße').toString('base64')}?=`);
    expect(mail).toContain('Content-Type: text/html; charset=utf-8');
    expect(Buffer.from(mail.split('\r\n\r\n')[1] ?? '', 'base64').toString()).toBe('<b>Ж</b>');
    expect(blocks[1].params.body).toEqual({ raw: '{{ it_values.v0 }}' });
  });

  test('a node of Airtable gives its fields beside the id until version 2.2', () => {
    const answer = { records: [{ id: 'rec1', fields: { a: 1 } }] };
    const items = (version: number) => {
      const { blocks } = behind('airtable', version, { operation: 'search', base: 'app', table: 'tbl' });
      return run(blocks[1], { data: answer });
    };
    expect(items(2.1)).toEqual({ id: 'rec1', a: 1 });
    expect(items(2.2)).toEqual({ id: 'rec1', fields: { a: 1 } });
  });

  test('a node of Slack fails when Slack refuses a call', () => {
    const { blocks } = behind('slack', 2.2, { channelId: 'C', text: 'Hi' });
    expect(() => run(blocks[1], { data: { ok: false, error: 'not_in_channel' } })).toThrow('not_in_channel');
  });

  test('a node of a service says what its file leaves empty', () => {
    const { line, blocks } = behind('googleSheets', 4.5, {
      ...sheet,
      documentId: { mode: 'list', value: '' },
    });
    expect(line?.note).toContain('It does not say its documentId');
    expect(blocks[0].params.url).toContain('/YOUR_DOCUMENTID/');
  });

  test.each<[string, number, object, string]>([
    ['googleDrive', 3, { operation: 'download', fileId: 'a' }, 'The operation file download of Google Drive'],
    ['telegram', 1.2, { operation: 'sendPhoto', binaryData: true }, 'a file of the run'],
    ['gmail', 2.1, { operation: 'get', simple: false, messageId: 'a' }, 'the whole text'],
    [
      'airtable',
      2.1,
      { operation: 'update', ...columns('defineBelow', { a: 1 }, ['a']) },
      'other columns than the id',
    ],
  ])('%s %d with %j is refused with a sentence', (type, version, parameters, sentence) => {
    expect(behind(type, version, parameters).line).toMatchObject({
      outcome: 'refused',
      note: expect.stringContaining(sentence),
    });
  });
});

describe('a list of items', () => {
  const run = (block: FunctionBlock, json: object[]) => runBlock(block, { json });
  const items = [
    { city: 'Ulm', n: 2, tags: ['b'] },
    { city: 'bonn', n: 1, tags: ['a'] },
    { city: 'Ulm', n: 3, tags: ['b'] },
  ];

  // Each value is that of n8n-nodes-base 2.41.
  test.each<[string, number, object, unknown]>([
    [
      'sort',
      1,
      { sortFieldsUi: { sortField: [{ fieldName: 'city' }, { fieldName: 'n', order: 'descending' }] } },
      [items[1], items[2], items[0]],
    ],
    [
      'removeDuplicates',
      2,
      { compare: 'selectedFields', fieldsToCompare: 'city, tags' },
      [items[0], items[1]],
    ],
    [
      'summarize',
      1.1,
      {
        fieldsToSplitBy: 'city',
        fieldsToSummarize: {
          values: [
            { aggregation: 'sum', field: 'n' },
            { aggregation: 'concatenate', field: 'n' },
          ],
        },
      },
      [
        { sum_n: 5, concatenated_n: '2,3', city: 'Ulm' },
        { sum_n: 1, concatenated_n: '1', city: 'bonn' },
      ],
    ],
    [
      'renameKeys',
      1,
      { keys: { key: [{ currentKey: 'city', newKey: 'town' }] } },
      items.map(({ city, ...others }) => ({ ...others, town: city })),
    ],
    ['itemLists', 3, { operation: 'limit', maxItems: 2 }, [items[0], items[1]]],
    ['html', 1.2, { html: '<b>{{ $json.city }}</b>' }, items.map(({ city }) => ({ html: `<b>${city}</b>` }))],
  ])('a list of items goes through %s %d', (type, version, parameters, wanted) => {
    expect(run(behind(type, version, parameters).blocks[0], items)).toEqual(wanted);
  });

  const summarize = (fields: string, more: object = {}) => ({
    ...more,
    fieldsToSummarize: {
      values: fields.split(' ').map((one) => {
        const [aggregation, field = '', includeEmpty] = one.split(':');
        return { aggregation, field, includeEmpty: includeEmpty !== undefined };
      }),
    },
  });
  const sort = (fieldName: string) => ({ sortFieldsUi: { sortField: [{ fieldName }] } });
  const aggregate = (...fieldToAggregate: object[]) => ({ fieldsToAggregate: { fieldToAggregate } });
  const every = 'sum:n average:n min:n max:n count:n countUnique:n append:n concatenate:n';
  const mixed = [{ n: null }, { n: '10' }, { n: 9 }, { n: '' }, { n: 9 }, {}];

  // Each value is that of n8n-nodes-base 2.41.
  test.each<[string, string, number, object, object[], unknown]>([
    [
      'has a text as its group',
      'summarize',
      1,
      summarize('sum:n', { fieldsToSplitBy: 'code', options: { skipEmptySplitFields: true } }),
      [
        { code: 5, n: 1 },
        { code: '5', n: 2 },
        { code: null, n: 4 },
        { code: '', n: 8 },
      ],
      [
        { sum_n: 3, code: '5' },
        { sum_n: 4, code: 'null' },
      ],
    ],
    [
      'has a group of each type',
      'summarize',
      1.1,
      summarize('sum:n', { fieldsToSplitBy: 'code', options: { skipEmptySplitFields: true } }),
      [
        { code: 5, n: 1 },
        { code: '5', n: 2 },
        { code: null, n: 4 },
        { code: { a: 1 }, n: 8 },
      ],
      [
        { sum_n: 1, code: 5 },
        { sum_n: 2, code: '5' },
        { sum_n: 8, code: '{"a":1}' },
      ],
    ],
    [
      'has its groups in the order of members',
      'itemLists',
      3,
      summarize('count:n:empty', { operation: 'summarize', fieldsToSplitBy: 'code' }),
      [{ code: 'b', n: 1 }, { code: 5, n: '' }, { code: '5', n: 2 }, { code: null }],
      [
        { count_n: 1, code: '5' },
        { count_n: 1, code: 'b' },
        { count_n: 0, code: 'null' },
      ],
    ],
    [
      'gathers values of several types',
      'summarize',
      1,
      summarize(every),
      mixed,
      {
        sum_n: 18,
        average_n: 9,
        min_n: 9,
        max_n: '10',
        count_n: 3,
        unique_count_n: 2,
        appended_n: ['10', 9, 9],
        concatenated_n: '10,9,9',
      },
    ],
    [
      'gathers empty values',
      'summarize',
      1,
      summarize('count:n:e countUnique:n:e append:n:e concatenate:n:e'),
      mixed,
      {
        count_n: 6,
        unique_count_n: 5,
        appended_n: [null, '10', 9, '', 9, null],
        concatenated_n: 'null,10,9,,9,undefined',
      },
    ],
    [
      'has no average of no number',
      'summarize',
      1,
      summarize('average:n sum:n max:n'),
      [{ n: 'x' }, { n: '' }],
      { average_n: null, sum_n: 0, max_n: 'x' },
    ],
    [
      'counts a field that no item has as empty',
      'summarize',
      1.1,
      summarize(every),
      [{ m: 1 }],
      {
        sum_n: 0,
        average_n: null,
        min_n: null,
        max_n: null,
        count_n: 0,
        unique_count_n: 0,
        appended_n: [],
        concatenated_n: '',
      },
    ],
    [
      'goes on without the field where it may',
      'summarize',
      1,
      summarize('count:n', { options: { continueIfFieldNotFound: true } }),
      [{ m: 1 }],
      { count_n: 0 },
    ],
    [
      'calculates its separator, and counts a field without a name as empty',
      'summarize',
      1.1,
      {
        fieldsToSummarize: {
          values: [
            {
              aggregation: 'concatenate',
              field: 'a["b"]',
              separateBy: 'other',
              customSeparator: '={{ $json.s }}',
            },
            { aggregation: 'count', field: '' },
          ],
        },
      },
      [{ a: { b: 1 }, s: '-' }, { a: { b: 2 } }],
      { concatenated_ab: '1-2', count_: 0 },
    ],
    [
      'reads a member with the whole name first',
      'summarize',
      1.1,
      summarize('sum:a.b'),
      [{ 'a.b': 1, a: { b: 2 } }, { a: { b: 4 } }],
      { sum_a_b: 5 },
    ],
    [
      'leaves empty values out, in lists too',
      'aggregate',
      1,
      aggregate(
        { fieldToAggregate: 'a.b' },
        { fieldToAggregate: '' },
        { fieldToAggregate: 'c', renameField: true, outputFieldName: 'd.e' },
      ),
      [{ a: { b: [1, null] }, c: 1 }, { a: null }, { a: { b: null }, c: 2 }],
      { b: [[1]], d: { e: [1, 2] } },
    ],
    [
      'calculates the name of its list',
      'aggregate',
      1,
      { aggregate: 'aggregateAllItemData', destinationFieldName: '={{ $json.a }}' },
      [{ a: 'x' }, {}],
      { x: [{ a: 'x' }, {}] },
    ],
    [
      'leaves values without an order where n8n does',
      'sort',
      1,
      sort('n'),
      [{ n: 3 }, { n: 1 }, {}, { n: 2 }],
      [{ n: 1 }, { n: 2 }, { n: 3 }, {}],
    ],
    ['gives no item', 'limit', 1, { maxItems: 0, keep: 'lastItems' }, [{ a: 1 }, { a: 2 }], []],
    [
      'compares what its items hold, each at its place',
      'removeDuplicates',
      2,
      {},
      [{ a: { b: 1, c: null } }, { a: { c: null, b: 1 } }, { a: { b: 2, c: 'x' } }],
      [{ a: { b: 1, c: null } }, { a: { b: 2, c: 'x' } }],
    ],
    [
      'compares values of several types',
      'itemLists',
      3.1,
      { operation: 'removeDuplicates' },
      [{ a: 1 }, { a: 'x' }, { a: null }, { a: 1 }, { a: 'x' }],
      [{ a: 1 }, { a: 'x' }, { a: null }],
    ],
    [
      'gives a value that is no list, and null, as an item',
      'splitOut',
      1,
      { fieldToSplitOut: 'a.b' },
      [{ a: { b: 'text' } }, { a: { b: null } }, { a: {} }, { a: { b: [[1], { c: 2 }] } }],
      [{ 'a.b': 'text' }, { 'a.b': null }, { 0: 1 }, { c: 2 }],
    ],
    [
      'keeps an object under the name of its destination',
      'splitOut',
      1,
      { fieldToSplitOut: 'a', options: { destinationFieldName: 'one' } },
      [{ a: [{ b: 1 }, 2] }],
      [{ one: { b: 1 } }, { one: 2 }],
    ],
  ])('a list of items %s: %s %d', (_, type, version, parameters, given, wanted) => {
    const { blocks, line } = behind(type, version, parameters);
    expect(line?.outcome).toBe('kept');
    expect(run(blocks[0], given)).toEqual(wanted);
    expect(run(blocks[0], [])).toEqual([]);
  });

  test.each<[string, number, object, object[], string]>([
    ['summarize', 1, summarize('sum:n'), [{ m: 1 }], 'No item has the field "n"'],
    ['sort', 1, sort('n'), [{ m: 1 }], 'No item has the field "n"'],
    ['removeDuplicates', 2, {}, [{ a: 1, b: 1 }, { a: 1 }], 'does not have the field "b"'],
    ['removeDuplicates', 2, {}, [{ a: 1 }, { a: '1' }], 'values of several types'],
    ['removeDuplicates', 1, {}, [{ a: 1 }, { a: null }], 'values of several types'],
  ])('%s %d with %j fails as in n8n for %j', (type, version, parameters, given, sentence) => {
    const [block] = behind(type, version, parameters).blocks;
    expect(() => run(block, given)).toThrow(sentence);
  });

  test.each<[string, number, object, string]>([
    ['removeDuplicates', 2, { compare: 'selectedFields' }, 'It names no field'],
    ['summarize', 1.1, summarize('count'), 'It names no field'],
    ['splitOut', 1, { fieldToSplitOut: '={{ $json.name }}' }, 'calculates the name of a field'],
    [
      'aggregate',
      1,
      aggregate({ fieldToAggregate: 'a' }, { fieldToAggregate: 'a' }),
      'one name to two fields',
    ],
  ])('%s %d with %j is refused before a run', (type, version, parameters, sentence) => {
    expect(behind(type, version, parameters).line).toMatchObject({
      outcome: 'refused',
      note: expect.stringContaining(sentence),
    });
  });

  test('a node that runs once for its first item takes that alone', () => {
    const { blocks } = behind('limit', 1, { maxItems: 5 }, { executeOnce: true });
    expect(run(blocks[0], [{ a: 1 }, { a: 2 }])).toEqual({ a: 1 });
  });
});

describe('a condition', () => {
  const compare = (leftValue: unknown, type: string, operation: string, rightValue: unknown = '') => ({
    leftValue,
    rightValue,
    operator: { type, operation },
  });
  const newer = (typeValidation: string, combinator: string, ...conditions: object[]) => ({
    conditions: { combinator, conditions, options: { caseSensitive: true, typeValidation, version: 2 } },
  });
  const older = (kind: string, ...conditions: object[]) => ({ conditions: { [kind]: conditions } });
  /** What the function block before a condition gives, or the sentence with which it fails. */
  const decide = (type: string, version: number, parameters: object) => {
    const [values] = behind(type, version, parameters).blocks;
    try {
      return runBlock(values, { json: {} });
    } catch (error) {
      return error instanceof Error ? error.message : error;
    }
  };

  // Each value is that of n8n-workflow 2.41, or of n8n-nodes-base 2.41.
  test.each<[string, number, object, unknown]>([
    ['if', 1, older('string', { value1: '' }), true],
    ['if', 1, older('number', { value1: 0, operation: 'equal' }), true],
    ['if', 1, older('number', { value1: -1 }), true],
    ['if', 1, older('boolean', {}), true],
    ['filter', 1, older('boolean', { value1: true, operation: 'notEqual' }), true],
    ['if', 1, older('string', { value1: 'a', operation: 'regex' }), true],
    ['if', 1, older('dateTime', { value1: '2024-01-02' }), '"" is no date.'],
    [
      'filter',
      1,
      {
        ...older('string', { value1: 'a', value2: 'b' }, { value1: 'a', value2: 'a' }),
        combineConditions: 'OR',
      },
      true,
    ],
    [
      'if',
      1,
      {
        ...older('string', { value1: 'a', value2: 'a' }, { value1: '={{ 1 }}', operation: 'endsWith' }),
        combineOperation: 'any',
      },
      true,
    ],
    [
      'if',
      2.2,
      newer('strict', 'and', compare('a', 'string', 'equals', 'b'), compare('a', 'number', 'gt', 5)),
      false,
    ],
    [
      'if',
      2.2,
      newer('strict', 'and', compare('5', 'number', 'equals', 5)),
      'The condition wants a number and got "5".',
    ],
    ['if', 2.2, newer('loose', 'and', compare('5', 'number', 'equals', '5.0')), true],
    ['if', 2.2, newer('loose', 'and', compare(' ', 'boolean', 'true')), true],
    ['if', 2.2, newer('loose', 'and', compare('', 'boolean', 'true')), false],
    ['if', 2.2, newer('loose', 'and', compare("={{ ['false'] }}", 'boolean', 'true')), true],
    ['if', 2.2, newer('loose', 'and', compare("['a']", 'array', 'contains', 'a')), true],
    ['if', 2.2, newer('loose', 'and', compare(5, 'string', 'equals', '5')), true],
    [
      'if',
      2.2,
      newer('loose', 'and', compare(1700000000000, 'dateTime', 'exists')),
      '"1700000000000" is no date.',
    ],
  ])('a condition of %s %d with %j decides as in n8n', (type, version, parameters, wanted) => {
    const decided = decide(type, version, parameters);
    expect(Object(decided).yes ?? decided).toEqual(wanted);
  });

  const ways = (version: number, parameters: object) => {
    const names = ['A', 'B', 'C'];
    const { definition } = convertFile(
      'n8n',
      {
        nodes: [
          node('In', 'manualTrigger', 1),
          node('It', 'switch', version, parameters),
          ...names.map((name) => node(name, 'noOp', 1)),
        ],
        connections: {
          In: { main: [[{ node: 'It' }]] },
          It: { main: names.map((name) => [{ node: name }]) },
        },
      },
      { workflows },
    );
    const { blocks, edges } = Object(definition);
    const port = `way_${runBlock(blocks[0], { json: {} }).v0}`;
    return edges.find((edge: { from: string; port: string }) => edge.from === 'it' && edge.port === port).to;
  };
  const rule = (condition: object) => newer('strict', 'and', condition);

  test.each<[string, number, object, string]>([
    [
      'its output',
      1,
      { dataType: 'string', value1: 'b', rules: { rules: [{ value2: 'a' }, { value2: 'b', output: 2 }] } },
      'c',
    ],
    [
      'its place',
      2,
      { dataType: 'string', value1: 'b', rules: { rules: [{ value2: 'a' }, { value2: 'b' }] } },
      'b',
    ],
    ['the default of its value', 1, { dataType: 'boolean', rules: { rules: [{ output: 1 }] } }, 'b'],
    [
      'the first rule that matches',
      3.2,
      {
        rules: {
          values: [rule(compare('a', 'string', 'equals', 'a')), rule(compare('a', 'number', 'gt', 1))],
        },
      },
      'a',
    ],
  ])('a switch leads by %s: version %d', (_, version, parameters, wanted) => {
    expect(ways(version, parameters)).toBe(wanted);
  });
});

describe('a call', () => {
  const fields = { parameters: [{ name: 'a', value: 'b' }] };
  test.each<[string, number, object, unknown, string]>([
    ['GET', 4.2, { sendBody: true, bodyParameters: fields }, { a: 'b' }, ''],
    ['GET', 4.2, { sendBody: true }, undefined, ''],
    ['GET', 2, { bodyParametersUi: { parameter: fields.parameters } }, undefined, ''],
    ['HEAD', 4.2, { sendBody: true, bodyParameters: fields }, undefined, 'Its body is left out'],
  ])(
    'a call with %s of version %d and %j sends its body as in n8n',
    (method, version, more, body, sentence) => {
      const { blocks, line } = behind('httpRequest', version, {
        url: 'https://a.test',
        ...(version < 3 ? { requestMethod: method } : { method }),
        ...more,
      });
      expect(blocks[0].params.body).toEqual(body);
      expect(line?.note).toContain(sentence);
    },
  );

  test('the item behind the failure of a call is its error, and the report says so', () => {
    const file = {
      nodes: [
        node('In', 'webhook', 2),
        {
          ...node('It', 'httpRequest', 4.2, { url: '={{ $json.body.a + 1 }}' }),
          onError: 'continueErrorOutput',
        },
        node('Failed', 'httpRequest', 4.2, {
          url: '=https://a.test/{{ $json.error.message }}',
        }),
        node('Next', 'httpRequest', 4.2, { url: '={{ $json.next }}' }),
      ],
      connections: {
        In: { main: [[{ node: 'It' }]] },
        It: { main: [[{ node: 'Next' }], [{ node: 'Failed' }]] },
      },
    };
    const { blocks, line, report } = importIt(file);
    const paramsOf = (id: string) => blocks.find((one: { id: string }) => one.id === id).params;
    expect(report.summary.refused).toBe(0);
    expect(line).toMatchObject({ outcome: 'changed', note: expect.stringContaining('{ error }') });
    expect(paramsOf('failed').url).toContain(
      'it_values.error != null ? dyn(it_values.error) : dyn(it.error)',
    );
    expect(paramsOf('next_values').input.json).toContain('it.?data');
  });
});

describe('an agent of n8n', () => {
  const agent = (tools: TestNode[], parameters = {}) => ({
    nodes: [node('In', 'manualTrigger', 1), chain('It', 'agent', 1.7, parameters), gpt, ...tools],
    connections: {
      In: { main: [[{ node: 'It' }]] },
      Model: { ai_languageModel: [[{ node: 'It' }]] },
      ...Object.fromEntries(tools.map(({ name }) => [name, { ai_tool: [[{ node: 'It' }]] }])),
    },
  });

  test('an agent with tools is a loop that asks for a tool, runs its block, and ends with the answer', () => {
    const weather = node('Weather', `${langchain}toolHttpRequest`, 1.1, {
      url: 'https://w.test/{city}',
      toolDescription: 'The weather.',
      placeholderDefinitions: { values: [{ name: 'city', description: 'Where.' }] },
    });
    const mail = node('Mail', 'gmailTool', 2.1, {
      sendTo: "={{ $fromAI('to', 'Who gets it', 'string') }}",
      subject: 'Hi',
      message: "={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('text', ``, 'string') }}",
      options: { appendAttribution: false },
    });
    const { blocks, report, line } = importIt(agent([weather, mail]));
    expect(report.summary.refused).toBe(0);
    expect(line?.note).toContain('The tools are Weather, Mail.');
    const [begin, loop] = blocks;
    expect(begin.type).toBe('variables');
    expect(loop).toMatchObject({
      type: 'loop',
      params: { until: 'vars.it_answer != null', maxIterations: 10 },
    });
    const [turn, pick, call] = loop.body.blocks;
    expect(turn.params.responseSchema.properties).toMatchObject({
      tool: { enum: ['Weather', 'Mail', 'answer'] },
      Weather: { properties: { city: { description: 'Where.' } } },
      Mail: { properties: { to: { description: 'Who gets it' }, text: {} } },
    });
    expect(pick.cases).toHaveLength(2);
    expect(call.params.url).toBe('https://w.test/{{ it_turn.data["Weather"]["city"] }}');
    const values = loop.body.blocks.find(({ id }: { id: string }) => id.endsWith('mail_values'));
    expect(values.params.input.args.to).toBe('{{ it_turn.data["Mail"]["to"] }}');
    expect(values.params.code).toContain('To: input.args["to"]');
  });

  test('the settings of a model are kept, calculated or not, and others are named', () => {
    const settings = (options: object) => {
      const file = agent([]);
      file.nodes = file.nodes.map((one) => (one === gpt ? { ...gpt, parameters: { options } } : one));
      const { blocks, line } = importIt(file);
      const { temperature, maxTokens } = blocks.at(-1).params;
      return { temperature, maxTokens, note: line?.note };
    };
    expect(settings({ temperature: 0.2, maxTokens: -1, topP: 0.5 })).toEqual({
      temperature: 0.2,
      maxTokens: undefined,
      note: expect.stringContaining('"Model" also says options.topP'),
    });
    expect(settings({ temperature: '={{ 1 / 2 }}', maxTokens: '={{ $json.most }}' })).toMatchObject({
      temperature: '{{ it_values.v0 }}',
      maxTokens: '{{ start.most }}',
    });
  });

  test('an agent of OpenAI with tools begins with its messages, and its item is the answer', () => {
    const wikipedia = node('Wiki', `${langchain}toolWikipedia`, 1);
    const parameters = {
      modelId: 'gpt-4o',
      messages: { values: [{ role: 'system', content: 'Be brief.' }, { content: 'Hi' }] },
    };
    const file = {
      nodes: [
        node('In', 'manualTrigger', 1),
        node('It', `${langchain}openAi`, 1.7, parameters),
        wikipedia,
        node('Out', 'httpRequest', 4.2, { url: '={{ $json.message.content }}' }),
      ],
      connections: {
        In: { main: [[{ node: 'It' }]] },
        It: { main: [[{ node: 'Out' }]] },
        Wiki: { ai_tool: [[{ node: 'It' }]] },
      },
    };
    const [begin, loop, out] = importIt(file).blocks;
    expect(begin.params.set.it_messages.slice(1)).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
    ]);
    expect(loop.body.blocks[0].params.model).toBe('gpt-4o');
    expect(out.params.url).toBe('{{ vars.it_answer }}');
  });

  test('an agent with a store of vectors searches the knowledge base of the name of its collection', () => {
    const store = node('Docs', `${langchain}vectorStoreQdrant`, 1, {
      mode: 'retrieve-as-tool',
      toolName: 'docs',
      qdrantCollection: { mode: 'list', value: 'Manuals' },
    });
    const { blocks, report } = importIt(agent([store]));
    expect(blocks[1].body.blocks[2].params).toEqual({
      operation: 'search',
      knowledgeBases: ['Manuals'],
      query: '{{ it_turn.data["docs"]["query"] }}',
      topK: 4,
    });
    expect(report.needs).toContainEqual(expect.objectContaining({ kind: 'knowledgeBase', name: 'Manuals' }));
  });

  test('an agent with a tool that no block does is refused by the name of the tool', () => {
    const { line } = importIt(agent([node('Sums', 'postgresTool', 2.5)]));
    expect(line).toMatchObject({ outcome: 'refused', note: expect.stringContaining('Its tool "Sums"') });
  });

  test('an agent with a parser of its answer has the schema of the example', () => {
    const parser = node('Parser', `${langchain}outputParserStructured`, 1.3, {
      jsonSchemaExample: '{ "a": 1, "list": ["x"] }',
    });
    const file = agent([parser], { hasOutputParser: true });
    Object.assign(file.connections, { Parser: { ai_outputParser: [[{ node: 'It' }]] } });
    expect(importIt(file).blocks[0].params.responseSchema).toEqual({
      type: 'object',
      properties: { a: { type: 'number' }, list: { type: 'array', items: { type: 'string' } } },
      required: ['a', 'list'],
    });
  });
});
