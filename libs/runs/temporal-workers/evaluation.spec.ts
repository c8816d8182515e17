import evaluation from './evaluation.ts';

const kib = 1024;
const text = (bytes: number) => 'x'.repeat(bytes);
const evaluate = (type: string, params: Record<string, string | object>, v: string) =>
  evaluation({ effect: { type, params: params as never, scope: { vars: { v } } }, bodies: [] });

describe('an evaluation outside of workflow code', () => {
  it('refuses a variable of more than 10 MiB and names it', () => {
    const params = { set: { v: '{{ vars.v + vars.v }}' }, types: { v: 'string' } };
    expect(evaluate('variables', params, text(5 * kib * kib))).toEqual({
      code: 'VALUE_TOO_LARGE',
      message: 'The value of the variable "v" comes to 10485762 bytes; at most 10485760 are allowed.',
    });
    expect(evaluate('variables', params, text(5 * kib * kib - 1))).toHaveProperty('payloads.length', 1);
  });

  it('an evaluation refuses values that come to more than 32 MiB, before it writes them as JSON', () => {
    const params = { data: `{{ [${'vars.v, '.repeat(39)}vars.v] }}` };
    expect(evaluate('response', params, text(kib * kib))).toMatchObject({ code: 'VALUE_TOO_LARGE' });
    expect(evaluate('response', params, text(kib))).toHaveProperty('payloads.length', 1);
  });

  it('refuses a pause of more than 256 KiB', () => {
    const params = { title: 'Read this', message: '{{ vars.v }}' };
    expect(evaluate('human', params, text(256 * kib))).toMatchObject({ code: 'VALUE_TOO_LARGE' });
    expect(evaluate('human', params, text(200 * kib))).toHaveProperty('value.title', 'Read this');
  });
});
