import type { ToolChoice } from './mcp-server.entity.ts';

/** The form of a tool's name. Many clients take no more than 64 characters. */
export const toolNamePattern = /^[A-Za-z0-9_-]{1,64}$/;

/** Tools that every server has in addition to its workflows. */
export const ownTools = ['get_execution', 'cancel_execution'] as const;

const lengthMax = 64;

/**
 * The tool name of each workflow, by its id. No two tools have the same name. A chosen name has priority. The other names come from
 * the names of the workflows. When two would be equal, the older workflow keeps the name, and the newer one gets the end of its id
 * as a suffix.
 */
export function toolNames(
  workflows: { id: string; name: string }[],
  choices: Pick<ToolChoice, 'workflowId' | 'name'>[],
): Map<string, string> {
  const chosen = new Map(
    choices.flatMap(({ workflowId, name }) => (name ? [[workflowId, name] as const] : [])),
  );
  const taken = new Set<string>([...ownTools, ...chosen.values()]);
  return new Map(
    workflows.map(({ id, name }) => {
      const own = chosen.get(id);
      if (own !== undefined) return [id, own];
      const plain = nameFrom(name) || 'workflow';
      const free = freeName(plain, id, taken);
      taken.add(free);
      return [id, free];
    }),
  );
}

/** The name, if it is free. Otherwise adds the end of the id, and also a number if that name is taken too. */
function freeName(plain: string, id: string, taken: Set<string>): string {
  let name = plain;
  for (let n = 1; taken.has(name); n++) {
    const tail = `_${id.slice(-8)}${n === 1 ? '' : `_${n}`}`;
    name = `${plain.slice(0, lengthMax - tail.length)}${tail}`;
  }
  return name;
}

/** `Invoice approval (EU)` becomes `invoice_approval_eu`. Empty when no character of the name is allowed. */
function nameFrom(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]/g, '')
    .split(/[^a-z0-9-]/)
    .filter(Boolean)
    .join('_')
    .slice(0, lengthMax);
}
