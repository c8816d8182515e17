import ts from 'typescript';
import { testAsWarning } from '#libs/platform/settings/support/warnings';
import { isTestSupport, sources } from './repository.ts';

/** Texts of one unit a character, and samples that are only looked at, each with its reason. */
const spared: Record<string, string> = {
  'apps/api/src/limits/usage.controller.ts: to': 'a date of ours',
  'apps/api/src/pauses/display.html.ts: at': 'a date in ISO form',
  'libs/knowledge/parsing/encoding.ts: text': 'a sample, to find the encoding',
  'libs/knowledge/parsing/kinds.ts: text': 'a sample, to find the kind of a file',
  'libs/language/definition/durations.ts: text': 'a date in ISO form',
  'libs/language/definition/expressions/functions.ts: (days[moment.getUTCDay()]': 'a name of ours',
  'libs/language/definition/expressions/functions.ts: (months[moment.getUTCMonth()]': 'a name of ours',
  'libs/platform/json/kept-digits.ts: found': 'digits',
  'libs/platform/text/delimiter.ts: text': 'a sample, to find the delimiter',
  'libs/tables/schema/cells.ts: fraction': 'digits',
  'libs/workspace/mcp-servers/tool-names.ts: plain': 'letters and digits of ASCII',
  'libs/workspace/mcp-servers/tool-names.ts: name': 'letters and digits of ASCII',
};

/** The programs that keep and send no texts of others. */
const outside = /^apps\/(bench|clients|console|deploy|dev|docs|faults|local)\//;

/** Returns the texts that are cut to a number of UTF-16 units or to a bound, with their files. */
function cutsIn(paths: string[]): string[] {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile('tsconfig.json', ts.sys.readFile).config,
    ts.sys,
    '.',
  );
  const program = ts.createProgram(paths, { ...options, types: [], skipLibCheck: true });
  const checker = program.getTypeChecker();
  return paths.flatMap((path) => {
    const file = program.getSourceFile(path);
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      const cut = ts.isCallExpression(node) && file && textThatIsCut(node, file, checker);
      if (cut && !/digest\(|sha256|sum$|toISOString\(/.test(cut))
        found.push(`${path}: ${cut.split(/\s/, 1)[0]}`);
      ts.forEachChild(node, visit);
    };
    if (file) visit(file);
    return found;
  });
}

/** Returns the text that the call cuts to so many UTF-16 units; nothing for any other call, and for lists and bytes. */
function textThatIsCut(
  { expression, arguments: args }: ts.CallExpression,
  file: ts.SourceFile,
  checker: ts.TypeChecker,
): string | undefined {
  if (!ts.isPropertyAccessExpression(expression)) return undefined;
  if (!['slice', 'substring', 'substr'].includes(expression.name.text)) return undefined;
  const [from, to = ''] = args.map((arg) => arg.getText(file));
  if (from !== '0' || !/^(\d|\w*(most|max|limit|chars|bytes|length)\b)/i.test(to)) return undefined;
  const { flags } = checker.getTypeAtLocation(expression.expression);
  return flags & ts.TypeFlags.StringLike ? expression.expression.getText(file) : undefined;
}

const product = sources().filter(
  (path) => path.endsWith('.ts') && !isTestSupport(path) && !outside.test(path),
);
const found = [...new Set(cutsIn(product))];

test('no text that is stored or sent is cut by anything but cutText, which keeps whole characters', () => {
  expect(found.filter((cut) => !(cut in spared))).toEqual([]);
});

testAsWarning('the list of spared cuts has none that no source makes any more', () => {
  expect(Object.keys(spared).filter((cut) => !found.includes(cut))).toEqual([]);
});
