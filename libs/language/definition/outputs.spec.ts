import type { Json, JsonObject } from '#libs/platform/json/json';
import type { BlockType } from './blocks/registry.ts';
import { checkOutput } from './outputs.ts';
import type { PlanBlock } from './plan.ts';

const blockOf = (type: BlockType, params: JsonObject = {}): PlanBlock => ({
  index: 0,
  id: 'b',
  name: 'b',
  type,
  params,
  references: [],
  incoming: [],
  outgoing: [],
});
const faultsOf = (block: PlanBlock, output: Json) =>
  checkOutput(block, output, 'output').map(({ path, code }) => `${path} ${code}`);

const modelOf = (responseSchema: JsonObject) => blockOf('llm', { responseSchema });
const invoice: JsonObject = {
  type: 'object',
  required: ['id', 'lines'],
  additionalProperties: false,
  properties: {
    id: { type: 'string', minLength: 2 },
    state: { enum: ['open', 'paid'] },
    lines: {
      type: 'array',
      minItems: 1,
      items: { anyOf: [{ type: 'number', exclusiveMinimum: 0 }, { const: null }] },
    },
    total: { type: ['number', 'null'], multipleOf: 0.01, maximum: 100 },
    kind: { oneOf: [{ type: 'string' }, { maxLength: 3 }] },
  },
};
/** Each member doubles the work of a check. */
let branching: JsonObject = { type: 'string' };
for (let depth = 0; depth < 16; depth++) branching = { anyOf: [branching, branching] };

const routes = [{ port: 'yes', description: 'd' }];

test.each<[string, PlanBlock, Json]>([
  ['the whole answer of a call', blockOf('http'), { status: 200, headers: { a: 'b' }, data: [1] }],
  ['a part of the answer of a call', blockOf('http'), { status: 200 }],
  ['a member that came to nothing', blockOf('llm'), { content: null, data: { a: 1 } }],
  [
    'data that follow the schema of a model',
    modelOf({ type: 'object', properties: { n: { type: 'integer' } } }),
    { data: { n: 1 } },
  ],
  ['a route of a router', blockOf('router', { routes }), { port: 'yes' }],
  ['rows', blockOf('table', { operation: 'query' }), { rows: [{ id: 'row_1' }], rowCount: 1 }],
  ['any value of a function', blockOf('function'), 'text'],
  ['any value of a child', blockOf('workflow'), [1, 2]],
])('an output is taken that is %s', (_, block, output) => {
  expect(faultsOf(block, output)).toEqual([]);
});

test.each<[string, PlanBlock, Json, string[]]>([
  ['nothing where a model has a schema', modelOf(invoice), { data: null }, ['output.data type']],
  [
    'data without what a schema requires',
    modelOf(invoice),
    { data: { id: 'x' } },
    ['output.data.lines required', 'output.data.id range'],
  ],
  [
    'data with members that a schema has not, or has otherwise',
    modelOf(invoice),
    { data: { id: 'in', lines: [1, 0, null, 'x'], state: 'late', total: 100.001, kind: 'abc', more: 1 } },
    [
      'output.data.lines[1] any_of',
      'output.data.lines[3] any_of',
      'output.data.state choice',
      'output.data.total range',
      'output.data.total range',
      'output.data.kind one_of',
      'output.data.more unknown_key',
    ],
  ],
  ['data whose check would not end', modelOf(branching), { data: 1 }, ['output.data too_large']],
  ['no object', blockOf('http'), 'OK', ['output type']],
  ['a member of another type', blockOf('http'), { status: '200' }, ['output.status type']],
  ['a status that no answer has', blockOf('http'), { status: 99_999 }, ['output.status range']],
  ['an unknown member', blockOf('http'), { staus: 200 }, ['output.staus unknown_key']],
  ['no port of a router', blockOf('router', { routes }), { reason: 'r' }, ['output.port required']],
  ['another port of a router', blockOf('router', { routes }), { port: 'no' }, ['output.port choice']],
  [
    'members of another operation',
    blockOf('table', { operation: 'delete' }),
    { rows: [] },
    ['output.rows unknown_key'],
  ],
  ['a reference to a stored value', blockOf('function'), { $payload: 'pay_1' }, ['output forbidden_key']],
  ['a text that no row can hold', blockOf('function'), { a: 'a\0b' }, ['output.a null_byte']],
])('an output is refused that has %s', (_, block, output, faults) => {
  expect(faultsOf(block, output)).toEqual(faults);
});
