import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiResponse, getSchemaPath } from '@nestjs/swagger';

/** One fault of a request, as `details` lists it. */
export class DetailView {
  @ApiProperty({ description: 'Dotted path of the field; empty when none is to blame.' }) path!: string;
  @ApiProperty() message!: string;
  @ApiProperty() code!: string;
}

/** Every refusal of this API. */
export class ErrorView {
  @ApiProperty({ description: 'A sentence for people.' }) error!: string;
  @ApiProperty({ description: 'A stable upper-case word for programs.' }) code!: string;
  @ApiProperty() requestId!: string;
  @ApiProperty({ type: () => DetailView, isArray: true, required: false, description: 'On every 400.' })
  details?: DetailView[];
}

type Shape = new () => object;

/** An answer is a view, or an envelope of views: `{ data: View }`, `{ data: [View] }`. */
export type Envelope = Shape | { [member: string]: Shape | [Shape] | Envelope };

const meanings: Record<number, string> = {
  400: 'The request is not valid; details says where.',
  401: 'Missing or invalid API key.',
  402: 'The usage limit of the plan is reached.',
  403: 'No permission for the resource.',
  404: 'Absent, or in another workspace.',
  409: 'The state of the resource does not allow this.',
  413: 'The body, or what it asks to be stored, is too large.',
  422: 'The Idempotency-Key was used before for another request.',
  429: 'Rate limit exceeded; Retry-After holds the seconds to wait.',
  503: 'A dependency is away; the same request may succeed later.',
};

/** Documents and sets what a handler answers, refusals included. */
export function Responds(
  status: number,
  envelope: Envelope,
  { also = [] as number[], description = 'Done.' } = {},
) {
  return applyDecorators(
    HttpCode(status),
    ApiExtraModels(...shapesOf(envelope)),
    ApiResponse({ status, description, content: { 'application/json': { schema: schemaOf(envelope) } } }),
    Refuses(also),
  );
}

/** Documents the refusals that every keyed endpoint shares, and those that an endpoint has beside them. */
export function Refuses(also: number[] = []) {
  return applyDecorators(
    ...[400, 401, 403, 404, 429, ...also].map((code) =>
      ApiResponse({ status: code, description: meanings[code], type: ErrorView }),
    ),
  );
}

function schemaOf(envelope: Envelope | [Shape]): object {
  if (typeof envelope === 'function') return { $ref: getSchemaPath(envelope) };
  if (Array.isArray(envelope)) return { type: 'array', items: { $ref: getSchemaPath(envelope[0]) } };
  const properties = Object.fromEntries(
    Object.entries(envelope).map(([name, member]) => [name, schemaOf(member)]),
  );
  return { type: 'object', properties, required: Object.keys(properties) };
}

function shapesOf(envelope: Envelope | [Shape]): Shape[] {
  if (typeof envelope === 'function') return [envelope];
  if (Array.isArray(envelope)) return envelope;
  return Object.values(envelope).flatMap((member) => shapesOf(member));
}
