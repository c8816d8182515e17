import type { JsonObject } from '#libs/platform/json/json';
import { checkRendered } from '../shapes/shape.ts';
import { blockKinds, effectParamsShape, type EffectType, effectTypes } from './registry.ts';

function faultsOf(type: EffectType, params: unknown): string[] {
  const faults: string[] = [];
  checkRendered(effectParamsShape(type), params, '', (path, code) => faults.push(`${path} ${code}`));
  return faults;
}

const call = { url: 'https://a.test' };
const ask = { model: 'm', prompt: 'p' };
const query = { operation: 'query', table: 't' };
const search = { operation: 'search', knowledgeBases: ['b'], query: 'q' };
const add = { operation: 'add', knowledgeBase: 'b', filename: 'f', text: 't' };

const sound: [string, EffectType, JsonObject][] = [
  ['a URL longer than a written one may be', 'http', { url: `https://a.test/${'x'.repeat(9000)}` }],
  ['a header that came to null', 'http', { ...call, headers: { a: null } }],
  ['a header that came to an object', 'http', { ...call, headers: { a: { b: 1 } } }],
  ['a secret in the clear', 'webhook', { ...call, event: 'a.b', secret: 'whsec_x' }],
  ['a prompt that came to an object', 'llm', { model: 'm', prompt: { a: 1 } }],
  ['a limit that came to null', 'table', { ...query, limit: null }],
  ['a row id that came to null', 'table', { operation: 'get', table: 't', rowId: null }],
  ['data of any kind, which the table checks', 'table', { operation: 'insert', table: 't', data: 5 }],
  [
    'more rows than may be written, which the table counts',
    'table',
    { operation: 'insert', table: 't', rows: Array.from({ length: 1001 }, () => ({})) },
  ],
  ['a text longer than a written one may be', 'knowledge', { ...add, text: 'x'.repeat(100_001) }],
  ['tags that came to null', 'knowledge', { ...add, tags: null }],
];

const wrong: [string, EffectType, JsonObject, string][] = [
  ['a URL that came to null', 'http', { url: null }, 'url type'],
  ['a secret that came to a number', 'webhook', { ...call, event: 'a.b', secret: 5 }, 'secret type'],
  ['a model without a name', 'llm', { ...ask, model: '' }, 'model too_short'],
  ['a key that came to null', 'llm', { ...ask, apiKey: null }, 'apiKey type'],
  ['a temperature of 3', 'llm', { ...ask, temperature: 3 }, 'temperature range'],
  ['a token count in words', 'llm', { ...ask, maxTokens: 'many' }, 'maxTokens type'],
  ['no messages', 'llm', { model: 'm', messages: [] }, 'messages too_few'],
  [
    'a message of a robot',
    'llm',
    { model: 'm', messages: [{ role: 'robot', content: '' }] },
    'messages[0].role choice',
  ],
  ['arguments in a list', 'mcp', { ...call, tool: 't', arguments: [] }, 'arguments type'],
  [
    'arguments with the marker of a stored value',
    'mcp',
    { ...call, tool: 't', arguments: { $payload: 'p' } },
    'arguments type',
  ],
  ['a table that came to a number', 'table', { ...query, table: 7 }, 'table type'],
  ['a limit of 5,000', 'table', { ...query, limit: 5000 }, 'limit range'],
  ['a flag in words', 'table', { operation: 'delete', table: 't', all: 'yes' }, 'all type'],
  [
    'ids of which one is a number',
    'table',
    { operation: 'delete', table: 't', rowIds: ['a', 1] },
    'rowIds[1] type',
  ],
  ['a query without text', 'knowledge', { ...search, query: '' }, 'query too_short'],
  ['a query of 10,001 characters', 'knowledge', { ...search, query: 'x'.repeat(10_001) }, 'query too_long'],
  ['21 bases', 'knowledge', { ...search, knowledgeBases: Array(21).fill('b') }, 'knowledgeBases too_many'],
  ['half a result', 'knowledge', { ...search, topK: 0.5 }, 'topK range'],
  ['a file name of 256 characters', 'knowledge', { ...add, filename: 'x'.repeat(256) }, 'filename too_long'],
];

describe('the rendered parameters of a block', () => {
  test.each(sound)('the rendered parameters of a block may have %s', (_, type, params) => {
    expect(faultsOf(type, params)).toEqual([]);
  });

  test.each(wrong)('the rendered parameters of a block are refused with %s', (_, type, params, fault) => {
    expect(faultsOf(type, params)).toEqual([fault]);
  });

  test.each(effectTypes)('the rendered parameters of a block in the sample of %s have no faults', (type) => {
    expect(faultsOf(type, blockKinds[type].sample.params)).toEqual([]);
  });
});
