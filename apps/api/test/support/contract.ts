import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';

interface Described {
  $ref?: string;
  content?: Record<string, { schema?: object }>;
}

interface Operation {
  operationId: string;
  responses: Record<string, Described>;
}

export interface Contract {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Described> };
}

/** One request and its response, as far as the description of the API covers them. */
export interface Exchange {
  method: string;
  /** With or without a query. */
  path: string;
  status: number;
  headers: Headers;
  /** Parsed JSON when the response is JSON, otherwise text. */
  body: unknown;
}

export const contract: Contract = JSON.parse(readFileSync('apps/api/openapi.json', 'utf8'));

// Each schema is compiled in each test file and used a few times, so an optimized validator costs more than it brings.
const ajv = new Ajv2020({
  allErrors: true,
  allowUnionTypes: true,
  validateSchema: false,
  code: { optimize: false },
});
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
ajv.addFormat('uri', (text) => URL.canParse(text));
ajv.addFormat('email', /^[^@\s]+@[^@\s]+$/);
// The document itself is no schema. The schemas in it are compiled by their path.
ajv.addVocabulary(Object.keys(contract));
ajv.addSchema(closed(contract), 'api');

/**
 * The parts of a response that `openapi.json` does not describe: its status, its type, or a member of its body. Empty
 * when everything is described. Pages and the codec are not in the document; only their refusals are checked.
 */
export function departures(exchange: Exchange): string[] {
  const { method, status, headers, body } = exchange;
  if (method === 'HEAD' || method === 'OPTIONS') return [];
  const type = (headers.get('content-type') ?? '').split(';')[0] ?? '';
  const match = findOperation(method, exchange.path);
  if (!match) return status >= 400 && type === 'application/json' ? faultsIn(errorSchema, body) : [];
  const { place, operation } = match;
  // A raw response belongs to the workflow. Its content policy marks it.
  const isRaw = headers.get('content-security-policy')?.startsWith('sandbox') === true;
  const key = isRaw ? 'default' : String(status);
  const described = operation.responses[key];
  if (!described) return [`${operation.operationId} has no answer ${key}`];
  const reference = described.$ref?.slice(2);
  const { content } = reference ? (contract.components.responses[last(reference)] ?? {}) : described;
  const answer = reference ?? `${place}/responses/${key}`;
  if (isRaw) return [];
  if (!content?.[type]) return [`${operation.operationId} ${status} has no ${type || 'empty'} body`];
  if (type !== 'application/json') return [];
  return faultsIn(`${answer}/${pointer('content', type, 'schema')}`, body);
}

/** The operation of a request. When two paths fit, the path with fewer parameters wins, as in the router. */
export function findOperation(
  method: string,
  path: string,
): { place: string; operation: Operation; parameters: Record<string, string> } | undefined {
  const bare = path.split('?')[0] ?? '';
  const [fitting] = Object.keys(contract.paths)
    .flatMap((template) => {
      const match = new RegExp(`^${template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`).exec(bare);
      return match ? [{ template, parameters: { ...match.groups } }] : [];
    })
    .toSorted((a, b) => a.template.split('{').length - b.template.split('{').length);
  const operation = contract.paths[fitting?.template ?? '']?.[method.toLowerCase()];
  if (!fitting || !operation) return undefined;
  const { template, parameters } = fitting;
  return { place: pointer('paths', template, method.toLowerCase()), operation, parameters };
}

const errorSchema = 'components/schemas/ErrorView';

function faultsIn(schema: string, body: unknown): string[] {
  const validate = ajv.getSchema(`api#/${schema}`);
  if (!validate) return [`there is no schema ${schema}`];
  if (validate(body)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`,
  );
}

/**
 * Closes every schema of the document, so that an undescribed member is a departure. The published schemas are open, to
 * leave room for new members.
 */
function closed(node: unknown, isMap = false): object {
  if (typeof node !== 'object' || node === null) return node as never;
  if (Array.isArray(node)) return node.map((one: unknown) => closed(one));
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(node))
    copy[name] = closed(member, name === 'properties' && !isMap);
  if (!isMap && 'properties' in copy && !('additionalProperties' in copy))
    copy['additionalProperties'] = false;
  return copy;
}

function pointer(...parts: string[]): string {
  return parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
}

function last(reference: string): string {
  return reference.split('/').at(-1) ?? '';
}
