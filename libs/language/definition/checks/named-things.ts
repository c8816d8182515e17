import { kindOf } from '../blocks/registry.ts';
import { references } from '../expressions/expressions.ts';
import { collectGraphs } from './nesting.ts';
import { placeholderType } from '../blocks/placeholder.ts';
import { at, isObject, isTemplate } from '../shapes/shape.ts';
import type { JsonObject } from '#libs/platform/json/json';
import type { LooseBlock } from './wiring.ts';

export const namedKinds = ['secret', 'table', 'knowledge base', 'workflow'] as const;
export type NamedKind = (typeof namedKinds)[number];

/** A thing of the workspace that a definition names in letters, so that it can be looked for before anything runs. */
export interface NamedThing {
  kind: NamedKind;
  name: string;
  /** From the root of the definition, as `blocks[2].params.table`. */
  path: string;
  blockId: string;
}

/** The parameters that name a thing, by the type of their block. */
const parameters: Record<string, Record<string, NamedKind>> = {
  table: { table: 'table' },
  knowledge: { knowledgeBase: 'knowledge base', knowledgeBases: 'knowledge base' },
  workflow: { workflowId: 'workflow' },
};

/** Every thing that a sound definition names, in the order of its blocks. What is named by a template is known only when it runs. */
export function namedThings(definition: Record<string, unknown>): NamedThing[] {
  const blocks = collectGraphs(definition, () => {}).flatMap((graph) => graph.blocks);
  return blocks.flatMap((block): NamedThing[] => {
    const { id: blockId, type, raw, path } = block;
    const found: NamedThing[] = [];
    const params = at(path, 'params');
    if (kindOf(type)?.effect)
      eachTemplate(getTemplates(block), params, (template, where) => {
        for (const name of secretNames(template)) found.push({ kind: 'secret', name, path: where, blockId });
      });
    for (const [parameter, kind] of Object.entries(parameters[type] ?? {})) {
      const value = isObject(raw.params) ? raw.params[parameter] : undefined;
      const where = at(params, parameter);
      const names = Array.isArray(value) ? value.map((one, i) => [one, at(where, i)]) : [[value, where]];
      for (const [name, place] of names)
        if (typeof name === 'string' && !isTemplate(name))
          found.push({ kind, name, path: String(place), blockId });
    }
    return found;
  });
}

/** The names of the secrets that the expressions of a parameter read, each once. */
export function secretNames(template: Parameters<typeof references>[0]): string[] {
  const names = references(template).flatMap(([root, name]) =>
    root === 'secrets' && name !== undefined ? [name] : [],
  );
  return [...new Set(names)];
}

/** The failure of a block that names a secret which there is not; null when all are there. Nothing must be sent then. */
export function missingSecret(
  templates: JsonObject,
  secrets: Readonly<Record<string, unknown>>,
): { code: 'SECRET_NOT_FOUND'; message: string } | null {
  const name = secretNames(templates).find((one) => !Object.hasOwn(secrets, one));
  if (name === undefined) return null;
  return { code: 'SECRET_NOT_FOUND', message: `There is no secret "${name}"; nothing was sent.` };
}

/** The parameters of a block that are templates; a placeholder has none, since it keeps what another product wrote. */
export function getTemplates({ type, raw }: LooseBlock): unknown {
  if (type === placeholderType) return undefined;
  const names = kindOf(type)?.templates;
  if (!names || !isObject(raw.params)) return raw.params;
  const { params } = raw;
  return Object.fromEntries(names.map((name) => [name, params[name]]));
}

/** Visits each text with an expression in a parameter, with the path that leads to it. */
export function eachTemplate(
  value: unknown,
  path: string,
  visit: (template: string, path: string) => void,
): void {
  if (typeof value === 'string') {
    if (value.includes('{{')) visit(value, path);
  } else if (Array.isArray(value))
    value.forEach((member: unknown, i) => eachTemplate(member, at(path, i), visit));
  else if (isObject(value))
    for (const [name, member] of Object.entries(value)) eachTemplate(member, at(path, name), visit);
}
