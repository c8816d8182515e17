import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { checkout } from './repository.ts';

/** As much of an OpenAPI 3.1 document as the checks read. */
export interface ApiDescription {
  openapi: string;
  info: { title?: string; version?: string; license?: { name?: string } };
  paths: Record<string, Record<string, DocumentOperation>>;
  components: {
    schemas: Record<string, { properties?: Record<string, Record<string, unknown>> }>;
    responses: Record<string, { description?: string }>;
    securitySchemes: Record<string, unknown>;
  };
}

export interface DocumentOperation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: { name: string; in: string; description?: string; required?: boolean; schema?: unknown }[];
  requestBody?: { content: Record<string, { schema?: unknown }> };
  responses: Record<string, { description?: string }>;
  security?: Record<string, string[]>[];
}

/** Every operation with the method and path that name it. */
export function listOperations({ paths }: ApiDescription): [string, DocumentOperation][] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, DocumentOperation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );
}

/**
 * Every property of every schema that the document holds, by where it is, with its description. A property that is described by
 * another schema alone counts as silent: `$ref` says what it is, not what it is for.
 */
export function listProperties(document: ApiDescription): [string, string | undefined][] {
  const { schemas } = document.components;
  const shared = Object.entries(schemas).flatMap(([name, schema]) => propertiesIn(name, schema));
  const own = listOperations(document).flatMap(([name, { requestBody, responses }]) =>
    [requestBody ?? {}, ...Object.values(responses)].flatMap((one) => propertiesIn(name, one)),
  );
  return [...shared, ...own];
}

function propertiesIn(place: string, value: unknown): [string, string | undefined][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) => {
    if (key === 'example' || key === 'default') return [];
    if (key !== 'properties' || typeof member !== 'object' || member === null)
      return propertiesIn(place, member);
    return Object.entries(member).flatMap(([name, schema]: [string, unknown]) => {
      const description: unknown = Reflect.get(Object(schema), 'description');
      const at = `${place}.${name}`;
      const said: [string, string | undefined] = [
        at,
        typeof description === 'string' ? description : undefined,
      ];
      return [said, ...propertiesIn(at, schema)];
    });
  });
}

/** The faults that the linter finds in a document under the rules of `apps/api/redocly.yaml`, each as its rule and a sentence. */
export async function lint(file: string): Promise<string[]> {
  const linter = 'node_modules/@redocly/cli/bin/cli.js';
  const args = [linter, 'lint', '--config=apps/api/redocly.yaml', '--format=json', file];
  // The linter may neither tell its maker of this run nor ask for a newer version.
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const run = promisify(execFile)(process.execPath, args, {
    cwd: checkout,
    env,
    maxBuffer: 64 * 1024 * 1024,
  });
  // Its exit code is 1 when it finds something.
  const { stdout } = await run.catch((failed: { stdout: string }) => failed);
  const { problems }: { problems: { ruleId: string; message: string }[] } = JSON.parse(stdout);
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}
