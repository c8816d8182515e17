import { type ApiSchema, type ClientOperation, groupByResource } from './api-document.ts';
import { isNullable, type PythonModels, toPythonType } from './python-models.ts';

const head = `# This file is generated from the description of the API: change that, and run \`npm run clients\`.
"""The calls of each resource."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Dict, List, Literal, cast

from .._options import CallOptions
from .._answers import ANY
from .._requests import UNSET, ApiRequest, segment
from .._uploads import Content, FileInput
from .._async.download import AsyncDownload
from .._async.events import AsyncEventStream
from .._async.flavour import AsyncPageCall
from .._async.resource import AsyncResource
from .._async.transport import AsyncTransport
from . import models
`;

/** Operations whose method the Python client writes by hand. */
const written = new Set(['executeWorkflow', 'resumeExecution']);
const keywords = [
  'async',
  'from',
  'import',
  'in',
  'is',
  'class',
  'def',
  'del',
  'for',
  'global',
  'lambda',
  'not',
  'or',
  'and',
  'pass',
  'with',
];

/** An argument after the ids: its name in the API and in Python, its type, and its default. */
interface Argument {
  api: string;
  name: string;
  type: string;
  absent?: 'None' | 'UNSET';
}

/** The classes of all resources of the asynchronous client, as the source of a module. The synchronous one is made of it. */
export function writePython(operations: ClientOperation[], models: PythonModels): string {
  const resources = groupByResource(operations, written);
  // A class comes after the classes that it uses.
  const names = [...resources.keys()].toSorted((a, b) => b.split('.').length - a.split('.').length);
  const classes = names.map((name) => {
    const inner = names.filter(
      (other) => other.startsWith(`${name}.`) && !other.slice(name.length + 1).includes('.'),
    );
    return writeClass(name, inner, resources.get(name) ?? [], models);
  });
  const source = classes.join('\n\n');
  const begin = /\bUnset\b/.test(source)
    ? head.replace('import UNSET, ApiRequest', 'import UNSET, ApiRequest, Unset')
    : head;
  return [begin, source].join('\n\n');
}

function writeClass(name: string, inner: string[], methods: ClientOperation[], models: PythonModels): string {
  const parts = [`    """The calls of \`client.${name.split('.').map(pythonName).join('.')}\`."""\n`];
  if (inner.length > 0) {
    const members = inner.map(
      (one) => `        self.${pythonName(one.split('.').at(-1) ?? '')} = ${classOf(one)}(transport)`,
    );
    parts.push(
      [
        '    def __init__(self, transport: AsyncTransport) -> None:',
        '        super().__init__(transport)',
        ...members,
        '',
      ].join('\n'),
    );
  }
  return [
    `class ${classOf(name)}(AsyncResource):`,
    [...parts, ...methods.map((one) => writeMethod(one, models))].join('\n'),
  ].join('\n');
}

function writeMethod(one: ClientOperation, models: PythonModels): string {
  const named = argumentsOf(one);
  const ids = one.pathNames.map((name) => `${pythonName(name)}: str${name === 'version' ? ' | int' : ''}`);
  const parameters = [
    'self',
    ...ids,
    ...(one.body === 'content' ? ['content: Content'] : []),
    '*',
    ...named.map(({ name, type, absent }) => `${name}: ${type}${absent ? ` = ${absent}` : ''}`),
    'options: CallOptions | None = None',
  ];
  const names = [
    ...one.pathNames.map(pythonName),
    ...(one.body === 'content' ? ['content'] : []),
    'options',
    ...named.map(({ name }) => name),
  ];
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice) throw new Error(`${one.id} has two arguments ${twice} in the Python client.`);
  const isPlain = one.answer === 'page' || one.answer === 'events';
  const kinds = kindsOf(one, models);
  const verb = { json: 'read', page: 'list', events: 'follow', download: 'download' }[one.answer];
  const call = `${isPlain ? '' : 'await '}self._transport.${verb}(`;
  return [
    `    ${isPlain ? '' : 'async '}def ${pythonName(one.method)}(`,
    ...parameters.map((parameter) => `        ${parameter},`),
    `    ) -> ${returnOf(one, kinds)}:`,
    docOf(one),
    `        return ${call}`,
    '            ApiRequest(',
    ...requestOf(one, named).map((part) => `                ${part},`),
    '            ),',
    ...kinds.map((kind) => `            ${kindArgument(kind)},`),
    '            options,',
    '        )\n',
  ].join('\n');
}

function kindsOf(one: ClientOperation, models: PythonModels): string[] {
  if (one.answer === 'download') return [];
  if (one.answer === 'events') return [`models.${one.eventShape}`];
  const { value, body } = models.answerOf(one.id);
  return one.answer === 'page' ? [value, body] : [value === 'Any' ? 'ANY' : value];
}

/** A union is no class, and is taken where one is asked for all the same. */
function kindArgument(kind: string): string {
  return kind.includes(' | ') ? `cast("type[${kind}]", ${kind})` : kind;
}

function returnOf(one: ClientOperation, kinds: string[]): string {
  if (one.answer === 'download') return 'AsyncDownload';
  if (one.answer === 'events') return `AsyncEventStream[${kinds[0]}]`;
  return one.answer === 'page'
    ? `AsyncPageCall[${kinds.join(', ')}]`
    : (kinds[0]?.replace(/^ANY$/, 'Any') ?? 'Any');
}

function argumentsOf(one: ClientOperation): Argument[] {
  const body = one.body === 'json' || one.body === 'files' ? Object.entries(one.members) : [];
  const inQuery = new Set(one.query.map(({ name }) => name));
  const all = [
    ...one.query.map(({ name, required, schema }) =>
      argumentOf(name, schema ?? {}, required === true, false),
    ),
    ...body
      .filter(([name]) => !inQuery.has(name) && !(one.body === 'files' && name === 'file'))
      .map(([name, schema]) =>
        argumentOf(name, schema, one.body === 'json' && one.requiredMembers.includes(name), true),
      ),
  ];
  if (one.body === 'files')
    all.push({ api: 'files', name: 'files', type: 'FileInput | Sequence[FileInput] | None', absent: 'None' });
  if (one.body === 'content') {
    const types = one.contentTypes.map((type) => JSON.stringify(type)).join(', ');
    all.push({ api: 'contentType', name: 'content_type', type: `Literal[${types}] | None`, absent: 'None' });
  }
  return all;
}

/** A client knows its workspace, so a caller may always leave it out. */
function argumentOf(api: string, schema: ApiSchema, isRequired: boolean, isBody: boolean): Argument {
  const type = inputTypeOf(schema);
  const name = pythonName(api);
  if (isRequired && api !== 'workspaceId') return { api, name, type };
  const hasNull = isBody && (isNullable(schema) || type === 'Any');
  if (hasNull) return { api, name, type: type === 'Any' ? type : `${type} | Unset`, absent: 'UNSET' };
  return { api, name, type: type.endsWith(' | None') ? type : `${type} | None`, absent: 'None' };
}

/** The type of an argument: a model or a dict, and any sequence for a list. */
function inputTypeOf(schema: ApiSchema): string {
  return toPythonType(schema)
    .replaceAll(/models\.\w+/g, '$& | Mapping[str, Any]')
    .replaceAll('List[', 'Sequence[')
    .replaceAll('Dict[', 'Mapping[');
}

function requestOf(one: ClientOperation, named: Argument[]): string[] {
  const path = one.path.replace(/\{(\w+)\}/g, (_, name: string) => `{segment(${pythonName(name)})}`);
  const tuple = (steps: string[]) => `(${steps.map((step) => `"${step}"`).join(', ')},)`;
  const parts = [`"${one.id}"`, `"${one.verb}"`, `${one.pathNames.length > 0 ? 'f' : ''}"${path}"`];
  if (named.length > 0) parts.push(`{${named.map(({ api, name }) => `"${api}": ${name}`).join(', ')}}`);
  if (one.query.length > 0 && one.body !== 'none')
    parts.push(`query_names=${tuple(one.query.map(({ name }) => name))}`);
  const nulls = named.filter(
    ({ type, absent }) => absent === 'UNSET' || (!absent && / \| None|^Any$/.test(type)),
  );
  if (nulls.length > 0) parts.push(`nulls=${tuple(nulls.map(({ api }) => api))}`);
  if (one.body !== 'none') parts.push(`body="${one.body}"`);
  if (one.body === 'content') parts.push('content=content', `content_type="${one.contentTypes[0]}"`);
  if (one.workspaceIn !== 'none') parts.push(`workspace_in="${one.workspaceIn}"`);
  if (one.needsWorkspace) parts.push('needs_workspace=True');
  if (one.takesIdempotencyKey) parts.push('idempotent=True');
  if (one.answer === 'page')
    parts.push(`items_path=${tuple(one.valuePath.map(pythonName))}`, `paging="${one.paging}"`);
  else if (one.valuePath.length > 0) parts.push(`value_path=${tuple(one.valuePath)}`);
  if (one.cursorPath.length > 0) parts.push(`cursor_path=${tuple(one.cursorPath)}`);
  if (one.answer === 'download') parts.push(`accept="${one.answerTypes.join(', ')}"`);
  return parts;
}

function docOf(one: ClientOperation): string {
  const described = Object.entries({
    ...Object.fromEntries(one.query.map((all) => [all.name, all])),
    ...one.members,
  });
  const lines = argumentsOf(one).flatMap(({ api, name }) => {
    const text = described.find(([other]) => other === api)?.[1]?.description;
    return text ? [`${name}: ${text.replaceAll('\n', ' ')}`] : [];
  });
  const summary = one.summary && `${one.summary.replace(/\.$/, '')}.`;
  const text = [summary, one.description, lines.join('\n'), `\`${one.verb} ${one.path}\``]
    .filter(Boolean)
    .join('\n\n');
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''");
  const indented = safe.split('\n').map((line) => (line ? `        ${line.trimEnd()}` : ''));
  return `        """${indented.join('\n').trimStart()}\n        """`;
}

function classOf(name: string): string {
  const parts = name.split('.').map((word) => word[0]?.toUpperCase() + word.slice(1));
  return `Async${parts.join('')}Resource`;
}

/** A name as Python writes it. */
export function pythonName(name: string): string {
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return keywords.includes(snake) ? `${snake}_` : snake;
}
