export interface Operation {
  verb: string;
  path: string;
  query: string[];
  method?: string;
}

export type Operations = Record<string, Operation>;
type Params = Record<string, unknown>;

/** A call as a person types it in a terminal. The key comes from the environment, because no page knows a key. */
export function asCurl(operation: Operation, params: Params, origin: string): string {
  const { path, query, body } = buildParts(operation, params);
  const lines = [
    `curl -X ${operation.verb} ${quoted(origin + path + query)}`,
    `-H "X-API-Key: $HOLDFAST_API_KEY"`,
  ];
  if (body) lines.push(`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`);
  return lines.join(' \\\n  ');
}

/** The call with the client for TypeScript. */
export function asSdkCall(operation: Operation, params: Params, origin: string): string {
  const { names, rest } = splitParams(operation, params);
  const values = names.map((name) => JSON.stringify(params[name] ?? `<${name}>`));
  if (Object.keys(rest).length > 0) values.push(JSON.stringify(rest, null, 2));
  return [
    `import { Holdfast } from '@holdfast/sdk';`,
    '',
    `const client = new Holdfast({ baseUrl: ${JSON.stringify(origin)} }); // HOLDFAST_API_KEY holds the key`,
    `const answer = await client.${operation.method ?? ''}(${values.join(', ')});`,
  ].join('\n');
}

function splitParams({ path }: Operation, params: Params) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  const rest = Object.fromEntries(
    Object.entries(params).filter(
      ([name, value]) => !names.includes(name) && value !== undefined && value !== '',
    ),
  );
  return { names, rest };
}

function buildParts(operation: Operation, params: Params) {
  const { rest } = splitParams(operation, params);
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name] ?? `<${name}>`)),
  );
  const inQuery = new URLSearchParams();
  const body: Params = {};
  for (const [name, value] of Object.entries(rest)) {
    if (operation.verb === 'GET' || operation.query.includes(name)) inQuery.set(name, String(value));
    else body[name] = value;
  }
  const hasBody = !['GET', 'DELETE'].includes(operation.verb) || Object.keys(body).length > 0;
  return { path, query: inQuery.size > 0 ? `?${inQuery}` : '', body: hasBody ? body : undefined };
}

/** A word of a shell, whatever characters it has. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
