import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import ts from 'typescript';

/**
 * Prints the measures of this repository: lines by kind, lengths of files and functions, type names that stand in several files,
 * functions that end in Of, and titles of tests without a subject. Run it with `node --conditions=source apps/dev/measures.ts`.
 */
const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' })
  .split('\0')
  .filter((path) => path !== '' && existsSync(path) && !/\.(png|ico|woff2?|gz|wasm)$/.test(path));
const linesOf = (path: string) => readFileSync(path, 'utf8').split('\n').length - 1;
const sum = (paths: string[]) => paths.reduce((lines, path) => lines + linesOf(path), 0);

const isTest = (path: string) => /\.spec\.ts$|\/(test|support|conformance)\//.test(path);
const kinds: Record<string, (path: string) => boolean> = {
  'all files in git': () => true,
  'package-lock.json': (path) => path.endsWith('package-lock.json'),
  'JSON without it': (path) => path.endsWith('.json') && !path.endsWith('package-lock.json'),
  'TypeScript, sources': (path) => path.endsWith('.ts') && !isTest(path),
  'TypeScript, tests': (path) => path.endsWith('.ts') && isTest(path),
  Svelte: (path) => path.endsWith('.svelte'),
  Python: (path) => path.endsWith('.py'),
  SQL: (path) => path.endsWith('.sql'),
  Markdown: (path) => path.endsWith('.md'),
};
for (const [kind, isOfKind] of Object.entries(kinds)) {
  const found = files.filter(isOfKind);
  print(kind, `${sum(found)} lines in ${found.length} files`);
}

const sources = files.filter((path) => path.endsWith('.ts') && !isTest(path));
const functions: { name: string; lines: number }[] = [];
const typeFiles = new Map<string, Set<string>>();
for (const path of sources) {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) functions.push(measure(node, source));
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node)) {
      const name = node.name?.text ?? '';
      typeFiles.set(name, (typeFiles.get(name) ?? new Set()).add(path));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}

function measure(node: ts.SignatureDeclaration, source: ts.SourceFile): { name: string; lines: number } {
  const { line: first } = source.getLineAndCharacterOfPosition(node.getStart(source));
  const { line: last } = source.getLineAndCharacterOfPosition(node.end);
  const named = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined);
  return { name: named?.getText(source) ?? '', lines: last - first + 1 };
}

const spread = (values: number[]) => {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)];
  return `p50 ${at(0.5)}, p90 ${at(0.9)}, most ${at(1)}`;
};
print('lines of a source file', spread(sources.map(linesOf)));
print(`lines of a function (${functions.length})`, spread(functions.map(({ lines }) => lines)));
print('functions that end in Of', String(functions.filter(({ name }) => /[a-z]Of$/.test(name)).length));
print(
  'type names in several files',
  String([...typeFiles.values()].filter((paths) => paths.size > 1).length),
);

/**
 * A title without a subject begins with a verb in the third person, or with a word that only a `describe` before it explains. A noun in
 * the plural ends in s too: the word behind it tells.
 */
const beginsBare =
  /^(and|but|also|with|without|to|for|in|on|from|by|[a-z]+(?<!s)s(?! (are|have|do|of|that|which)\b)|is|are|has|have|does|do)\b /;
const titles: string[] = [];
for (const path of files.filter((name) => name.endsWith('.spec.ts'))) {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    const title = ts.isCallExpression(node) ? node.arguments[0] : undefined;
    const callsTest = ts.isCallExpression(node) && node.expression.getText(source).startsWith('test');
    if (callsTest && title && ts.isStringLiteralLike(title)) titles.push(title.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
}
print('titles of tests', String(titles.length));
print('of them without a subject, about', String(titles.filter((title) => beginsBare.test(title)).length));

function print(what: string, value: string): void {
  process.stdout.write(`${what.padEnd(36)} ${value}\n`);
}
