import { createHash } from 'node:crypto';

/**
 * The span id of a visit. Spans inside the visit are written before its own span, so they derive the id by this rule.
 * A `workflow` block puts the same digits into the id of the execution that it starts, so that id names its span.
 */
export function buildSpanId(executionId: string, path: string): string {
  return createHash('sha256').update(`${executionId} ${path}`).digest('hex').slice(0, 16);
}

/** The path of the visit of the loop or parallel around a visit; undefined when there is none. */
export function parseContainer(path: string): string | undefined {
  const at = path.indexOf('@');
  if (at < 0) return undefined;
  const passes = path.slice(at + 1).split('/');
  const [id = ''] = passes.pop()?.split('[', 1) ?? [];
  return passes.length > 0 ? `${id}@${passes.join('/')}` : id;
}

/** The attributes of every span of a block: its place, and the span of the container around it. */
export function blockSpan(executionId: string, path: string) {
  const container = parseContainer(path);
  const attributes = { 'holdfast.execution.id': executionId, 'holdfast.block.path': path };
  return { attributes, ...(container ? { parentId: buildSpanId(executionId, container) } : {}) };
}
