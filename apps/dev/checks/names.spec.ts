import ts from 'typescript';
import { testAsWarning } from '#libs/platform/settings/support/warnings';
import { isTestSupport, read, sources } from './repository.ts';

/** Classes with a method of one name, above which the name says too little: a search finds the wrong one. */
const classesMax = 5;

/** Names that more classes may share, each with the reason. */
const sharedNames: Record<string, string> = {
  onModuleDestroy: 'Nest calls it',
  execute: 'the interface of a block, which each type of block implements',
  get: 'reads a stored resource; the service is called as the resource is',
  list: 'reads a page of a stored resource',
  create: 'makes a stored resource',
  update: 'changes a stored resource',
  delete: 'removes a stored resource',
  start: 'begins what `stop` ends',
  stop: 'ends what `start` began',
  close: 'gives back what a handle holds, as in Node',
  up: 'the interface of a migration',
  down: 'the interface of a migration',
};

/** The clients have the names of their users, and no source of the product imports them. */
const product = sources().filter(
  (path) => !isTestSupport(path) && !/^libs\/sdk\/|^apps\/(cli|console)\//.test(path),
);
const parsed = product.map((path) => ({
  path,
  file: ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest),
}));

testAsWarning('an exported type has its name alone in libs and temporal', () => {
  const places = new Map<string, string[]>();
  for (const { path, file } of parsed) {
    if (path.startsWith('apps/')) continue;
    for (const name of exportedTypesOf(file)) places.set(name, [...(places.get(name) ?? []), path]);
  }
  expect([...places].filter(([, paths]) => new Set(paths).size > 1)).toEqual([]);
});

describe('the name of a method', () => {
  const classes = new Map<string, string[]>();
  for (const { path, file } of parsed)
    for (const name of methodsOf(file)) classes.set(name, [...(classes.get(name) ?? []), path]);
  const common = [...classes].filter(([, paths]) => paths.length > classesMax);

  testAsWarning('the name of a method has an object in it when more than five classes would share it', () => {
    expect(common.filter(([name]) => !(name in sharedNames))).toEqual([]);
  });

  testAsWarning('the name of a method is on the list of shared ones only while it is shared', () => {
    const names = common.map(([name]) => name);
    expect(Object.keys(sharedNames).filter((name) => !names.includes(name))).toEqual([]);
  });
});

test('the names of a source are read from its classes and exports', () => {
  const file = ts.createSourceFile(
    'planted.ts',
    'export type A = 1; interface B {} export class C { d() {} private e() {} static f() {} }',
    ts.ScriptTarget.Latest,
  );
  expect([exportedTypesOf(file), methodsOf(file)]).toEqual([['A', 'C'], ['d']]);
});

function exportedTypesOf(file: ts.SourceFile): string[] {
  return file.statements.flatMap((statement) => {
    const isType =
      ts.isClassDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement) ||
      ts.isEnumDeclaration(statement);
    if (!isType || !statement.name || !hasModifier(statement, ts.SyntaxKind.ExportKeyword)) return [];
    return [statement.name.text];
  });
}

/** Methods that other files call on an object. A static one is called with the name of its class, which a search finds. */
function methodsOf(file: ts.SourceFile): string[] {
  return file.statements.filter(ts.isClassDeclaration).flatMap(({ members }) =>
    members.flatMap((member) => {
      if (!ts.isMethodDeclaration(member) || !ts.isIdentifier(member.name)) return [];
      const hidden = [
        ts.SyntaxKind.PrivateKeyword,
        ts.SyntaxKind.ProtectedKeyword,
        ts.SyntaxKind.StaticKeyword,
      ];
      return hidden.some((kind) => hasModifier(member, kind)) ? [] : [member.name.text];
    }),
  );
}

function hasModifier(node: ts.HasModifiers, kind: ts.SyntaxKind): boolean {
  return node.modifiers?.some((modifier) => modifier.kind === kind) === true;
}
