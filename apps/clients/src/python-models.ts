import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ApiDocument, ClientOperation, ApiSchema } from './api-document.ts';
import { type Python, installTools } from './python-tools.ts';

const run = promisify(execFile);

/** These rules hold for requests only. A client that checked answers by them would refuse values of a newer server. */
const rules = ['format', 'default', 'minLength', 'maxLength', 'minimum', 'maximum', 'pattern', 'maxItems'];

type JsonSchema = ApiSchema & {
  enum?: string[];
  allOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  additionalProperties?: boolean | JsonSchema;
};

/** The answer of each operation by its id: the type of the value, and of a page the types of its whole answer and of one item. */
export interface AnswerTypes {
  value: string;
  body: string;
}

/** The schemas that the models of the Python client are made of, and the types that the answers have with them. */
export class PythonModels {
  readonly #schemas: Record<string, JsonSchema> = {};
  readonly #answers = new Map<string, AnswerTypes>();

  constructor(document: ApiDocument, operations: ClientOperation[]) {
    for (const [name, schema] of Object.entries(document.components.schemas))
      this.#schemas[name] = open(schema);
    for (const one of operations) {
      if (!one.answerSchema) continue;
      const name = one.id[0]?.toUpperCase() + one.id.slice(1);
      const named = Object.entries(document.components.schemas).find(([, all]) => all === one.answerSchema);
      const answer = named ? { $ref: `#/components/schemas/${named[0]}` } : open(one.answerSchema);
      // Only the content of an envelope has a type of its own.
      const body = one.answer === 'page' ? this.#nameObjects(answer, `${name}Answer`, name) : answer;
      const found = one.valuePath.reduce<JsonSchema>((value, step) => this.#member(value, step), body);
      const value =
        one.answer === 'page' ? (found.items ?? {}) : this.#nameObjects(found, `${name}Data`, name);
      this.#answers.set(one.id, { value: toPythonType(value), body: toPythonType(body) });
    }
  }

  /** A document of nothing but these schemas, for the generator of models. */
  get document(): string {
    const info = { title: 'Holdfast', version: '1' };
    return JSON.stringify({ openapi: '3.1.0', info, paths: {}, components: { schemas: this.#schemas } });
  }

  /** Throws for an operation whose answer is no JSON. */
  answerOf(id: string): AnswerTypes {
    const found = this.#answers.get(id);
    if (!found) throw new Error(`${id} answers no JSON.`);
    return found;
  }

  #member(schema: JsonSchema, name: string): JsonSchema {
    const whole = this.#schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
    return whole.properties?.[name] ?? {};
  }

  /** Gives each object within a schema a name of its own, and replaces it by that name. */
  #nameObjects(schema: JsonSchema, name: string, prefix: string): JsonSchema {
    if (schema.items) return { ...schema, items: this.#nameObjects(schema.items, `${prefix}Item`, prefix) };
    if (!schema.properties) return schema;
    const members = Object.entries(schema.properties).map(([key, value]) => {
      const inner = `${prefix}${key[0]?.toUpperCase()}${key.slice(1)}`;
      return [key, this.#nameObjects(value, inner, inner)] as const;
    });
    if (this.#schemas[name]) throw new Error(`Two shapes of the Python client have the name ${name}.`);
    this.#schemas[name] = { ...schema, properties: Object.fromEntries(members) };
    return { $ref: `#/components/schemas/${name}` };
  }
}

/** A schema without rules, and with every word where it lists some: a newer server may know more. */
function open(schema: JsonSchema): JsonSchema {
  const { allOf, anyOf, enum: words, properties, items, additionalProperties, ...rest } = schema;
  const plain: JsonSchema = Object.fromEntries(Object.entries(rest).filter(([key]) => !rules.includes(key)));
  if (allOf?.length === 1) return { ...plain, ...open(allOf[0] ?? {}) };
  if (isAnything(schema)) return plain.description ? { description: plain.description } : {};
  if (words) {
    const { description } = plain;
    const choices = [
      { type: 'string', enum: words },
      { type: 'string' },
      ...(isNullable(schema) ? [{ type: 'null' }] : []),
    ];
    return { ...(description ? { description } : {}), anyOf: choices };
  }
  return {
    ...plain,
    ...(anyOf ? { anyOf: anyOf.map(open) } : {}),
    ...(properties
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([key, value]) => [key, open(value)]),
          ),
        }
      : {}),
    ...(items ? { items: open(items) } : {}),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: open(additionalProperties) } : {}),
    ...(additionalProperties === true ? { additionalProperties } : {}),
  };
}

/** True when a schema allows any JSON. */
function isAnything({ anyOf = [] }: JsonSchema): boolean {
  const kinds = anyOf.map(({ type }) => type);
  return anyOf.some(isAnything) || ['object', 'array', 'string'].every((kind) => kinds.includes(kind));
}

export function isNullable({ type, anyOf = [] }: JsonSchema): boolean {
  return type === 'null' || (Array.isArray(type) && type.includes('null')) || anyOf.some(isNullable);
}

const names: Record<string, string> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

/** A schema as the type of a Python value. */
export function toPythonType(schema: JsonSchema): string {
  const { $ref, type, anyOf, allOf, items, enum: words, additionalProperties } = schema;
  if ($ref) return `models.${$ref.split('/').at(-1)}`;
  if (allOf?.[0]) return toPythonType(allOf[0]);
  if (isAnything(schema)) return 'Any';
  if (anyOf) return [...new Set(anyOf.map(toPythonType))].join(' | ');
  if (Array.isArray(type)) return type.map((one) => toPythonType({ ...schema, type: one })).join(' | ');
  if (words) return `Literal[${words.map((word) => JSON.stringify(word)).join(', ')}]`;
  if (type === 'array') return `List[${toPythonType(items ?? {})}]`;
  if (type === 'object')
    return `Dict[str, ${typeof additionalProperties === 'object' ? toPythonType(additionalProperties) : 'Any'}]`;
  return names[type ?? ''] ?? 'Any';
}

/** The models as the source of a module. */
export async function writeModels(python: Python, models: PythonModels): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-models-'));
  try {
    const [input, output] = [join(folder, 'openapi.json'), join(folder, 'models.py')];
    await writeFile(input, models.document);
    const words = [...generatorOptions, '--input', input, '--output', output];
    await run(await installTools(python), ['-m', 'datamodel_code_generator', ...words], { cwd: folder });
    // The docstrings are for readers; to read them, Python would parse the module once more at each start.
    return (await readFile(output, 'utf8'))
      .replaceAll(/ {4}model_config = ConfigDict\(\n {8}use_attribute_docstrings=True,\n {4}\)\n/g, '')
      .replace('ConfigDict, ', '');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The options of datamodel-code-generator, one a line. */
const generatorOptions = [
  '--input-file-type=openapi',
  '--output-model-type=pydantic_v2.BaseModel',
  '--base-class=holdfast._model.Model',
  '--target-python-version=3.10',
  '--target-pydantic-version=2.11',
  '--snake-case-field',
  '--enum-field-as-literal=all',
  '--use-annotated',
  '--use-union-operator',
  '--use-standard-collections',
  '--use-attribute-docstrings',
  '--use-field-description',
  '--use-single-line-docstring',
  '--disable-timestamp',
  '--formatters=builtin',
  '--custom-file-header=# This file is generated from the description of the API: change that, and run `npm run clients`.\n"""The shapes of the API."""',
];
