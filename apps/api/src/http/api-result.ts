import { applyDecorators, Header, HttpCode } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { Enveloped, Intercepted, Shaped } from './answer.interceptor.ts';

/** One fault of a request, as in `details`. */
export class DetailView {
  @ApiProperty({ required: false, description: 'For a fault in a definition: the id of its block.' })
  blockId?: string;
  @ApiProperty({
    required: false,
    description: 'For a column change that a row does not fit: the id of the row.',
  })
  rowId?: string;
  @ApiProperty({
    required: false,
    description: 'For a column change that a row does not fit: the position of the row.',
  })
  position?: number;
  @ApiProperty({ description: 'Dotted path of the field; empty when the fault is not in one field.' })
  path!: string;
  @ApiProperty({ description: 'The fault of the field, in words.' }) message!: string;
  @ApiProperty({ description: 'The rule that the field breaks, as a stable word for programs.' })
  code!: string;
}

/** Every refusal of this API. */
export class ErrorView {
  @ApiProperty({ description: 'The reason and the remedy, in a sentence for people.' }) error!: string;
  @ApiProperty({ description: 'A stable upper-case word for programs.' }) code!: string;
  @ApiProperty({ description: 'The id of the request, as in the header X-Request-Id.' }) requestId!: string;
  @ApiProperty({
    type: () => DetailView,
    isArray: true,
    required: false,
    description: 'Every fault of the request. Present on every 400.',
  })
  details?: DetailView[];
}

type ViewClass = new () => object;

/** Members of an envelope that are no views. */
const plain = {
  flag: { type: 'boolean' },
  text: { type: 'string' },
  texts: { type: 'array', items: { type: 'string' } },
  whole: { type: 'integer' },
};
type PlainMember = keyof typeof plain;

/**
 * A sentence for each member of an envelope. Views describe the rest of an answer. `data` gets the meaning of the
 * answer.
 */
const members: Record<string, string> = {
  chunk: 'The chunk that the call is about.',
  chunks: 'The chunks of the page, in the order of the document.',
  columns: 'All columns of the table, in their order.',
  cut: 'True when a search reached its time limit; `nextCursor` continues it.',
  deletedCount: 'The number of deleted rows.',
  deletedRowIds: 'The ids of the rows that were deleted.',
  document: 'The document that the call is about.',
  documents: 'The documents that the call is about, in order.',
  duplicates:
    'The number of documents that the knowledge base already had. The answer shows the existing documents.',
  files: 'The files, in the order in which they were sent.',
  import: 'The import that the call is about.',
  knowledgeBase: 'The knowledge base that the call is about.',
  knowledgeBases: 'Every knowledge base of the workspace.',
  limits: 'The rate limits and the usage of the caller, as they are after this call.',
  message: 'The result, in a sentence for people.',
  missingRowIds: 'The requested ids that no row has.',
  operation: '`insert` when the row is new, `update` when it already existed.',
  pagination: 'The position of the page in the list.',
  pausedExecutions: 'The paused executions of the page, the newest first.',
  row: 'The row that the call is about.',
  success: 'Always true: a call that is refused has another status and another shape.',
  table: 'The table that the call is about.',
  tables: 'Every table of the workspace.',
  tags: 'Every tag, in the order of their definition.',
  total: 'The total of all groups.',
  totalCount: 'The total number of items on all pages.',
  updatedCount: 'The number of changed rows.',
  updatedRowIds: 'The ids of the rows that were changed.',
};

/** An answer is a view, or an envelope of views: `{ data: View }`, `{ data: [View] }`. */
export type Envelope = ViewClass | { [member: string]: ViewClass | [ViewClass] | PlainMember | Envelope };

/** The refusals by status: the name of each in the document, and the reason for it. */
export const refusals: Record<number, { name: string; description: string }> = {
  400: { name: 'Invalid', description: 'The request is not valid; `details` names each field and its rule.' },
  401: { name: 'Unauthorized', description: 'The X-API-Key header holds no valid key.' },
  402: {
    name: 'UsageLimitExceeded',
    description: 'A limit of the plan or of the member is reached. `code` and `details` name the limit.',
  },
  403: { name: 'Forbidden', description: 'The key is valid, but its role does not allow this call.' },
  404: { name: 'NotFound', description: 'The resource does not exist, or it belongs to another workspace.' },
  409: {
    name: 'Conflict',
    description: 'The current state does not allow this call; `code` tells the reason.',
  },
  412: {
    name: 'Outdated',
    description: 'The resource is not at the version that If-Match names, or does not exist.',
  },
  413: {
    name: 'TooLarge',
    description: 'The body is larger than the installation accepts (10 MB by default).',
  },
  415: { name: 'UnsupportedMediaType', description: 'The body is not sent as application/json.' },
  422: {
    name: 'IdempotencyKeyReused',
    description: 'The Idempotency-Key was used in the last 24 hours with another body.',
  },
  429: {
    name: 'RateLimited',
    description: 'The rate limit is exceeded. Send the request again after the seconds in Retry-After.',
  },
  431: {
    name: 'HeadersTooLarge',
    description: 'The address and the headers together are too long. Send a long filter in a body.',
  },
  503: {
    name: 'Unavailable',
    description:
      'A part that the call needs is unavailable. Send the request again after the seconds in Retry-After.',
  },
};

/**
 * Documents and sets the answers of a handler. `meaning` describes a success. `also` lists further statuses of refusal.
 * `paged` lists have `nextCursor`. `streamed` answers may come as events. A handler of `{ success, data }` returns the data alone.
 */
export function ApiResult(
  status: number,
  envelope: Envelope,
  meaning: string,
  { also = [] as number[], paged = false, streamed = false } = {},
) {
  return applyDecorators(
    HttpCode(status),
    // Some answers are already JSON text.
    Header('Content-Type', 'application/json; charset=utf-8'),
    ApiExtraModels(...listShapes(envelope)),
    Shaped(envelope),
    'success' in envelope && 'data' in envelope ? Enveloped() : Intercepted(),
    ApiResponse({
      status,
      description: meaning,
      content: {
        'application/json': { schema: buildSchema(envelope, meaning, paged) },
        ...(streamed ? { 'text/event-stream': { schema: { type: 'string' as const } } } : {}),
      },
    }),
    ApiErrors(also),
  );
}

/** Documents a stream of server-sent events, which the handler returns as `streamed`. The schema is that of the data of each event. */
export function ApiEventResult(shape: ViewClass, description: string) {
  return applyDecorators(
    Intercepted(),
    ApiExtraModels(shape),
    ApiResponse({
      status: 200,
      description,
      content: { 'text/event-stream': { schema: { $ref: getSchemaPath(shape) } } },
    }),
  );
}

/** Like `ApiResult`, for a handler whose query chooses between several views in `data`. */
export function ApiResultOneOf(
  status: number,
  shapes: ViewClass[],
  meaning: string,
  { also = [] as number[] } = {},
) {
  const data = { anyOf: shapes.map((one) => ({ $ref: getSchemaPath(one) })), description: meaning };
  return applyDecorators(
    HttpCode(status),
    Shaped(...shapes.map((one) => ({ data: one }))),
    Intercepted(),
    ApiExtraModels(...shapes),
    ApiResponse({
      status,
      description: meaning,
      content: {
        'application/json': { schema: { type: 'object', properties: { data }, required: ['data'] } },
      },
    }),
    ApiErrors(also),
  );
}

/** Documents the refusals that every endpoint with a key shares, and those of one endpoint. */
export function ApiErrors(also: number[] = []) {
  return applyDecorators(
    ...[400, 401, 403, 404, 429, 431, 503, ...also].map((status) => ApiResponse({ status, type: ErrorView })),
  );
}

const nextCursor = {
  type: ['string', 'null'],
  description: 'The `cursor` of the next page; null on the last page.',
};

function buildSchema(envelope: Envelope | [ViewClass] | PlainMember, meaning: string, paged = false): object {
  if (typeof envelope === 'string') return plain[envelope];
  if (typeof envelope === 'function') return { $ref: getSchemaPath(envelope) };
  if (Array.isArray(envelope)) return { type: 'array', items: { $ref: getSchemaPath(envelope[0]) } };
  const properties: Record<string, object> = Object.fromEntries(
    Object.entries(envelope).map(([name, member]) => [
      name,
      { ...buildSchema(member, meaning), description: members[name] ?? meaning },
    ]),
  );
  if (paged) properties['nextCursor'] = nextCursor;
  return { type: 'object', properties, required: Object.keys(properties) };
}

function listShapes(envelope: Envelope | [ViewClass] | PlainMember): ViewClass[] {
  if (typeof envelope === 'string') return [];
  if (typeof envelope === 'function') return [envelope];
  if (Array.isArray(envelope)) return envelope;
  return Object.values(envelope).flatMap((member) => listShapes(member));
}
