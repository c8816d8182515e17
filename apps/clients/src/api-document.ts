import { methodNames } from './method-names.ts';

/** A schema of the API description, as far as the generators look into it. */
export interface ApiSchema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, ApiSchema>;
  required?: string[];
  items?: ApiSchema;
  description?: string;
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema?: ApiSchema;
}

interface DescribedOperation {
  operationId?: string;
  summary?: string;
  description?: string;
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: ApiSchema }> };
  responses: Record<string, { content?: Record<string, { schema?: ApiSchema }> }>;
}

/** The part of an OpenAPI document that the generators read. */
export interface ApiDocument {
  paths: Record<string, Record<string, DescribedOperation>>;
  components: { schemas: Record<string, ApiSchema> };
}

/**
 * `json`: one value. `page`: a list that is read page by page. `events`: server-sent events. `download`: bytes or text that may be long.
 */
export type AnswerKind = 'json' | 'page' | 'events' | 'download';

/** `json`: an object. `files`: multipart with files beside the members. `content`: text or bytes of one of `contentTypes`. */
export type BodyKind = 'none' | 'json' | 'files' | 'content';

/** One operation of the API as every client shows it. */
export interface ClientOperation {
  id: string;
  /** The resource, from the outside in: `['tables', 'rows']`. */
  resource: string[];
  method: string;
  verb: string;
  path: string;
  /** The names in the path, in their order there. */
  pathNames: string[];
  query: Parameter[];
  body: BodyKind;
  /** The members of a body that is an object, and those of them that a caller must give. */
  members: Record<string, ApiSchema>;
  requiredMembers: string[];
  contentTypes: string[];
  answer: AnswerKind;
  answerSchema?: ApiSchema;
  /** The name of the shape of each event. */
  eventShape?: string;
  answerTypes: string[];
  /** The path of the value in the JSON of an answer: `[]`, `['data']`, or for a page `['data', 'rows']`. */
  valuePath: string[];
  /** The place of the cursor in a page; empty where pages go by offset or where there is only one. */
  cursorPath: string[];
  paging: 'cursor' | 'offset' | 'single';
  /** The place of `workspaceId`, which a client may fill in by itself. */
  workspaceIn: 'query' | 'body' | 'none';
  /** True when the API refuses a call without `workspaceId`, also of a key that reaches one workspace. */
  needsWorkspace: boolean;
  takesIdempotencyKey: boolean;
  takesIfMatch: boolean;
  needsKey: boolean;
  summary: string;
  description: string;
}

const verbs = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * Every operation of the document, in its order. Throws when an operation has no name in `methodNames`, a name has no operation, two
 * operations have one name, or a member is both in the query and in the body.
 */
export function readOperations(document: ApiDocument): ClientOperation[] {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    verbs.flatMap((verb) => {
      const described = item[verb];
      return described ? [readOperation(document, path, verb, described)] : [];
    }),
  );
  const ids = new Set(operations.map(({ id }) => id));
  const unused = Object.keys(methodNames).filter((id) => !ids.has(id));
  if (unused.length > 0)
    throw new Error(
      `The description has no operation ${unused.join(', ')}. Write it anew with \`npm run openapi\`, or take the name out of method-names.ts.`,
    );
  const names = operations.map(({ resource, method }) => [...resource, method].join('.'));
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  if (twice.length > 0) throw new Error(`Two operations have the method ${twice.join(', ')}.`);
  return operations;
}

function readOperation(
  document: ApiDocument,
  path: string,
  verb: string,
  described: DescribedOperation,
): ClientOperation {
  const id = described.operationId ?? '';
  const name = methodNames[id];
  if (!name) throw new Error(`Give the operation ${id || `${verb} ${path}`} a method in method-names.ts.`);
  const parameters = described.parameters ?? [];
  const query = parameters.filter((one) => one.in === 'query');
  const headers = new Set(parameters.filter((one) => one.in === 'header').map((one) => one.name));
  const resource = name.split('.');
  const method = resource.pop() ?? '';
  const body = readBody(document, described);
  const shared = query.filter((one) => one.name in body.members);
  if (shared.some((one) => one.name !== 'workspaceId'))
    throw new Error(`${id} takes ${shared[0]?.name} both in its query and in its body.`);
  const inBody = 'workspaceId' in body.members;
  const inQuery = query.some((one) => one.name === 'workspaceId');
  return {
    id,
    resource,
    method,
    verb: verb.toUpperCase(),
    path,
    pathNames: [...path.matchAll(/\{(\w+)\}/g)].map(([, found = '']) => found),
    query,
    ...body,
    ...readAnswer(
      document,
      described,
      query.map((one) => one.name),
      /^(list|query$)/.test(method),
    ),
    workspaceIn: inQuery ? 'query' : inBody ? 'body' : 'none',
    needsWorkspace:
      body.requiredMembers.includes('workspaceId') ||
      query.some((one) => one.name === 'workspaceId' && one.required),
    takesIdempotencyKey: headers.has('Idempotency-Key'),
    takesIfMatch: headers.has('If-Match'),
    needsKey: (described.security ?? []).length > 0,
    summary: described.summary ?? '',
    // The call by curl at its end is of no use to a reader of code.
    description: (described.description ?? '').split('\n\n```sh')[0] ?? '',
  };
}

function readBody(document: ApiDocument, { requestBody }: DescribedOperation) {
  const content = requestBody?.content ?? {};
  const contentTypes = Object.keys(content);
  const multipart = content['multipart/form-data'];
  const json = content['application/json'];
  const schema = resolve(document, (multipart ?? json)?.schema);
  // A body that may be any JSON is sent as it is: its sender may have signed its bytes.
  const hasMembers = json && Object.keys(schema ?? {}).length > 0;
  const body: BodyKind = multipart
    ? 'files'
    : hasMembers
      ? 'json'
      : contentTypes.length > 0
        ? 'content'
        : 'none';
  return { body, contentTypes, members: schema?.properties ?? {}, requiredMembers: schema?.required ?? [] };
}

type ClientAnswer = Pick<
  ClientOperation,
  'answer' | 'answerSchema' | 'eventShape' | 'answerTypes' | 'valuePath' | 'cursorPath' | 'paging'
>;

function readAnswer(
  document: ApiDocument,
  { responses }: DescribedOperation,
  asked: string[],
  isList: boolean,
): ClientAnswer {
  const succeeded = Object.entries(responses).find(([status]) => status.startsWith('2'));
  const content = succeeded?.[1].content ?? {};
  const answerTypes = Object.keys(content);
  const schema = resolve(document, content['application/json']?.schema);
  const plain = { answerTypes, valuePath: [], cursorPath: [], paging: 'single' as const };
  const eventShape = content['text/event-stream']?.schema?.$ref?.split('/').at(-1);
  if (!schema)
    return { ...plain, ...(eventShape ? { answer: 'events', eventShape } : { answer: 'download' }) };
  const properties = schema.properties ?? {};
  const envelope = Object.keys(properties).filter((name) => !['success', 'limits'].includes(name));
  const list = isList ? findList(document, schema) : undefined;
  if (list) {
    const paging = list.cursorPath.length > 0 ? 'cursor' : asked.includes('offset') ? 'offset' : 'single';
    return { answer: 'page', answerSchema: schema, answerTypes, ...list, paging };
  }
  const valuePath = envelope.length === 1 && envelope[0] === 'data' ? ['data'] : [];
  return { ...plain, answer: 'json', answerSchema: schema, valuePath };
}

/** Finds the array of a list, at the top or in `data`. */
function findList(document: ApiDocument, schema: ApiSchema) {
  const top = schema.properties ?? {};
  const data = resolve(document, top['data']);
  const inner = top['data'] && data?.type !== 'array' ? (data?.properties ?? {}) : undefined;
  const members = inner ?? top;
  const prefix = inner ? ['data'] : [];
  // A list names its deleted rows beside the existing rows.
  const [items, ...more] = Object.keys(members).filter(
    (name) => resolve(document, members[name])?.type === 'array' && name !== 'deletedRowIds',
  );
  if (items === undefined || more.length > 0) throw new Error('A list has no array of its own.');
  const cursorPath = 'nextCursor' in members ? [...prefix, 'nextCursor'] : [];
  return { valuePath: [...prefix, items], cursorPath };
}

/** The schema itself, or the schema that it refers to. */
export function resolve(document: ApiDocument, schema: ApiSchema | undefined): ApiSchema | undefined {
  const name = schema?.$ref?.split('/').at(-1);
  return name ? document.components.schemas[name] : schema;
}

/** The operations of each resource by its name, such as `tables.rows`. Leaves out those whose methods are written by hand. */
export function groupByResource(
  operations: ClientOperation[],
  written: ReadonlySet<string>,
): Map<string, ClientOperation[]> {
  const resources = new Map<string, ClientOperation[]>();
  for (const one of operations) {
    for (let depth = 1; depth <= one.resource.length; depth++) {
      const name = one.resource.slice(0, depth).join('.');
      if (!resources.has(name)) resources.set(name, []);
    }
    if (!written.has(one.id)) resources.get(one.resource.join('.'))?.push(one);
  }
  return resources;
}
