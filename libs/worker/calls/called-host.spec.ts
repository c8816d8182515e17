import type { EffectType } from '#libs/language/definition/blocks/registry';
import { findCalledHost } from './called-host.ts';

const settings = { llmBaseUrl: 'https://models.example/v1' };

test.each<[EffectType, object, string | null]>([
  ['http', { url: 'https://API.example.com:8443/v1' }, 'api.example.com'],
  ['webhook', { url: 'http://a.test./' }, 'a.test'],
  ['mcp', { url: 'http://[::1]:9/' }, '[::1]'],
  ['llm', {}, 'models.example'],
  ['router', { baseUrl: 'http://own.example' }, 'own.example'],
  ['evaluator', {}, 'models.example'],
  ['http', { url: 'no address' }, null],
  ['function', { url: 'https://api.example.com' }, null],
])('a block %s with %j calls the host %s', (type, params, host) => {
  expect(findCalledHost(type, { ...params }, settings)).toBe(host);
});
