/** The part of JSON Schema that the schema of definitions uses. */
export interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  enum?: unknown[];
  required?: string[];
  $ref?: string;
  $defs?: Record<string, Schema>;
}

/** The schemas of a place in a document. Among several variants the value decides, for example the type of a block. */
export function schemasAt(root: Schema, path: (string | number)[], document: unknown): Schema[] {
  let schemas = findVariants(root, root, document);
  let value = document;
  for (const step of path) {
    value = stepInto(value, step);
    schemas = schemas
      .flatMap((schema) => findChildren(schema, step))
      .flatMap((schema) => findVariants(root, schema, value));
  }
  return schemas;
}

function stepInto(value: unknown, step: string | number): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<string | number, unknown>)[step]
    : undefined;
}

function findChildren(schema: Schema, step: string | number): Schema[] {
  if (typeof step === 'number') return schema.items ? [schema.items] : [];
  const named = schema.properties?.[step];
  if (named) return [named];
  return typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : [];
}

function findVariants(root: Schema, schema: Schema, value: unknown): Schema[] {
  if (schema.$ref) {
    const target = root.$defs?.[schema.$ref.replace('#/$defs/', '')];
    return target ? findVariants(root, target, value) : [];
  }
  const variants = schema.oneOf ?? schema.anyOf;
  if (!variants) return [schema];
  const all = variants.flatMap((variant) => findVariants(root, variant, value));
  const chosen = all.filter((variant) => fitsType(variant, value));
  return chosen.length > 0 ? chosen : all;
}

/** True when the variant is for the type that the value names. */
function fitsType(variant: Schema, value: unknown): boolean {
  const named = stepInto(value, 'type');
  return typeof named === 'string' && (variant.properties?.['type']?.enum?.includes(named) ?? false);
}
