import type { FormField } from '#libs/language/definition/forms';
import type { Json } from '#libs/platform/json/json';
import { PausePoint } from '#libs/runs/pauses/pause.entity';
import { donePage, pausePage, type PausePageContent } from './resume-page.html.ts';

const field = (name: string, rest: Partial<FormField>): FormField => ({
  name,
  label: name,
  type: 'string',
  required: false,
  ...rest,
});

function bodyOf({
  fields = [],
  form = [],
  message = '',
  ...rest
}: Partial<PausePageContent> & Record<string, unknown>) {
  const display = { name: 'ask', title: 'Well?', message, fields };
  const point = Object.assign(new PausePoint(), { display, form, expiresAt: null, ...rest });
  const html = pausePage({ point, values: new Map(), ...rest });
  return html.slice(html.indexOf('<body>'));
}

const shown = (value: Json, format?: string) =>
  /<dd dir="auto">([^]*)<\/dd>/.exec(bodyOf({ fields: [{ label: 'x', value, format }] }))?.[1];

describe('a value', () => {
  test.each<[Json, string | undefined, string]>([
    ['2026-02-28', 'date', '<time datetime="2026-02-28">28 February 2026</time>'],
    [
      '2026-02-28T23:30:00-02:00',
      'Date',
      '<time datetime="2026-03-01T01:30:00.000Z">1 March 2026 at 01:30 UTC</time>',
    ],
    ['2026-02-30', 'date', '<span class="text">2026-02-30</span>'],
    [1234567.5, 'number', '<span class="num">1,234,567.5</span>'],
    ['-1234567890123456789.01', 'number', '<span class="num">-1,234,567,890,123,456,789.01</span>'],
    ['many', 'number', '<span class="text">many</span>'],
    [
      'mailto:a@b.example',
      'link',
      '<a href="mailto:a@b.example" rel="noopener noreferrer"><bdi>mailto:a@b.example</bdi></a>',
    ],
    ['javascript:alert(1)', 'link', '<span class="text">javascript:alert(1)</span>'],
    ['https://a@b.example', 'link', '<span class="text">https://a@b.example</span>'],
    ['*a*', 'markdown', '<div class="prose"><p dir="auto"><em>a</em></p></div>'],
    ['*a*', 'text', '<span class="text">*a*</span>'],
    ['*a*', undefined, '<span class="text">*a*</span>'],
    [true, undefined, 'Yes'],
    [['MIT', 'ISC', 3], undefined, '<span class="text">MIT, ISC, 3</span>'],
    [null, 'table', '–'],
    ['x', 'whatever', '<span class="text">x</span>'],
    ['x', 'constructor', '<span class="text">x</span>'],
  ])('%j as %s is %s', (value, format, html) => {
    expect(shown(value, format)).toBe(html);
  });

  test('a value opens in a new tab, without a referrer, when it is a web address', () => {
    expect(shown('https://a.example/x', 'link')).toMatch(
      /^<a href="https:\/\/a\.example\/x" rel="noopener noreferrer" target="_blank"><bdi>/,
    );
  });

  test.each([
    ['sparse rows', Array.from({ length: 500 }, (_, n) => ({ [`k${n}`]: n }))],
    ['a list that is not all rows', [{ a: 1 }, 2]],
    ['empty rows', [{}, {}]],
  ])('a value is shown as JSON and not as a table when it is %s', (_, value) => {
    expect(shown(value, 'table')).toMatch(/^<pre /);
  });
});

describe('the question', () => {
  test('the question has a place for the votes so far', () => {
    expect(bodyOf({})).not.toContain('State of the request');
    const lines = ['1 of 2 approvals: Ann, yes, 12:03', '<b>'];
    expect(bodyOf({ state: lines })).toContain(
      '<h2 id="state">State of the request</h2><ul><li dir="auto">1 of 2 approvals: Ann, yes, 12:03</li><li dir="auto">&lt;b&gt;</li></ul>',
    );
  });

  test('the question says by when it must be answered', () => {
    expect(bodyOf({ expiresAt: new Date('2026-11-24T18:02:00.123Z') })).toContain(
      'Please answer by <time datetime="2026-11-24T18:02:00.123Z">24 November 2026 at 18:02 UTC</time>.',
    );
  });

  test('the question offers "no answer" only where a field may stay empty', () => {
    const choices = (rest: Partial<FormField>) =>
      [...bodyOf({ form: [field('a', { type: 'boolean', ...rest })] }).matchAll(/value="(\w*)"/g)].map(
        ([, v]) => v,
      );
    expect(choices({ required: true })).toEqual(['true', 'false']);
    expect(choices({})).toEqual(['true', 'false', '']);
    expect(choices({ default: false })).toEqual(['true', 'false', '']);
  });

  test('the question shows more than five choices as a drop-down list', () => {
    const options = (n: number) => Array.from({ length: n }, (_, i) => ({ label: `${i}`, value: `${i}` }));
    const control = (n: number) =>
      bodyOf({ form: [field('a', { type: 'select', required: true, options: options(n) })] });
    expect(control(5)).not.toContain('<select');
    expect(control(6)).toContain('<option value="" selected>–</option><option value="0">0</option>');
  });
});

describe('the receipt', () => {
  test('the receipt repeats the answers in the words of the form', () => {
    const form = [
      field('ok', { type: 'boolean' }),
      field('size', { type: 'select', options: [{ label: 'Small <', value: 's' }] }),
      field('all', {
        type: 'multiselect',
        options: ['a', 'b'].map((value) => ({ label: `The ${value}`, value })),
      }),
      field('none', {}),
    ];
    const point = Object.assign(new PausePoint(), { form, asking: null });
    const text = donePage(point, { ok: false, size: 's', all: ['a', 'b'], none: null }).replaceAll(
      /<[^>]*>/g,
      ' ',
    );
    expect(text).toMatch(/ok +No +size +Small &lt; +all +The a, The b +none +–/);
  });
});
