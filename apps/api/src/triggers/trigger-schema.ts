import type { OpenAPIObject } from '@nestjs/swagger';
import { isObject, type JsonObject } from '#libs/platform/json/json';

/** Returns the JSON Schema of a trigger in a definition: of the body that makes one, and it refuses what the body refuses. */
export function buildTriggerSchema({ components }: OpenAPIObject): JsonObject {
  const schemas = new Map(Object.entries(components?.schemas ?? {}));
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (!isObject(value)) return value;
    const { $ref: ref } = value;
    if (typeof ref === 'string') return inline(schemas.get(ref.split('/').at(-1) ?? ''));
    const members = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inline(one)]));
    return isObject(value['properties']) ? { additionalProperties: false, ...members } : members;
  };
  const body = schemas.get('CreateTriggerBody');
  const { secret: _, ...properties } = (body && 'properties' in body && body.properties) || {};
  return inline({ type: 'object', required: ['kind', 'name'], properties }) as JsonObject;
}
