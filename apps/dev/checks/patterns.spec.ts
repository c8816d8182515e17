import { checkSync } from 'recheck';
import ts from 'typescript';
import { testAsWarning } from '#libs/platform/settings/support/warnings';
import { isTestSupport, read, sources } from './repository.ts';

/** Patterns that are put together at run time, each with the reason why nobody's text can make one slow. */
const composed: Record<string, string> = {
  'apps/api/src/http/server.ts': 'of our own routes; between two slashes one class of characters matches',
  'apps/console/src/knowledge/marks.ts': 'literal words, one of which is followed by one class of characters',
  'libs/platform/text/delimiter.ts': 'of one sign of ours, and each match ends where the next begins',
  'libs/worker/effects/redact.ts': 'a literal between two assertions of one character',
};

interface Pattern {
  path: string;
  source: string;
  flags: string;
}

function patternsIn(path: string, text: string): { literals: Pattern[]; composes: boolean } {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const literals: Pattern[] = [];
  let composes = false;
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      literals.push({ path, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    if (ts.isNewExpression(node) || ts.isCallExpression(node))
      composes ||= node.expression.getText(file) === 'RegExp';
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { literals, composes };
}

/** Why the pattern may take longer than its text is long, or nothing. Safe is only what was shown to be. */
function slowness({ path, source, flags }: Pattern): string[] {
  // By time, a busy machine would make a quick pattern look slow; the bounds by steps stay.
  const bySteps = { incubationTimeout: null, seedingTimeout: null, timeout: 120_000, randomSeed: 1 };
  const found = checkSync(source, flags, bySteps);
  return found.status === 'safe' ? [] : [`${path}: /${source}/${flags} is ${found.status}`];
}

const product = sources().filter((path) => !isTestSupport(path));

test('no pattern of the product backtracks for longer than its text is long', () => {
  const all = product.flatMap((path) => patternsIn(path, read(path)).literals);
  const different = new Map(all.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern]));
  expect(different.size).toBeGreaterThan(100);
  expect([...different.values()].flatMap(slowness)).toEqual([]);
});

const composing = product.filter((path) => patternsIn(path, read(path)).composes);

test('patterns are put together at run time only where a reason says why they stay quick', () => {
  expect(composing.filter((path) => !(path in composed))).toEqual([]);
});

testAsWarning('the list of files that put patterns together has none that does so no more', () => {
  expect(Object.keys(composed).filter((path) => !composing.includes(path))).toEqual([]);
});

test.each([
  ['quadratic in what stands before its end', String.raw`const a = text.replace(/\/+$/, '');`],
  ['exponential', 'const a = /^(a+)+$/.test(text);'],
])('a pattern that is %s is found', (_, text) => {
  const [pattern] = patternsIn('some.ts', text).literals;
  expect(pattern && slowness(pattern)).toHaveLength(1);
});
