import { type ClientOperation, groupByResource } from './api-document.ts';

/** The types that a method may name, by the file that exports them. */
const types = {
  call: ['Call', 'PageCall'],
  options: ['CallOptions'],
  download: ['Download'],
  events: ['EventStream'],
  uploads: ['Content', 'FileInput'],
  shapes: ['AnswerOf', 'BodyOf', 'DataOf', 'FormOf', 'QueryOf', 'Schemas', 'WorkspaceOptional'],
};

/** Operations whose method the TypeScript client writes by hand. */
const written = new Set(['executeWorkflow', 'resumeExecution']);

/**
 * The sources of all resources by file name: a method for each operation, with its description. Each outer resource has
 * its own file, so that a web page loads only the resources that it calls.
 */
export function writeTypeScript(operations: ClientOperation[]): Map<string, string> {
  const resources = groupByResource(operations, written);
  const files = new Map<string, string[]>();
  for (const [name, methods] of resources) {
    const inner = [...resources.keys()].filter((other) => parentOf(other) === name);
    const file = `${dashed(name.split('.')[0] ?? '')}.ts`;
    files.set(file, [...(files.get(file) ?? []), writeClass(name, inner, methods)]);
  }
  return new Map([...files].map(([file, classes]) => [file, [headFor(classes), ...classes].join('\n')]));
}

/** The linter refuses a type that is imported and not named. */
function headFor(classes: string[]): string {
  const code = classes.join('').replaceAll(/^ *\/?\*.*$/gm, '');
  const words = new Set(code.split(/\W+/));
  const imports = Object.entries(types).flatMap(([file, names]) => {
    const used = names.filter((name) => words.has(name));
    return used.length > 0 ? [`import type { ${used.join(', ')} } from '../${file}.ts';`] : [];
  });
  return [
    '// This file is generated from the description of the API: change that, and run `npm run build`.',
    ...imports,
    `import { Resource } from '../resource.ts';\n`,
  ].join('\n');
}

function writeClass(name: string, inner: string[], methods: ClientOperation[]): string {
  const members = inner.map(
    (other) => `  readonly ${other.split('.').at(-1)} = new ${classOf(other)}(this.transport);\n`,
  );
  const body = [...members, ...methods.map(writeMethod)].join('\n');
  return `/** The calls of \`client.${name}\`. */\nexport class ${classOf(name)} extends Resource {\n${body}}\n`;
}

function writeMethod(one: ClientOperation): string {
  const names = one.pathNames.map((name) => `${name}: string${name === 'version' ? ' | number' : ''}`);
  if (one.body === 'content') names.push('content: Content');
  const params = paramsTypeOf(one);
  if (params) names.push(`params: ${params}${hasRequired(one) ? '' : ' = {}'}`);
  names.push('options: CallOptions = {}');
  return [
    docOf(one),
    `  ${one.method}(${names.join(', ')}): ${typeOf(one)} {`,
    `    return this.transport.${verbOf(one)}({ ${requestOf(one).join(', ')} }, options);`,
    '  }\n',
  ].join('\n');
}

/** The method of the transport that reads the answer. */
function verbOf({ answer }: ClientOperation): string {
  return { json: 'read', page: 'list', events: 'follow', download: 'download' }[answer];
}

function typeOf(one: ClientOperation): string {
  if (one.answer === 'events') return `EventStream<Schemas['${one.eventShape}']>`;
  if (one.answer === 'download') return 'Call<Download>';
  const answer = `AnswerOf<'${one.id}'>`;
  if (one.answer === 'json') return `Call<${one.valuePath.length > 0 ? `DataOf<'${one.id}'>` : answer}>`;
  const item = `${answer}${one.valuePath.map((step) => `['${step}']`).join('')}[number]`;
  return `PageCall<${item}, ${answer}>`;
}

function paramsTypeOf(one: ClientOperation): string {
  const parts = [
    ...(one.query.length > 0 ? [`QueryOf<'${one.id}'>`] : []),
    ...(one.body === 'json' && Object.keys(one.members).length > 0 ? [`BodyOf<'${one.id}'>`] : []),
    ...(one.body === 'files' ? [`FormOf<'${one.id}'>`, '{ files?: FileInput | FileInput[] }'] : []),
    ...(one.body === 'content'
      ? [`{ contentType?: ${one.contentTypes.map((type) => `'${type}'`).join(' | ')} }`]
      : []),
  ];
  const joined = parts.join(' & ');
  return one.workspaceIn !== 'none' && joined ? `WorkspaceOptional<${joined}>` : joined;
}

/** True when a caller must give something besides the workspace, which a client may know. */
function hasRequired(one: ClientOperation): boolean {
  const query = one.query.some(({ name, required }) => required && name !== 'workspaceId');
  const body = one.body === 'json' && one.requiredMembers.some((name) => name !== 'workspaceId');
  return query || body;
}

function requestOf(one: ClientOperation): string[] {
  const path = one.path.replace(/\{(\w+)\}/g, (_, name: string) => `\${this.segment(${name})}`);
  const hasParams = paramsTypeOf(one) !== '';
  const parts = [`id: '${one.id}'`, `verb: '${one.verb}'`, `path: \`${path}\``];
  if (hasParams) parts.push('params');
  if (one.query.length > 0 && one.body !== 'none')
    parts.push(`queryNames: [${one.query.map(({ name }) => `'${name}'`).join(', ')}]`);
  if (one.body !== 'none') parts.push(`body: '${one.body}'`);
  if (one.body === 'content') parts.push('content', `contentType: '${one.contentTypes[0]}'`);
  if (one.workspaceIn !== 'none') parts.push(`workspaceIn: '${one.workspaceIn}'`);
  if (one.needsWorkspace) parts.push('needsWorkspace: true');
  if (one.takesIdempotencyKey) parts.push('idempotent: true');
  if (one.valuePath.length > 0)
    parts.push(`valuePath: [${one.valuePath.map((step) => `'${step}'`).join(', ')}]`);
  if (one.cursorPath.length > 0)
    parts.push(`cursorPath: [${one.cursorPath.map((step) => `'${step}'`).join(', ')}]`);
  if (one.answer === 'page') parts.push(`paging: '${one.paging}'`);
  if (one.answer === 'download') parts.push(`accept: '${one.answerTypes.join(', ')}'`);
  return parts;
}

function docOf(one: ClientOperation): string {
  const text = [one.summary && `${one.summary.replace(/\.$/, '')}.`, one.description]
    .filter(Boolean)
    .join('\n\n');
  const call = `\`${one.verb} ${one.path}\``;
  const safe = [text, call].join('\n\n').replaceAll('*/', '*\\/');
  return ['  /**', ...safe.split('\n').map((line) => `   * ${line}`.trimEnd()), '   */'].join('\n');
}

function classOf(name: string): string {
  const words = name.split('.').map((word) => word[0]?.toUpperCase() + word.slice(1));
  return `${words.join('')}Resource`;
}

/** A name as files have it: `mcp-servers`. */
function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function parentOf(name: string): string {
  return name.split('.').slice(0, -1).join('.');
}
