import { human, line, type Raw, respond } from '../given.ts';
import { child, code, condition, type Row, set, wait } from './row.ts';

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1]));
const declared = { variables: { v: { type: 'number' } } };

const asking = (params: Raw) => line([human('a', params)]);
const field = (more: Raw) => asking({ form: [{ name: 'x', type: 'string', ...more }] });

export const people: Row[] = [
  [
    'a human block without a title',
    line([{ id: 'a', type: 'human', params: {} }]),
    'a blocks[0].params.title required',
  ],
  ['an empty title', asking({ title: '' }), 'a blocks[0].params.title too_short'],
  ['a title of 2,001 characters', asking({ title: 'x'.repeat(2001) }), 'a blocks[0].params.title too_long'],
  ['a message in a list', asking({ message: ['x'] }), 'a blocks[0].params.message type'],
  [
    'fields without labels',
    asking({ fields: [{ value: 1 }] }),
    'a blocks[0].params.fields[0].label required',
  ],
  [
    'a field without a value',
    asking({ fields: [{ label: 'x' }] }),
    'a blocks[0].params.fields[0].value required',
  ],
  ['a form in an object', asking({ form: { x: 'string' } }), 'a blocks[0].params.form type'],
  [
    '101 fields of a form',
    asking({ form: Array.from({ length: 101 }, (_, i) => ({ name: `f${i}`, type: 'string' })) }),
    'a blocks[0].params.form too_many',
  ],
  ['a field of an unknown type', field({ type: 'colour' }), 'a blocks[0].params.form[0].type choice'],
  ['a field without a type', asking({ form: [{ name: 'x' }] }), 'a blocks[0].params.form[0].type required'],
  ['a field name with a dash', field({ name: 'a-b' }), 'a blocks[0].params.form[0].name pattern'],
  [
    'a field that is required by text',
    field({ required: 'yes' }),
    'a blocks[0].params.form[0].required type',
  ],
  [
    'a default of another type',
    field({ type: 'boolean', default: 'yes' }),
    'a blocks[0].params.form[0].default type',
  ],
  [
    'a default above the most',
    field({ type: 'number', max: 1, default: 2 }),
    'a blocks[0].params.form[0].default max',
  ],
  [
    'a default that is not a date',
    field({ type: 'date', default: 'tomorrow' }),
    'a blocks[0].params.form[0].default type',
  ],
  [
    'a length of a boolean',
    field({ type: 'boolean', min: 1 }),
    'a blocks[0].params.form[0].min not_applicable',
  ],
  ['no options', field({ type: 'select', options: [] }), 'a blocks[0].params.form[0].options too_few'],
  [
    'an option without a value',
    field({ type: 'select', options: [{ label: 'x' }] }),
    'a blocks[0].params.form[0].options[0].value required',
  ],
  [
    'defaults that are no options',
    field({ type: 'multiselect', options: ['a'], default: ['a', 'b'] }),
    'a blocks[0].params.form[0].default option',
  ],
  ['an expiry of no time', asking({ expiresAfter: 0 }), 'a blocks[0].params.expiresAfter range'],
  ['an expiry in two years', asking({ expiresAfter: 'P2Y' }), 'a blocks[0].params.expiresAfter range'],
  ['an expiry in words', asking({ expiresAfter: 'tomorrow' }), 'a blocks[0].params.expiresAfter duration'],
  [
    'another onExpiry',
    asking({ expiresAfter: 60, onExpiry: 'repeat' }),
    'a blocks[0].params.onExpiry choice',
  ],
  ['metadata in a list', asking({ metadata: [] }), 'a blocks[0].params.metadata type'],
  [
    'a retry of a human block',
    line([{ ...human('a'), retry: { maxAttempts: 2 } }]),
    'a blocks[0].retry unknown_key',
  ],
];

export const pure: Row[] = [
  ['a wait below zero', line([wait('a', { duration: -1 })]), 'a blocks[0].params.duration range'],
  ['a wait in a list', line([wait('a', { duration: [1] })]), 'a blocks[0].params.duration type'],
  ['a wait until a number', line([wait('a', { until: 5 })]), 'a blocks[0].params.until type'],
  [
    'a wait until the 30th of February',
    line([wait('a', { until: '2026-02-30' })]),
    'a blocks[0].params.until moment',
  ],
  [
    'a wait for something else',
    line([wait('a', { duration: 1, event: 'x' })]),
    'a blocks[0].params.event unknown_key',
  ],
  [
    'a condition with parameters',
    line([{ ...condition('a', 'true'), params: {} }]),
    'a blocks[0].params unknown_key',
  ],
  ['a condition without any case', line([{ id: 'a', type: 'condition' }]), 'a blocks[0].cases required'],
  [
    'a case without a test',
    line([{ id: 'a', type: 'condition', cases: [{ port: 'x' }] }]),
    'a blocks[0].cases[0].when required',
  ],
  [
    'a case without a port',
    line([{ id: 'a', type: 'condition', cases: [{ when: 'true' }] }]),
    'a blocks[0].cases[0].port required',
  ],
  ['a case whose test is true itself', line([condition('a', true)]), 'a blocks[0].cases[0].when type'],
  ['a case of an empty port', line([condition('a', 'true', '')]), 'a blocks[0].cases[0].port too_short'],
  ['a case named out', line([condition('a', 'true', 'out')]), 'a blocks[0].cases[0].port reserved_name'],
  [
    'a case named expired',
    line([condition('a', 'true', 'expired')]),
    'a blocks[0].cases[0].port reserved_name',
  ],
  [
    '51 cases',
    line([
      {
        id: 'a',
        type: 'condition',
        cases: Array.from({ length: 51 }, (_, i) => ({ port: `p${i}`, when: 'true' })),
      },
    ]),
    'a blocks[0].cases too_many',
  ],
  [
    'a status of 600',
    line([{ id: 'a', type: 'response', params: { status: 600 } }]),
    'a blocks[0].params.status range',
  ],
  [
    'a status in words',
    line([{ id: 'a', type: 'response', params: { status: 'ok' } }]),
    'a blocks[0].params.status type',
  ],
  [
    'a raw that is text',
    line([{ id: 'a', type: 'response', params: { raw: 'true' } }]),
    'a blocks[0].params.raw type',
  ],
  [
    'a response header in two lines',
    line([{ id: 'a', type: 'response', params: { headers: { x: 'a\nb' } } }]),
    'a blocks[0].params.headers.x pattern',
  ],
  [
    'a response with a body',
    line([{ id: 'a', type: 'response', params: { body: 1 } }]),
    'a blocks[0].params.body unknown_key',
  ],
  [
    'a set of nothing named',
    line([{ id: 'a', type: 'variables', params: {} }]),
    'a blocks[0].params.set required',
  ],
  ['a set in a list', line([set('a', ['v'])]), 'a blocks[0].params.set type'],
  [
    'a variable that is a path',
    line([set('a', { 'v.x': 1 })], declared),
    'a blocks[0].params.set["v.x"] pattern',
    'a blocks[0].params.set["v.x"] unknown_variable',
  ],
  [
    '101 variables at once',
    line([set('a', many(101))], {
      variables: Object.fromEntries(Object.keys(many(101)).map((name) => [name, { type: 'number' }])),
    }),
    'a blocks[0].params.set too_many',
  ],
  ['a child without a workflow', line([child('a', {})]), 'a blocks[0].params.workflowId required'],
  [
    'a child by a template',
    line([child('a', { workflowId: '{{ start.id }}' })]),
    'a blocks[0].params.workflowId pattern',
  ],
  [
    'inputs of a child in a list',
    line([child('a', { workflowId: 'wf_1', inputs: [1] })]),
    'a blocks[0].params.inputs type',
  ],
  [
    'a child with a version',
    line([child('a', { workflowId: 'wf_1', version: 2 })]),
    'a blocks[0].params.version unknown_key',
  ],
  ['a time-out of a response', line([{ ...respond('a', 1), timeout: 5 }]), 'a blocks[0].timeout unknown_key'],
  [
    'cases of a function',
    line([{ ...code('a', { code: '1' }), cases: [] }]),
    'a blocks[0].cases unknown_key',
  ],
];
