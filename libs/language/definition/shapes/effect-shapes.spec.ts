import { compile } from '../compile.ts';
import { found, line, type Raw, respond } from '../support/given.ts';
import { validate } from '../checks/validate.ts';

const required: Record<string, Raw> = {
  webhook: { url: 'https://a.test', event: 'order.paid', secret: '{{ secrets.S }}' },
  llm: { model: 'm', prompt: 'p' },
  router: { model: 'm', input: 1, routes: [{ port: 'a', description: 'd' }] },
  evaluator: { model: 'm', content: 1, metrics: [{ name: 'n', description: 'd', min: 0, max: 1 }] },
  mcp: { url: 'https://a.test', tool: 't' },
};
const block = (type: string, params: Raw = {}): Raw => ({
  id: 'a',
  type,
  params: { ...required[type], ...params },
});
const schema = (responseSchema: unknown) => block('llm', { responseSchema });
const deep = (levels: number): Raw =>
  levels === 0 ? { type: 'string' } : { type: 'array', items: deep(levels - 1) };

const wrong: [string, Raw, string[]][] = [
  ['an event with a space', block('webhook', { event: 'a b' }), ['event pattern']],
  ['a secret written out', block('webhook', { secret: 'whsec_abcd' }), ['secret secret_in_clear']],
  ['a secret from an input', block('webhook', { secret: '{{ start.s }}' }), ['secret secret_in_clear']],
  ['a key written out', block('llm', { apiKey: 'sk-1' }), ['apiKey secret_in_clear']],
  [
    'a prompt beside messages',
    block('llm', { messages: [{ role: 'user', content: 'x' }] }),
    [' exactly_one'],
  ],
  [
    'a message of an unknown role',
    { ...block('llm'), params: { model: 'm', messages: [{ role: 'king', content: 'x' }] } },
    ['messages[0].role choice'],
  ],
  ['a temperature of 3', block('llm', { temperature: 3 }), ['temperature range']],
  ['a base address that is not a URL', block('llm', { baseUrl: 'ftp://a' }), ['baseUrl url']],
  ['a router without routes', block('router', { routes: [] }), ['routes too_few']],
  [
    'a route named error',
    block('router', { routes: [{ port: 'error', description: 'd' }] }),
    ['routes[0].port reserved_name'],
  ],
  [
    'two routes of one port',
    block('router', {
      routes: [
        { port: 'a', description: 'd' },
        { port: 'a', description: 'e' },
      ],
    }),
    ['routes[1].port duplicate_port'],
  ],
  [
    'bounds that cross',
    block('evaluator', { metrics: [{ name: 'n', description: 'd', min: 2, max: 1 }] }),
    ['metrics[0].min range'],
  ],
  [
    'two metrics of one name',
    block('evaluator', {
      metrics: [1, 2].map((max) => ({ name: 'n', description: 'd', min: 0, max })),
    }),
    ['metrics[1].name duplicate_name'],
  ],
  ['arguments in a list', block('mcp', { arguments: [1] }), ['arguments type']],
  ['a schema that is a list', schema([]), ['responseSchema type']],
  ['a reference in a schema', schema({ $ref: '#' }), ['responseSchema["$ref"] unsupported']],
  [
    'a pattern in a schema',
    schema({ properties: { x: { type: 'string', pattern: '(a+)+$' } } }),
    ['responseSchema.properties.x.pattern unsupported'],
  ],
  ['a keyword of every object', schema({ toString: 1 }), ['responseSchema.toString unsupported']],
  ['an unknown type in a schema', schema({ type: 'money' }), ['responseSchema.type choice']],
  ['a bound that is text', schema({ items: { minimum: '1' } }), ['responseSchema.items.minimum type']],
  ['a template in a schema', schema({ enum: ['{{ start.x }}'] }), ['responseSchema.enum[0] no_template']],
  ['a choice that is there twice', schema({ enum: ['a', 'a'] }), ['responseSchema.enum[1] duplicate_member']],
  ['a schema of 17 levels', schema(deep(17)), [`responseSchema${'.items'.repeat(17)} too_deep`]],
  [
    'a schema of 40,000 characters',
    schema({ enum: Array.from({ length: 5 }, (_, i) => String(i).repeat(8000)) }),
    ['responseSchema too_long'],
  ],
];

describe('effect blocks', () => {
  test.each(wrong)('%s is refused', (_name, given, faults) => {
    const paths = faults.map((fault) => `blocks[0].params.${fault}`.replace('params. ', 'params '));
    expect(found(line([given]))).toEqual(paths);
  });

  test.each(Object.keys(required))('%s is compiled with its default retry and time-out', (type) => {
    const { definition, faults } = validate(line([block(type)]));
    expect(faults).toEqual([]);
    if (!definition) throw new Error('it has no faults');
    const [planned] = compile(definition).blocks;
    expect(planned).toMatchObject({ type, retry: { maxAttempts: 1 }, timeoutMs: expect.any(Number) });
  });

  test('an ordinary schema passes', () => {
    const person = { type: ['object', 'null'], properties: { type: { type: 'string', maxLength: 9 } } };
    const whole = {
      title: 'T',
      type: 'object',
      properties: { people: { type: 'array', items: { anyOf: [person, { const: null }] }, maxItems: 3 } },
      required: ['people'],
      additionalProperties: { type: 'number', exclusiveMinimum: 0 },
    };
    expect(found(line([schema(whole)]))).toEqual([]);
  });
});

describe('a router', () => {
  const wired = (port: string): Raw => ({
    blocks: [block('router'), respond('b', '{{ a.port }}')],
    edges: [
      { from: 'start', to: 'a' },
      { from: 'a', port, to: 'b' },
    ],
  });

  test('a router is left only by its routes and by error', () => {
    expect(['a', 'error'].flatMap((port) => found(wired(port)))).toEqual([]);
    expect(['out', 'else'].flatMap((port) => found(wired(port)))).toEqual([
      'edges[1].port unknown_port',
      'edges[1].port unknown_port',
    ]);
  });

  test('a router may skip the blocks behind a route', () => {
    const { warnings } = validate({
      blocks: [block('router'), respond('b', 1), { ...respond('c', '{{ b.data }}') }],
      edges: [
        { from: 'start', to: 'a' },
        { from: 'a', port: 'a', to: 'b' },
        { from: 'a', port: 'error', to: 'c' },
        { from: 'b', to: 'c' },
      ],
    });
    expect(warnings).toEqual(['blocks[2].params.data: "b" may be skipped, and then reads as null.']);
  });
});
