import type { OpenAPIObject } from '@nestjs/swagger';
import type { OpenapiExample } from './openapi-examples.ts';

type DocumentedCall = NonNullable<OpenAPIObject['paths'][string]['get']>;

/** A longer body is shown on several lines. */
const lineMax = 80;

/** The curl command of an operation, with the body of a test. `$URL`, `$KEY` and `$WS` are those of the page Tour. */
export function buildCurl(
  method: string,
  path: string,
  { parameters = [], requestBody, security, responses }: DocumentedCall,
  { parameters: values = {}, request }: Partial<OpenapiExample> = {},
): string {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? `$${name}`);
  const asks = parameters.some(
    (one) => 'name' in one && one.in === 'query' && one.name === 'workspaceId' && one.required,
  );
  const verb = method === 'get' ? [] : ['-X', method.toUpperCase()];
  const streams = JSON.stringify(responses['200'] ?? {}).includes('text/event-stream');
  const types = requestBody && 'content' in requestBody ? Object.keys(requestBody.content) : [];
  const first = ['curl', ...(streams && types.length === 0 ? ['-N'] : []), ...verb];
  const lines = [
    `${first.join(' ')} "$URL${address}${asks ? '?workspaceId=$WS' : ''}"`,
    ...(security?.length ? [`-H "X-API-Key: $KEY"`] : []),
    ...buildBody(types, request),
  ];
  return lines.join(' \\\n  ');
}

function buildBody(types: string[], request: unknown): string[] {
  if (request === undefined) return types.includes('multipart/form-data') ? ['-F file=@letter.pdf'] : [];
  if (typeof request === 'string')
    return [`-H 'Content-Type: ${types[0]}'`, `--data-binary ${quoted(request)}`];
  const line = JSON.stringify(request);
  const text = line.length > lineMax ? JSON.stringify(request, null, 2) : line;
  return [`-H 'Content-Type: application/json'`, `-d ${quoted(text)}`];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
