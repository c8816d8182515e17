import type { Operation } from './api-document.ts';

const head = `// This file is generated from the description of the API: change that, and run \`npm run clients\`.
import type { Call, PageCall } from '../call.ts';
import type { CallOptions } from '../options.ts';
import type { Download } from '../download.ts';
import type { EventStream } from '../events.ts';
import type { Content, FileInput } from '../uploads.ts';
import { Resource } from '../resource.ts';
import type { AnswerOf, BodyOf, DataOf, FormOf, QueryOf, WorkspaceOptional } from '../shapes.ts';
`;

/** Operations whose method the TypeScript client writes by hand. */
const written = new Set(['executeWorkflow', 'resumeExecution']);

/** The classes of all resources, as the source of a module: a method for each operation, with the words of the description. */
export function writeTypeScript(operations: Operation[]): string {
  const resources = new Map<string, Operation[]>();
  for (const one of operations) {
    for (let depth = 1; depth <= one.resource.length; depth++) {
      const name = one.resource.slice(0, depth).join('.');
      if (!resources.has(name)) resources.set(name, []);
    }
    if (!written.has(one.id)) resources.get(one.resource.join('.'))?.push(one);
  }
  const classes = [...resources].map(([name, methods]) => {
    const inner = [...resources.keys()].filter((other) => parentOf(other) === name);
    return writeClass(name, inner, methods);
  });
  return [head, ...classes].join('\n');
}

function writeClass(name: string, inner: string[], methods: Operation[]): string {
  const members = inner.map(
    (other) => `  readonly ${other.split('.').at(-1)} = new ${classOf(other)}(this.transport);\n`,
  );
  const body = [...members, ...methods.map(writeMethod)].join('\n');
  return `/** The calls of \`client.${name}\`. */\nexport class ${classOf(name)} extends Resource {\n${body}}\n`;
}

function writeMethod(one: Operation): string {
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
function verbOf({ answer }: Operation): string {
  return { json: 'read', page: 'list', events: 'follow', download: 'download' }[answer];
}

function typeOf(one: Operation): string {
  if (one.answer === 'events') return `EventStream<AnswerOf<'getJob'>>`;
  if (one.answer === 'download') return 'Call<Download>';
  const answer = `AnswerOf<'${one.id}'>`;
  if (one.answer === 'json') return `Call<${one.valuePath.length > 0 ? `DataOf<'${one.id}'>` : answer}>`;
  const item = `${answer}${one.valuePath.map((step) => `['${step}']`).join('')}[number]`;
  return `PageCall<${item}, ${answer}>`;
}

function paramsTypeOf(one: Operation): string {
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
function hasRequired(one: Operation): boolean {
  const query = one.query.some(({ name, required }) => required && name !== 'workspaceId');
  const body = one.body === 'json' && one.requiredMembers.some((name) => name !== 'workspaceId');
  return query || body;
}

function requestOf(one: Operation): string[] {
  const path = one.path.replace(/\{(\w+)\}/g, (_, name: string) => `\${this.segment(${name})}`);
  const hasParams = paramsTypeOf(one) !== '';
  const parts = [`id: '${one.id}'`, `verb: '${one.verb}'`, `path: \`${path}\``];
  if (hasParams) parts.push('params');
  if (one.query.length > 0 && one.body !== 'none')
    parts.push(`queryNames: [${one.query.map(({ name }) => `'${name}'`).join(', ')}]`);
  if (one.body !== 'none') parts.push(`body: '${one.body}'`);
  if (one.body === 'content') parts.push('content');
  if (one.workspaceIn !== 'none') parts.push(`workspaceIn: '${one.workspaceIn}'`);
  if (one.takesIdempotencyKey) parts.push('idempotent: true');
  if (one.valuePath.length > 0)
    parts.push(`valuePath: [${one.valuePath.map((step) => `'${step}'`).join(', ')}]`);
  if (one.cursorPath.length > 0)
    parts.push(`cursorPath: [${one.cursorPath.map((step) => `'${step}'`).join(', ')}]`);
  if (one.answer === 'page') parts.push(`paging: '${one.paging}'`);
  if (one.answer === 'download') parts.push(`accept: '${one.answerTypes.join(', ')}'`);
  return parts;
}

function docOf(one: Operation): string {
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

function parentOf(name: string): string {
  return name.split('.').slice(0, -1).join('.');
}
