import { readFileSync } from 'node:fs';
import { knownFunctions } from '#libs/language/definition/expressions/cel';
import { inputTypes } from '#libs/language/definition/definition';
import { evaluate, render, renderParams } from '#libs/language/definition/expressions/expressions';
import { runMembers } from '#libs/language/definition/checks/reads';
import type { Json } from '#libs/platform/json/json';
import { reservedIds } from '#libs/language/definition/checks/wiring';

const page = readFileSync('apps/docs/pages/expressions.md', 'utf8');
const scope: Record<string, Json> = JSON.parse(/```json\n([^]*?)```/.exec(page)?.[1] ?? '{}');

/** The rows of all tables with this head: their first cell, and their second without the marks of code. */
function rowsOf(head: string): [string, string][] {
  const tables = page.split(`| ${head} |\n|---|---|\n`).slice(1);
  return tables.flatMap((text) =>
    [...(/^(\|.*\n)+/.exec(text)?.[0] ?? '').matchAll(/^\| `(.+?)` \| (.+) \|$/gm)].map(
      ([, source = '', result = '']): [string, string] => [
        source.replaceAll('\\|', '|'),
        result.replaceAll(/^`|`$/g, ''),
      ],
    ),
  );
}

const examples = rowsOf('expression | result');
const templates = rowsOf('template | result');
const failures = rowsOf('expression | message');

describe('the page on expressions', () => {
  test.each(examples)('the page on expressions tells the result of %s', (source, result) => {
    expect(evaluate(source, scope)).toEqual(JSON.parse(result));
  });

  test.each(templates)('the page on expressions tells the result for %s', (template, result) => {
    expect(render(template, scope)).toEqual(JSON.parse(result));
  });

  test.each(failures)('the page on expressions tells why %s fails', (source, reason) => {
    expect(() => evaluate(source, scope)).toThrow(reason);
  });

  test('the page on expressions tells the address that a value in it gives', () => {
    const table = page.split('| `url` | `start.x` | address |\n|---|---|---|\n')[1] ?? '';
    const rows = [...(/^(\|.*\n)+/.exec(table)?.[0] ?? '').matchAll(/^\| `(.+)` \| `(.+)` \| `(.+)` \|$/gm)];
    expect(rows.length).toBeGreaterThan(4);
    for (const [, url = '', x = '', address] of rows)
      expect(renderParams({ url }, { start: { x } })).toEqual({ url: address });
  });

  test('the page on expressions has an example of every function and macro that can be called', () => {
    expect(examples.length).toBeGreaterThan(80);
    const shown = examples.map(([source]) => source).join('\n');
    const names = knownFunctions().map(({ name }) => name);
    expect(names).toContain('lowerAscii');
    expect(names.filter((name) => !new RegExp(`\\b${name}\\(`).test(shown))).toEqual([]);
  });

  test('the page on expressions names every member of run, every type of an input and every id that is refused', () => {
    expect(page.match(/(?<=^\| `run\.)\w+(?=` \|)/gm)).toEqual([...runMembers]);
    const [, inputs = ''] = page.split('| type | accepted values |');
    expect(inputs.match(/(?<=^\| `)\w+(?=` \|)/gm)).toEqual([...inputTypes]);
    const [, ids = ''] = /cannot be ids:\n\n([^]*?)\n\n/.exec(page) ?? [];
    expect((ids.match(/\w+/g) ?? []).toSorted()).toEqual([...reservedIds].toSorted());
  });
});
