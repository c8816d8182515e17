import { isObject, type Json, type JsonObject, objectOf } from '#libs/platform/json/json';
import { template } from '../../cel-text.ts';
import type { DraftStep } from '../../draft.ts';
import type { ConvertedNode, N8nContext } from '../context.ts';
import { NotMapped } from '../../report.ts';
import { toSecretName } from '../../secrets.ts';
import { type N8nParameters, withDefaults } from '../table.ts';
import { parseNumber, toText } from '../../values.ts';

/** One call of the API of a service. */
export interface ServiceCall {
  method?: string;
  url: string;
  headers?: JsonObject;
  query?: JsonObject;
  body?: Json;
}

/** One operation of a node of a service. */
export interface ServiceOperation {
  /** The parameters that it reads, with the defaults of n8n. */
  reads: N8nParameters;
  call(node: ServiceNode): ServiceCall;
  /** JavaScript that makes the item, or the list of items, of `data`, the answer; the answer itself when absent. */
  answer?: (node: ServiceNode) => string;
  /** A call before it and the code that makes `body` of its answer `data`. */
  first?: (node: ServiceNode) => { call: ServiceCall; code: string };
  /** True where its items are `rows` of what `first` makes. */
  givesRows?: true;
  /** True where it gives several items. */
  several?: true;
  /** True where it goes through all items that come in. */
  takesAll?: true;
  /** What is different, beside that it is a call. */
  differs?: string;
}

export interface ServiceApi {
  name: string;
  /** The defaults of the resource, and of the operation by the resource. */
  resource?: string;
  operation: string | Record<string, string>;
  /** By resource and operation, or by the operation alone where there is no resource. */
  operations: Record<string, ServiceOperation>;
  /** How the secret is sent; as a bearer token when absent. TOKEN in an address is the secret. */
  headers?: (secret: string) => JsonObject;
  /** True where no secret is sent. */
  isOpen?: true;
  /** What the secret must be. */
  secret?: string;
}

/** A node of a service, as its operations read it. */
export class ServiceNode {
  /** Values that the code of the answer reads as `input.filters`. */
  readonly filters: string[] = [];

  /** The id of the block that makes the body. */
  bodyId = '';

  constructor(
    readonly context: N8nContext,
    private readonly secret: string,
    private readonly parameters: JsonObject,
  ) {}

  /** The parameter at a path such as `options.ccList`, as it stands in the file. */
  raw(path: string): Json | undefined {
    return path.split('.').reduce<Json | undefined>((at, step) => objectOf(at)[step], this.parameters);
  }

  text(path: string): string {
    return toText(this.raw(path));
  }

  isOn(path: string): boolean {
    return this.raw(path) === true;
  }

  /** The parameter as a template; undefined when it is left out. */
  value(path: string): Json | undefined {
    const value = this.raw(path);
    if (value === undefined || value === '') return undefined;
    return this.context.expressions.template(toPlain(value));
  }

  /** The parameter, empty where the file does not say it, as files do from which private values are taken. */
  needed(path: string): Json {
    const value = this.value(path);
    if (value !== undefined && value !== '') return value;
    this.context.change(`It does not say its ${path}: write it into the block.`);
    return '';
  }

  /** The parameter in JavaScript. */
  js(path: string): string {
    return this.context.expressions.javascript(toPlain(this.raw(path) ?? null));
  }

  /** A template for a value that a block before computes. */
  computed(code: string): string {
    return template(this.context.expressions.computed(code));
  }

  /** A part of an address: an id, or the part of an address that `pattern` finds. */
  part(path: string, pattern?: RegExp): string {
    const value = this.raw(path);
    const named = toPlain(value ?? '');
    const plain = typeof named === 'number' ? String(named) : named;
    if (plain === '') {
      this.needed(path);
      return `YOUR_${path.toUpperCase()}`;
    }
    const isUrl = pattern !== undefined && (!isObject(value) || toText(value['mode']) === 'url');
    if (typeof plain === 'string' && !plain.startsWith('='))
      return encodeURIComponent(literalPart(isUrl ? (pattern.exec(plain)?.[1] ?? plain) : plain));
    if (!isUrl) return String(this.context.expressions.template(plain));
    return this.computed(
      `((text) => (${String(pattern)}.exec(text) ?? [text, text])[1])(String(${this.context.expressions.javascript(plain)}))`,
    );
  }

  /** The members that have a value. */
  some(members: Record<string, string>): JsonObject {
    return Object.fromEntries(
      Object.entries(members).flatMap(([name, path]): [string, Json][] => {
        const value = this.value(path);
        return value === undefined ? [] : [[name, value]];
      }),
    );
  }

  /** The number of results: all that one call gives, or the limit. */
  limit(most: number): number {
    if (this.isOn('returnAll')) {
      this.context.change(`It gives the first ${most} results at most; n8n went on to the next pages.`);
      return most;
    }
    const limit = parseNumber(this.raw('limit'));
    if (limit === undefined) throw new NotMapped('Its limit is calculated. Use an http block for its API.');
    if (limit > most)
      this.context.change(`It gives the first ${most} results at most; n8n asked for ${limit}.`);
    return Math.min(limit, most);
  }

  refuse(what: string): never {
    throw new NotMapped(`${what} Use an http block for its API.`);
  }

  /** The call as an http block. */
  toBlock(call: ServiceCall, headers: JsonObject): JsonObject {
    const isInUrl = call.url.includes('TOKEN');
    const all = { ...(isInUrl ? {} : headers), ...call.headers };
    return {
      type: 'http',
      params: {
        method: call.method ?? 'GET',
        url: call.url.replace('TOKEN', this.secret),
        ...(Object.keys(all).length > 0 ? { headers: all } : {}),
        ...(call.query && Object.keys(call.query).length > 0 ? { query: call.query } : {}),
        ...(call.body === undefined ? {} : { body: call.body }),
      },
    };
  }
}

/** The value of a field that may name a thing of a list. */
export const toPlain = (value: Json): Json =>
  isObject(value) && 'value' in value ? (value['value'] ?? '') : value;

/** A text of the file that is put into an address as it is. */
const literalPart = (text: string) => text.trim();

/** A converter for the nodes of a service: each operation is a call of its API. */
export const toService =
  (service: ServiceApi) =>
  (context: N8nContext): ConvertedNode => {
    const { parameters } = context.node;
    const resource = toText(parameters['resource'], service.resource);
    const operation = toText(
      parameters['operation'],
      typeof service.operation === 'string' ? service.operation : (service.operation[resource] ?? ''),
    );
    const key = [resource, operation].filter(Boolean).join(' ');
    const found = Object.hasOwn(service.operations, key) ? service.operations[key] : undefined;
    if (!found)
      throw new NotMapped(
        `The operation ${key} of ${service.name} has no counterpart. Use an http block for its API.`,
      );
    context.parameters = found.reads;
    const secret = service.isOpen ? '' : readToken(context, service);
    const node = new ServiceNode(context, secret, withDefaults(context.node, found.reads).parameters);
    const headers = service.isOpen
      ? {}
      : (service.headers?.(secret) ?? { Authorization: `Bearer ${secret}` });
    const before: DraftStep[] = [];
    const { first } = found;
    if (first) {
      const { call, code } = first(node);
      const lookup = { id: context.idFor('lookup'), block: node.toBlock(call, headers) };
      const body: DraftStep = {
        id: context.idFor('body'),
        block: context.expressions.script.block(code, {
          ...context.expressions.script.input(),
          data: template(`${lookup.id}.data`),
        }),
      };
      node.bodyId = body.id;
      before.push(lookup, body);
    }
    const call = found.call(node);
    const lastId = before.at(-1)?.id;
    if (lastId !== undefined && call.body === undefined) call.body = template(`${lastId}.body`);
    context.change(`It is a call of the API of ${service.name}.`);
    if (found.differs) context.change(found.differs);
    const block = node.toBlock(call, headers);
    const { id } = context.piece;
    if (!found.answer && !found.givesRows) {
      context.change('Its item is what the API answers.');
      return { block, before, out: { root: id, steps: ['data'] } };
    }
    const more = {
      ...(found.several ? { several: true } : {}),
      ...(found.takesAll ? { takesAll: true } : {}),
    };
    if (found.givesRows && lastId !== undefined)
      return { block, before, out: { root: lastId, steps: ['rows'] }, ...more };
    const answer = found.answer?.(node) ?? 'data';
    const code = `const data = input.data ?? {};
const items = [${answer}].flat();
return items.length === 1 ? items[0] : items;`;
    const after = {
      id: context.idFor('items'),
      block: {
        type: 'function',
        params: {
          code,
          input: {
            data: template(`${id}.data`),
            ...(node.filters.length > 0 ? { filters: node.filters } : {}),
          },
        },
      },
    };
    return { block, before, after: [after], out: { root: after.id, steps: [] }, ...more };
  };

/** The secret of a node as a template. */
function readToken(context: N8nContext, service: ServiceApi): string {
  const [credential] = Object.values(objectOf(context.node.raw['credentials']));
  const label = toText(objectOf(credential)['name'], `${service.name} token`);
  const name = toSecretName(label);
  context.change(`Its credential "${label}" is the secret ${name}.`);
  return template(
    context.readSecret(name, service.secret ?? `A token of ${service.name} for the credential "${label}".`),
  );
}

/** All parameters that the operations of a service read, for the table. Where defaults differ by the operation, each takes its own. */
export function toParameters({ operations }: ServiceApi): N8nParameters {
  const all: N8nParameters = {};
  for (const { reads } of Object.values(operations))
    for (const [name, value] of Object.entries(reads))
      all[name] =
        Object.hasOwn(all, name) && JSON.stringify(all[name]) !== JSON.stringify(value) ? null : value;
  return all;
}
