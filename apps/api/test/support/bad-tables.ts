/** Requests about tables that the API refuses, with the field that the refusal names. */

const names = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `c${i}`, type: 'string' }));
const one = [{ name: 'a', type: 'string' }];
const dangerous = `x"); drop table tables; --`;

export const badTables: [what: string, body: object, path: string][] = [
  ['no columns', { schema: { columns: [] } }, 'schema.columns'],
  ['10,000 columns', { schema: { columns: names(10_000) } }, 'schema.columns'],
  [
    'two columns of one name',
    { schema: { columns: [...one, { name: 'A', type: 'json' }] } },
    'schema.columns.1.name',
  ],
  ['a column of no type', { schema: { columns: [{ name: 'a', type: 'text' }] } }, 'schema.columns.0.type'],
  [
    'a hostile name of a column',
    { schema: { columns: [{ name: dangerous, type: 'string' }] } },
    'schema.columns.0.name',
  ],
  ['a hostile name', { name: dangerous, schema: { columns: one } }, 'name'],
  [
    'a default of another type',
    { schema: { columns: [{ name: 'n', type: 'number', default: 'x' }] } },
    'schema.columns.0.default',
  ],
  [
    'a unique document',
    { schema: { columns: [{ name: 'j', type: 'json', unique: true }] } },
    'schema.columns.0.unique',
  ],
  ['a cap of 0', { schema: { columns: one }, maxRows: 0 }, 'maxRows'],
  ['an unknown field', { schema: { columns: one }, rows: [] }, 'rows'],
];

export const badInserts: [what: string, body: string, status: number, path: string][] = [
  ['an unknown column', '{"data":{"email":"x","nope":1}}', 400, 'data.nope'],
  ['a wrong type', '{"rows":[{"email":"x"},{"email":"y","score":"many"}]}', 400, 'rows.1.score'],
  ['a missing value', '{"data":{"score":1}}', 400, 'data.email'],
  ['a value that is taken', '{"data":{"email":"taken"}}', 400, 'data.email'],
  ['a value that is twice in the call', '{"rows":[{"email":"x"},{"email":"x"}]}', 400, 'rows.0.email'],
  ['no rows', '{"rows":[]}', 400, 'rows'],
  ['neither data nor rows', '{}', 400, ''],
  [
    '1,001 rows',
    JSON.stringify({ rows: Array.from({ length: 1001 }, (_, i) => ({ email: `${i}` })) }),
    400,
    'rows',
  ],
  ['a cell of 2 MB', JSON.stringify({ data: { email: 'x'.repeat(2_000_000) } }), 400, 'data.email'],
  ['a number beyond every number', '{"data":{"email":"x","score":1e999}}', 400, 'data.score'],
  ['a number of 1,001 digits', `{"data":{"email":"x","score":1.${'1'.repeat(1000)}}}`, 400, 'data.score'],
  ['text with a null byte', '{"data":{"email":"a\\u0000"}}', 400, 'data.email'],
  ['a name of a prototype', '{"data":{"email":"x","constructor":1}}', 400, 'data.constructor'],
  ['a cell twice', '{"data":{"email":"x","score":5,"score":6}}', 400, 'data.score'],
  ['a row with a cell twice', '{"rows":[{"email":"x"},{"email":"y","email":"y"}]}', 400, 'rows.1.email'],
  ['a body that is no JSON', '{"data":', 400, ''],
  ['a body that is a list', '[]', 400, ''],
  ['11 MB', JSON.stringify({ data: { email: 'x'.repeat(11_000_000) } }), 413, ''],
];

export const badLists: [what: string, query: string, path: string][] = [
  ['half a filter', 'filter={"email":', 'filter'],
  ['an empty filter', 'filter=', 'filter'],
  ['a list as filter', 'filter=[]', 'filter'],
  ['an unknown column', 'filter={"nope":1}', 'filter.nope'],
  ['a wrong type', 'filter={"score":{"$gt":"x"}}', 'filter.score.$gt'],
  ['70 levels', `filter=${'{"$not":'.repeat(70)}{}${'}'.repeat(70)}`, 'filter'],
  ['a prototype', 'filter={"__proto__":1}', 'filter.__proto__'],
  ['a column twice', 'filter={"score":{"$gt":5},"score":{"$gt":0}}', 'filter.score'],
  ['an operator twice', 'filter={"$or":[{"score":{"$gt":5,"$gt":0}}]}', 'filter.$or.0.score.$gt'],
  ['a direction twice', 'sort={"email":"asc","email":"asc"}', 'sort.email'],
  ['a direction that is none', 'sort={"email":1}', 'sort.email'],
  ['a sort that is no JSON', 'sort=email', 'sort'],
  ['too high a limit', 'limit=1001', 'limit'],
  ['a limit of 0', 'limit=0', 'limit'],
  ['an offset below 0', 'offset=-1', 'offset'],
  ['a forged cursor', 'cursor=abc.def', 'cursor'],
  ['an unknown parameter', 'include=all', 'include'],
];

export const badChanges: [what: string, method: string, path: string, body: object, field: string][] = [
  [
    'updates that name a row twice',
    'PATCH',
    '',
    {
      updates: [
        { rowId: 'r', data: {} },
        { rowId: 'r', data: {} },
      ],
    },
    'updates.1.rowId',
  ],
  ['no updates', 'PATCH', '', { updates: [] }, 'updates'],
  [
    'an unknown field in an update',
    'PATCH',
    '',
    { updates: [{ rowId: 'r', data: {}, x: 1 }] },
    'updates.0.x',
  ],
  ['a change of nothing', 'PUT', '', { all: true, data: {} }, 'data'],
  [
    'an empty part of a filter',
    'PUT',
    '',
    { filter: { $or: [{ email: 'a' }, {}] }, data: { score: 1 } },
    'filter.$or.1',
  ],
  ['an empty required cell', 'PUT', '', { all: true, data: { email: null } }, 'data.email'],
  ['ids and a filter', 'DELETE', '', { rowIds: ['r'], all: true }, 'rowIds'],
  ['no ids', 'DELETE', '', { rowIds: [] }, 'rowIds'],
  ['an upsert without its value', 'POST', '/upsert', { data: { score: 1 } }, 'data.email'],
  ['an aggregate of nothing', 'POST', '/aggregate', { aggregates: {} }, 'aggregates'],
  ['a sum of texts', 'POST', '/aggregate', { aggregates: { n: { sum: 'email' } } }, 'aggregates.n.sum'],
  [
    'three groups',
    'POST',
    '/aggregate',
    { groupBy: ['won', 'met', 'email'], aggregates: { n: { count: '*' } } },
    'groupBy',
  ],
];
