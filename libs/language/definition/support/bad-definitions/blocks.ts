import { http, line, type Raw } from '../given.ts';
import type { Row } from './row.ts';

const call = (params: Raw, more: Raw = {}) =>
  line([http('a', { params: { url: 'https://a.test', ...params }, ...more })]);
const of = (type: string, params: unknown, more: Raw = {}) => line([{ id: 'a', type, params, ...more }]);
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1]));

/** Wrong parameters and members of each type of block. */
export const effects: Row[] = [
  ['an http block without an address', of('http', {}), 'a blocks[0].params.url required'],
  ['an address of another kind', call({ url: 'ftp://a.test' }), 'a blocks[0].params.url url'],
  ['an address without a host', call({ url: 'https://' }), 'a blocks[0].params.url url'],
  ['an address that is no text', call({ url: 7 }), 'a blocks[0].params.url type'],
  [
    'an address of 8,193 characters',
    call({ url: `https://a.test/${'x'.repeat(8178)}` }),
    'a blocks[0].params.url too_long',
  ],
  ['an unknown method', call({ method: 'FETCH' }), 'a blocks[0].params.method choice'],
  ['a method in lower case', call({ method: 'get' }), 'a blocks[0].params.method choice'],
  ['headers in a list', call({ headers: ['a: b'] }), 'a blocks[0].params.headers type'],
  ['a header that is a list', call({ headers: { a: ['b'] } }), 'a blocks[0].params.headers.a type'],
  ['a header that is null', call({ headers: { a: null } }), 'a blocks[0].params.headers.a type'],
  ...['Content-Length', 'transfer-encoding', 'TE', 'Upgrade', 'Proxy-Authorization'].map((name): Row => [
    `the header ${name} of the call itself`,
    call({ headers: { [name]: '{{ start.x }}' } }),
    `a blocks[0].params.headers.${name} header`,
  ]),
  [
    'the header Expect of a tool server',
    of('mcp', { url: 'https://a.test', tool: 't', headers: { Expect: 'x' } }),
    'a blocks[0].params.headers.Expect header',
  ],
  [
    'the header Expect of a delivery',
    of('webhook', {
      url: 'https://a.test',
      event: 'a.b',
      secret: '{{ secrets.KEY }}',
      headers: { Expect: 'x' },
    }),
    'a blocks[0].params.headers.Expect header',
  ],
  [
    'a header Host that is an address',
    call({ headers: { Host: 'https://b.test' } }),
    'a blocks[0].params.headers.Host header',
  ],
  [
    'a header Connection that upgrades',
    call({ headers: { Connection: 'Upgrade' } }),
    'a blocks[0].params.headers.Connection header',
  ],
  [
    'a header that is there twice',
    call({ headers: { 'X-A': '1', 'x-a': '2' } }),
    'a blocks[0].params.headers.x-a duplicate_name',
  ],
  ['101 headers', call({ headers: many(101) }), 'a blocks[0].params.headers too_many'],
  ['a query in text', call({ query: 'a=b' }), 'a blocks[0].params.query type'],
  ['a query of objects', call({ query: { a: { b: 1 } } }), 'a blocks[0].params.query.a type'],
  ['an idempotent that is text', call({ idempotent: 'yes' }), 'a blocks[0].params.idempotent type'],
  [
    'a redirect rule that is a number',
    call({ followRedirects: 3 }),
    'a blocks[0].params.followRedirects type',
  ],
  ['an answer of no bytes', call({ maxResponseBytes: 0 }), 'a blocks[0].params.maxResponseBytes range'],
  ['an answer of 51 MB', call({ maxResponseBytes: 53_477_376 }), 'a blocks[0].params.maxResponseBytes range'],
  ['a parameter of another tool', call({ timeoutMs: 5 }), 'a blocks[0].params.timeoutMs unknown_key'],
  ['parameters in a list', of('http', []), 'a blocks[0].params type'],
  ['no parameters', line([{ id: 'a', type: 'http' }]), 'a blocks[0].params required'],
  ['a retry that is a number', call({}, { retry: 3 }), 'a blocks[0].retry type'],
  ['zero attempts', call({}, { retry: { maxAttempts: 0 } }), 'a blocks[0].retry.maxAttempts range'],
  ['a backoff below one', call({}, { retry: { backoff: 0.5 } }), 'a blocks[0].retry.backoff range'],
  [
    'a first delay of two hours',
    call({}, { retry: { initialDelay: 'PT2H' } }),
    'a blocks[0].retry.initialDelay range',
  ],
  ['a retry on everything', call({}, { retry: { retryOn: '*' } }), 'a blocks[0].retry.retryOn type'],
  [
    'a retry that is not known',
    call({}, { retry: { jitter: true } }),
    'a blocks[0].retry.jitter unknown_key',
  ],
  ['a time-out of two hours', call({}, { timeout: 7200 }), 'a blocks[0].timeout range'],
  ['a time-out below zero', call({}, { timeout: -1 }), 'a blocks[0].timeout range'],
  ['a function without code', of('function', {}), 'a blocks[0].params.code required'],
  ['a function with empty code', of('function', { code: '' }), 'a blocks[0].params.code too_short'],
  [
    'a function with too much code',
    of('function', { code: 'x'.repeat(131_073) }),
    'a blocks[0].params.code too_long',
  ],
  ['a function in a list', of('function', { code: ['return 1'] }), 'a blocks[0].params.code type'],
  [
    'a function with arguments',
    of('function', { code: '1', args: [] }),
    'a blocks[0].params.args unknown_key',
  ],
  [
    'a webhook without a secret',
    of('webhook', { url: 'https://a.test', event: 'a' }),
    'a blocks[0].params.secret required',
  ],
  [
    'a webhook with an empty event',
    of('webhook', { url: 'https://a.test', secret: '{{ secrets.S }}', event: '' }),
    'a blocks[0].params.event too_short',
  ],
  [
    'a webhook with a method',
    of('webhook', { url: 'https://a.test', secret: '{{ secrets.S }}', event: 'a', method: 'PUT' }),
    'a blocks[0].params.method unknown_key',
  ],
  ['an mcp block without a tool', of('mcp', { url: 'https://a.test' }), 'a blocks[0].params.tool required'],
  [
    'an mcp block with an address of another kind',
    of('mcp', { url: 'stdio://x', tool: 't' }),
    'a blocks[0].params.url url',
  ],
  ['a model without a name', of('llm', { prompt: 'p' }), 'a blocks[0].params.model required'],
  ['an llm block without a prompt', of('llm', { model: 'm' }), 'a blocks[0].params exactly_one'],
  [
    'half a token',
    of('llm', { model: 'm', prompt: 'p', maxTokens: 1.5 }),
    'a blocks[0].params.maxTokens range',
  ],
  [
    'an empty list of messages',
    of('llm', { model: 'm', messages: [] }),
    'a blocks[0].params.messages too_few',
  ],
  [
    'a message without content',
    of('llm', { model: 'm', messages: [{ role: 'user' }] }),
    'a blocks[0].params.messages[0].content required',
  ],
  [
    'a router without input',
    of('router', { model: 'm', routes: [{ port: 'a', description: 'd' }] }),
    'a blocks[0].params.input required',
  ],
  [
    'a route without a description',
    of('router', { model: 'm', input: 1, routes: [{ port: 'a' }] }),
    'a blocks[0].params.routes[0].description required',
  ],
  [
    'a route with a space',
    of('router', { model: 'm', input: 1, routes: [{ port: 'a b', description: 'd' }] }),
    'a blocks[0].params.routes[0].port pattern',
  ],
  [
    'an evaluator without metrics',
    of('evaluator', { model: 'm', content: 1, metrics: [] }),
    'a blocks[0].params.metrics too_few',
  ],
  [
    'a metric without bounds',
    of('evaluator', { model: 'm', content: 1, metrics: [{ name: 'n', description: 'd' }] }),
    'a blocks[0].params.metrics[0].min required',
    'a blocks[0].params.metrics[0].max required',
  ],
  [
    'a metric with an invalid name',
    of('evaluator', { model: 'm', content: 1, metrics: [{ name: '1n', description: 'd', min: 0, max: 1 }] }),
    'a blocks[0].params.metrics[0].name pattern',
  ],
];
