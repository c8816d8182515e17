/** As much of an OpenAPI 3.1 document as the checks read. */
export interface Document {
  openapi: string;
  info: { title?: string; version?: string; license?: { name?: string } };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> };
}

export interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: { name: string; in: string; required?: boolean; schema?: unknown }[];
  requestBody?: { content: Record<string, { schema?: unknown }> };
  responses: Record<string, { description?: string }>;
  security?: Record<string, string[]>[];
}

const keywords = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);

/** Every operation with the method and path that name it. */
export function operationsOf({ paths }: Document): [string, Operation][] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );
}

/** What is wrong with the schemas of a document, each with its place. */
export function schemaFaults(document: Document): string[] {
  const faults: string[] = [];
  walk(document, '#', (node, place) => {
    const { $ref: reference, type, nullable } = node;
    if (reference !== undefined && !resolves(document, reference))
      faults.push(`${place} refers to ${String(reference)}`);
    if (nullable !== undefined) faults.push(`${place} has nullable, which 3.1 has not`);
    if (isSchema(place)) {
      const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
      for (const one of types)
        if (!keywords.has(String(one))) faults.push(`${place} has the type ${String(one)}`);
      if (types.includes('array') && node.items === undefined) faults.push(`${place} is a list of nothing`);
      faults.push(...unknownRequired(node, place));
    }
  });
  return faults;
}

/** Parameters of the path template that are not declared, and declared ones that the template has not. */
export function pathFaults([name, { parameters = [] }]: [string, Operation]): string[] {
  const inTemplate = [...name.matchAll(/\{(\w+)\}/g)].map(([, one]) => one ?? '');
  const declared = parameters.filter((one) => one.in === 'path').map((one) => one.name);
  return [
    ...inTemplate.filter((one) => !declared.includes(one)).map((one) => `${name} does not declare ${one}`),
    ...declared.filter((one) => !inTemplate.includes(one)).map((one) => `${name} has no ${one}`),
  ];
}

function unknownRequired(node: Record<string, unknown>, place: string): string[] {
  const { required, properties } = node;
  if (!Array.isArray(required) || typeof properties !== 'object' || properties === null) return [];
  return required
    .filter((name) => !(String(name) in properties))
    .map((name) => `${place} requires ${String(name)}`);
}

/** Members of `properties` are schemas by any name; a property may itself be called `type`. */
function isSchema(place: string): boolean {
  return /\/(schema|items|schemas\/[^/]+|properties\/[^/]+|(anyOf|allOf|oneOf)\/\d+)$/.test(place);
}

function resolves(document: Document, reference: unknown): boolean {
  const parts = String(reference).split('/');
  if (parts[0] !== '#' || parts.at(-1) === '') return false;
  let node: unknown = document;
  for (const part of parts.slice(1)) node = isRecord(node) ? node[part] : undefined;
  return node !== undefined;
}

function walk(
  node: unknown,
  place: string,
  visit: (node: Record<string, unknown>, place: string) => void,
): void {
  if (Array.isArray(node)) node.forEach((one, index) => walk(one, `${place}/${index}`, visit));
  if (!isRecord(node)) return;
  if (!place.endsWith('/properties')) visit(node, place);
  for (const [name, member] of Object.entries(node)) walk(member, `${place}/${name}`, visit);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
