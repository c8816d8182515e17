import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { compile } from '#libs/language/definition/compile';
import type { Definition } from '#libs/language/definition/definition';
import { render } from '#libs/language/definition/expressions/expressions';
import { validate } from '#libs/language/definition/checks/validate';
import type { Json, JsonObject } from '#libs/platform/json/json';
import type { Effect } from '#libs/language/engine/effects';
import { Run } from '#libs/language/engine/run';

const file = join(import.meta.dirname, 'licence-review.json');
const definition: Definition = JSON.parse(readFileSync(file, 'utf8'));
const inputs = { packages: [], allow: ['MIT'], reportUrl: 'https://reports.test' };

/** The output of the function block for packages with these licences. */
async function grouped(licences: Json[], allow = ['MIT', 'Apache-2.0', 'CC0-1.0']) {
  const block = definition.blocks.find(({ id }) => id === 'group');
  const { code } = block?.type === 'function' ? block.params : { code: '' };
  const packages = licences.map((licence, i) => ({ name: `p${i}`, version: '1.0.0', licence }));
  const output: Promise<object> = runInNewContext(`(async (input) => {\n${code}\n})(input)`, {
    input: { packages, allow },
  });
  return JSON.parse(JSON.stringify(await output));
}

const question = { package: 'left-pad', version: '1.0.0', licence: 'WTFPL', why: 'not on the list' };
const found = (inQuestion: JsonObject[]) => ({ total: 2, allowed: 1, licences: [], inQuestion });

/** A run whose function block has found these packages. */
function givenGrouped(inQuestion: JsonObject[]): { run: Run; next: Effect[] } {
  const run = Run.start(compile(definition), { inputs, run: { id: 'exec_1' }, nowMs: 0 });
  run.takeReady(0);
  run.succeed('group', found(inQuestion), 1);
  return { run, next: run.takeReady(1) };
}

/** Lets the wait pass, and gives the body of the delivery. */
function delivered(run: Run): Json {
  run.succeed('pause', null, 3000);
  const [effect] = run.takeReady(3000);
  if (effect?.kind !== 'activity') throw new Error('The run delivers nothing.');
  return render(effect.params.body ?? null, effect.scope);
}

test('the licence review is valid and gives no warning', () => {
  const { faults, warnings } = validate(definition);
  expect([faults, warnings]).toEqual([[], []]);
});

describe('the function block', () => {
  test.each([
    'MIT',
    'mit',
    ' MIT ',
    '(MIT)',
    'Apache-2.0+',
    'GPL-3.0-only OR MIT',
    '(WTFPL OR (GPL-2.0-only OR CC0-1.0))',
    'MIT AND Apache-2.0',
    'MIT and (GPL-3.0-only or CC0-1.0)',
    'GPL-3.0-only AND WTFPL OR MIT',
    'Apache-2.0 WITH LLVM-exception',
  ])('the function block allows %s', async (licence) => {
    expect(await grouped([licence])).toMatchObject({ total: 1, allowed: 1, inQuestion: [] });
  });

  test.each([
    ['WTFPL', 'not on the list'],
    ['UNLICENSED', 'not on the list'],
    ['MIT AND GPL-3.0-only', 'not on the list'],
    ['MIT OR Apache-2.0 AND', 'not an SPDX expression'],
    ['(MIT', 'not an SPDX expression'],
    ['MIT)', 'not an SPDX expression'],
    ['MIT OR OR MIT', 'not an SPDX expression'],
    ['SEE LICENSE IN LICENSE.md', 'not an SPDX expression'],
    ['MIT/X11', 'not an SPDX expression'],
    ['', 'states no licence'],
    [null, 'states no licence'],
    [{ type: 'MIT' }, 'states no licence'],
  ])('the function block asks about %j: %s', async (licence, why) => {
    expect(await grouped([licence])).toMatchObject({ allowed: 0, inQuestion: [{ package: 'p0', why }] });
  });

  test('the function block asks about an expression that nests too deeply to be read', async () => {
    const { inQuestion } = await grouped(['('.repeat(50_000)]);
    expect(inQuestion).toMatchObject([{ why: 'not an SPDX expression' }]);
  });

  test('the function block counts the packages of each licence, the most frequent first', async () => {
    expect(await grouped(['MIT', null, 'WTFPL', 'MIT'])).toMatchObject({
      total: 4,
      allowed: 2,
      licences: [
        { licence: 'MIT', packages: 2 },
        { licence: 'WTFPL', packages: 1 },
        { licence: 'none', packages: 1 },
      ],
    });
  });
});

describe('a run', () => {
  test('a run with nothing in question asks nobody and passes', () => {
    const { run, next } = givenGrouped([]);
    expect(next).toMatchObject([{ kind: 'wait', untilMs: 2001 }]);
    expect(delivered(run)).toEqual({ run: 'exec_1', verdict: 'passed', note: '', ...found([]) });
  });

  test('a run shows the packages in question as a table', () => {
    const [pause] = givenGrouped([question]).next;
    expect(pause).toMatchObject({
      kind: 'pause',
      title: '1 of 2 packages are in question',
      fields: [
        { label: 'Packages in question', value: [question], format: 'table' },
        { label: 'Allow list', value: ['MIT'] },
      ],
    });
  });

  test.each([
    ['approve', 'approved'],
    ['reject', 'rejected'],
  ])('a run with the answer %s of a person delivers and answers %s', (decision, verdict) => {
    const { run } = givenGrouped([question]);
    run.resume('review', { decision, note: 'Because.' }, 2);
    run.takeReady(2);
    expect(delivered(run)).toEqual({ run: 'exec_1', verdict, note: 'Because.', ...found([question]) });
    run.succeed('deliver', { status: 201, headers: {}, data: { id: 'report-1' } }, 3001);
    run.takeReady(3001);
    expect(run.outcome()).toMatchObject({
      status: 'completed',
      output: {
        verdict,
        report: 'report-1',
        summary: `2 packages, 1 allowed, 1 in question: ${verdict}`,
      },
    });
  });
});
