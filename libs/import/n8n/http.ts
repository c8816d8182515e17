import { isObject, type Json, type JsonObject, objectOf } from '#libs/platform/json/json';
import { type CelPlace, template, writeOptionalPath } from '../cel-text.ts';
import type { N8nContext, ConvertedNode } from './context.ts';
import { sentHeaders } from '../sent-headers.ts';
import { NotMapped } from '../report.ts';
import { toSecretName } from '../secrets.ts';
import { toList, parseNumber, toText } from '../values.ts';

const otherBodies = 'Only JSON and text can be sent. Build the body in a function block, or send JSON.';

/** The node HTTP Request in all its versions. */
export function convertHttp(context: N8nContext): ConvertedNode {
  const { parameters, raw, version } = context.node;
  const method = toText(parameters['method'] ?? parameters['requestMethod'], 'GET').toUpperCase();
  const options = objectOf(parameters['options']);
  const headers = sentHeaders(pairs(context, parameters, 'header', 'sendHeaders', 'specifyHeaders'), (note) =>
    context.change(note),
  );
  const query = pairs(context, parameters, 'query', 'sendQuery', 'specifyQuery');
  const body = buildBody(context, headers, method);
  authenticate(context, headers, query);
  const response = objectOf(objectOf(options['response'])['response']);
  const follow = objectOf(objectOf(options['redirect'])['redirect'])['followRedirects'];
  const timeout = parseNumber(options['timeout']);
  for (const name of ['pagination', 'proxy', 'allowUnauthorizedCerts', 'batching'])
    if (options[name] !== undefined && options[name] !== false)
      context.change(`Its option ${name} is left out.`);
  if (response['neverError'] === true || raw['continueOnFail'] === true) context.goesOnAfterFailure = true;
  const full = response['fullResponse'] === true || options['fullResponse'] === true;
  const { id } = context.piece;
  const format = toText(
    response['responseFormat'] ?? parameters['responseFormat'],
    version >= 3 ? 'autodetect' : 'json',
  );
  if (format === 'file') throw new NotMapped('It keeps the answer as a file, which a block cannot pass on.');
  return {
    block: {
      type: 'http',
      params: {
        method,
        url: context.expressions.template(parameters['url'] ?? ''),
        ...(Object.keys(headers).length > 0 ? { headers } : {}),
        ...(Object.keys(query).length > 0 ? { query } : {}),
        ...(body === undefined ? {} : { body }),
        ...(follow === false ? { followRedirects: false } : {}),
      },
      ...(timeout && timeout >= 100 ? { timeout: timeout / 1000 } : {}),
    },
    out: full
      ? {
          root: id,
          steps: [],
          members: {
            body: { root: id, steps: ['data'] },
            statusCode: { root: id, steps: ['status'] },
            headers: { root: id, steps: ['headers'] },
          },
        }
      : toAnswerPlace(
          id,
          format,
          toText(response['outputPropertyName'] ?? parameters['dataPropertyName'], 'data'),
        ),
  };
}

/** The place of the item. A text is a member of it; whether an answer is text shows when it comes. */
function toAnswerPlace(id: string, format: string, name: string): CelPlace {
  const data: CelPlace = { root: id, steps: ['data'] };
  if (format === 'json') return data;
  if (format === 'text' || format === 'string') return { root: id, steps: [], members: { [name]: data } };
  const read = writeOptionalPath(data);
  return {
    root: `(type(${read}) == string ? dyn({${JSON.stringify(name)}: ${read}}) : dyn(${read}))`,
    steps: [],
  };
}

/** Headers or query parameters: pairs in the newer and the older form, or an object as JSON text. */
function pairs(
  context: N8nContext,
  parameters: JsonObject,
  kind: 'header' | 'query' | 'body',
  sends: string,
  specifies: string,
): JsonObject {
  const { expressions } = context;
  if (parameters[sends] === false) return {};
  if (parameters[specifies] === 'json' || parameters['jsonParameters'] === true) {
    const json = expressions.json(
      parameters[`json${kind[0]?.toUpperCase()}${kind.slice(1)}${kind === 'header' ? 's' : ''}`] ??
        parameters[`${kind}ParametersJson`] ??
        '{}',
    );
    if (isObject(json)) return json;
    throw new NotMapped(`Its ${kind} is one expression; write it as pairs of names and values.`);
  }
  const newer = toList(objectOf(parameters[`${kind}Parameters`])['parameters']);
  const older = toList(objectOf(parameters[`${kind}ParametersUi`])['parameter']);
  const all = [...newer, ...older].filter(isObject);
  const named = kind === 'body' ? all : all.filter(({ name }) => toText(name) !== '');
  if (named.length < all.length) context.change(`A ${kind} without a name is left out.`);
  return Object.fromEntries(
    named.map(({ name, value = '' }): [string, Json] => [toText(name), expressions.template(value)]),
  );
}

/** Sets the content type where the node sets none itself. */
function setContentType(headers: JsonObject, media: string): void {
  if (!Object.keys(headers).some((name) => name.toLowerCase() === 'content-type'))
    headers['Content-Type'] = media;
}

/** A form as the text that is sent. */
function formBody(context: N8nContext): Json {
  const { parameters } = context.node;
  const { expressions } = context;
  if (parameters['specifyBody'] === 'string') return expressions.template(parameters['body'] ?? '');
  const newer = toList(objectOf(parameters['bodyParameters'])['parameters']);
  const older = toList(objectOf(parameters['bodyParametersUi'])['parameter']);
  const listed = [...newer, ...older]
    .filter(isObject)
    .map(
      ({ name = '', value = '' }) => `[${expressions.javascript(name)}, ${expressions.javascript(value)}]`,
    );
  const encode = `(text) => encodeURIComponent(text === undefined || text === null ? '' : String(text)).replace(/%20/g, '+').replace(/[!'()~]/g, (sign) => '%' + sign.charCodeAt(0).toString(16).toUpperCase())`;
  return template(
    expressions.computed(
      `((encode) => [${listed.join(', ')}].map((pair) => pair.map(encode).join('=')).join('&'))(${encode})`,
    ),
  );
}

/** A form of several parts as the text that is sent; a file of the run is none. */
function partsBody(context: N8nContext, headers: JsonObject): Json {
  const fields = toList(objectOf(context.node.parameters['bodyParameters'])['parameters']).filter(isObject);
  if (fields.some(({ parameterType }) => toText(parameterType, 'formData') !== 'formData'))
    throw new NotMapped(`It sends a file of the run. ${otherBodies}`);
  const line = 'holdfast-part-7d4a6d158c9';
  headers['Content-Type'] = `multipart/form-data; boundary=${line}`;
  context.change('Its form of several parts is one text, with a fixed line between the parts.');
  const listed = fields.map(
    ({ name = '', value = '' }) =>
      `[${context.expressions.javascript(name)}, ${context.expressions.javascript(value)}]`,
  );
  return template(
    context.expressions.computed(
      `[${listed.join(', ')}].map(([name, value]) => '--${line}\\r\\nContent-Disposition: form-data; name="' + name + '"\\r\\n\\r\\n' + String(value ?? '') + '\\r\\n').join('') + '--${line}--\\r\\n'`,
    ),
  );
}

function buildBody(context: N8nContext, headers: JsonObject, method: string): Json | undefined {
  const { parameters, version } = context.node;
  const { expressions } = context;
  const options = objectOf(parameters['options']);
  if (version >= 3 ? parameters['sendBody'] !== true : /^(GET|HEAD)$/.test(method)) return undefined;
  if (method === 'HEAD') {
    context.change('Its body is left out, as HEAD sends none here.');
    return undefined;
  }
  const type = toText(parameters['contentType'] ?? options['bodyContentType'], 'json');
  if (type === 'raw') {
    const media = toText(parameters['rawContentType'] ?? options['bodyContentCustomMimeType']);
    setContentType(headers, media || 'text/plain');
    return expressions.template(parameters['body'] ?? '');
  }
  if (type === 'form-urlencoded') {
    setContentType(headers, 'application/x-www-form-urlencoded');
    return formBody(context);
  }
  if (type === 'multipart-form-data') return partsBody(context, headers);
  if (type !== 'json') throw new NotMapped(`It sends a body of type ${type}. ${otherBodies}`);
  if (parameters['specifyBody'] === 'json' || parameters['jsonParameters'] === true)
    return expressions.json(parameters['jsonBody'] ?? parameters['bodyParametersJson'] ?? '{}');
  const body = pairs(context, parameters, 'body', 'sendBody', '');
  return (version < 3 || method === 'GET') && Object.keys(body).length === 0 ? undefined : body;
}

/** Credentials are no part of an export: the call reads a secret, and the report asks for it. */
function authenticate(context: N8nContext, headers: JsonObject, query: JsonObject): void {
  const { parameters, raw } = context.node;
  const credentials = objectOf(raw['credentials']);
  const [kind] = Object.keys(credentials);
  const asks = toText(parameters['authentication'], 'none');
  if (asks === 'none' && kind === undefined) return;
  const credential = kind ?? toText(parameters['genericAuthType'] ?? parameters['nodeCredentialType'], asks);
  const label = toText(objectOf(credentials[kind ?? ''])['name'], `${context.node.name} ${credential}`);
  const name = toSecretName(label);
  const make = (note: string) => `{{ ${context.readSecret(name, note)} }}`;
  if (/basic/i.test(credential))
    headers['Authorization'] =
      `Basic ${make(`User and password of the credential "${label}", as base64 of user:password.`)}`;
  else if (/query/i.test(credential))
    query['api_key'] = make(
      `The value of the credential "${label}"; see whether its parameter is called api_key.`,
    );
  else if (/headerAuth/i.test(credential))
    headers['Authorization'] = make(
      `The whole value of the header of the credential "${label}"; see whether it is Authorization.`,
    );
  else headers['Authorization'] = `Bearer ${make(`The token of the credential "${label}".`)}`;
  context.change(`Its credential "${label}" is the secret ${name}.`);
}
