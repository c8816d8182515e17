import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { isObject, type Json, type JsonObject } from '#libs/platform/json/json';
import { Invalid, NotFound } from '#libs/platform/errors/errors';
import { recentSignInMark } from '../http/route-decorators.ts';
import { cutText } from '#libs/platform/text/whole-text';

export interface ApiOperationInfo {
  operationId: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  tag: string;
  /** The operation changes nothing, so a client need not ask its user first. */
  reads: boolean;
  /** The operation answers with endless events, which no tool can return. */
  streams: boolean;
  /** The operation changes permissions or shows a new key, so a person does it, and no agent. */
  isForPeople: boolean;
  parameters: {
    name: string;
    in: 'path' | 'query' | 'header';
    required: boolean;
    description?: string;
    schema: Json;
  }[];
  body: Json | null;
}

/** Reads whose parameters are too long for a URL. They change nothing. */
const readingPosts = [
  'validateDefinition',
  'backtestWorkflow',
  'searchKnowledge',
  'queryRows',
  'aggregateRows',
];
/** Operations whose answers hold a new key, session or link of a person, and which ask for no sign-in before. */
const joins = /^(acceptInvitation|signIn\w*|startPasskeySignIn|requestSignIn\w*)$/;
const foundMax = 20;
/** A schema includes the schemas that it refers to, up to this depth. */
const depthMax = 8;

/** The operations of this API, from its OpenAPI document. */
@Injectable()
export class ApiOperations {
  private describe: () => OpenAPIObject = () => {
    throw new Error('The operations were asked for before `describeBy`.');
  };
  private infos: Map<string, ApiOperationInfo> | null = null;

  /** Takes the maker of the document. Call this once, when the routes are known. */
  describeBy(describe: () => OpenAPIObject): void {
    this.describe = describe;
  }

  /** The document. */
  get document(): OpenAPIObject {
    return this.describe();
  }

  private get byId(): Map<string, ApiOperationInfo> {
    this.infos ??= infosIn(this.document);
    return this.infos;
  }

  get(operationId: string): ApiOperationInfo {
    const operation = this.byId.get(operationId);
    if (!operation)
      throw new NotFound(`operation "${cutText(operationId, 100)}": search_operations finds them`);
    return operation;
  }

  /** Finds the operations with most words of the question, the best first. */
  search(query: string, readsOnly: boolean): ApiOperationInfo[] {
    const words = query
      .toLowerCase()
      .split(/[^a-z0-9]/)
      .filter((word) => word.length > 1)
      .slice(0, 20);
    if (words.length === 0)
      throw Invalid.field('query', 'must have a word of two letters at least', 'required');
    return [...this.byId.values()]
      .filter(({ reads, streams, isForPeople }) => !streams && !isForPeople && (reads || !readsOnly))
      .map((operation) => ({ operation, score: computeScore(operation, words) }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score || a.operation.operationId.localeCompare(b.operation.operationId))
      .slice(0, foundMax)
      .map(({ operation }) => operation);
  }
}

function infosIn(document: OpenAPIObject): Map<string, ApiOperationInfo> {
  const schemas: JsonObject = JSON.parse(JSON.stringify(document.components?.schemas ?? {}));
  const paths: Record<string, Record<string, Json>> = JSON.parse(JSON.stringify(document.paths));
  const infos = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, one]) => (isObject(one) ? toInfo(method, path, one, schemas) : null)),
  );
  return new Map(infos.flatMap((info) => (info ? [[info.operationId, info]] : [])));
}

/** A word counts most in the name of the operation, and least in its description. */
function computeScore(
  { operationId, summary, tag, path, description }: ApiOperationInfo,
  words: string[],
): number {
  const names = operationId
    .replaceAll(/([A-Z])/g, ' $1')
    .toLowerCase()
    .split(' ');
  const places = [`${names.join(' ')} ${summary}`, `${tag} ${path}`, description].map((text) =>
    text.toLowerCase(),
  );
  const weights = [4, 2, 1];
  const ofWord = (word: string) =>
    (names.includes(word) ? 8 : 0) +
    places.reduce((sum, text, n) => sum + (text.includes(word) ? (weights[n] ?? 0) : 0), 0);
  return words.reduce((sum, word) => sum + ofWord(word), 0);
}

function toInfo(method: string, path: string, one: JsonObject, schemas: JsonObject): ApiOperationInfo | null {
  const { operationId, summary = '', description = '', tags, parameters = [], requestBody, responses } = one;
  if (typeof operationId !== 'string') return null;
  const content = isObject(requestBody) && isObject(requestBody.content) ? requestBody.content : {};
  const json = isObject(content['application/json']) ? (content['application/json'].schema ?? {}) : null;
  return {
    operationId,
    method: method.toUpperCase(),
    path,
    summary: String(summary),
    // Removes the call for a shell.
    description: String(description).split('```')[0]?.trim() ?? '',
    tag: Array.isArray(tags) ? String(tags[0] ?? '') : '',
    reads: method === 'get' || readingPosts.includes(operationId),
    streams: listTypes(responses).includes('text/event-stream'),
    isForPeople: one[recentSignInMark] === true || joins.test(operationId),
    parameters: (Array.isArray(parameters) ? parameters : []).flatMap((parameter) => toParameter(parameter)),
    body: json === null ? null : resolved(json, schemas, 0),
  };
}

/** The media types of a successful answer. */
function listTypes(responses: Json | undefined): string[] {
  const answer = isObject(responses) ? responses['200'] : undefined;
  return isObject(answer) && isObject(answer.content) ? Object.keys(answer.content) : [];
}

function toParameter(parameter: Json): ApiOperationInfo['parameters'] {
  if (!isObject(parameter) || typeof parameter.name !== 'string') return [];
  const place = (['path', 'query', 'header'] as const).find((location) => location === parameter.in);
  const { name, required, description, schema = {} } = parameter;
  if (!place) return [];
  return [
    {
      name,
      in: place,
      required: required === true,
      schema,
      ...(typeof description === 'string' ? { description } : {}),
    },
  ];
}

/** The schema with its references replaced. */
function resolved(schema: Json, schemas: JsonObject, depth: number): Json {
  if (Array.isArray(schema)) return schema.map((one) => resolved(one, schemas, depth));
  if (!isObject(schema)) return schema;
  const { $ref: reference } = schema;
  if (typeof reference === 'string') {
    const name = reference.split('/').at(-1) ?? '';
    return depth >= depthMax ? {} : resolved(schemas[name] ?? {}, schemas, depth + 1);
  }
  return Object.fromEntries(
    Object.entries(schema).map(([name, one]) => [name, resolved(one, schemas, depth)]),
  );
}
