import { createHash } from 'node:crypto';

/**
 * The id of the span of a visit that is noted after what is in it: whoever comes before knows it by the same rule. The execution that
 * a `workflow` block starts is named by the same digits, so its id says in which span it is.
 */
export function spanIdOf(executionId: string, path: string): string {
  return createHash('sha256').update(`${executionId} ${path}`).digest('hex').slice(0, 16);
}

/** The path of the visit of the loop or parallel that a visit is in; undefined when it is in none. */
export function containerOf(path: string): string | undefined {
  const at = path.indexOf('@');
  if (at < 0) return undefined;
  const passes = path.slice(at + 1).split('/');
  const [id = ''] = passes.pop()?.split('[', 1) ?? [];
  return passes.length > 0 ? `${id}@${passes.join('/')}` : id;
}

/** The attributes of every span of a block: its place, and the span of the container around it. */
export function blockSpan(executionId: string, path: string) {
  const container = containerOf(path);
  const attributes = { 'holdfast.execution.id': executionId, 'holdfast.block.path': path };
  return { attributes, ...(container ? { parentId: spanIdOf(executionId, container) } : {}) };
}
