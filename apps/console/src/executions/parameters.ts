interface DefinedPart {
  blocks?: { id?: unknown; params?: unknown; cases?: unknown; body?: DefinedPart }[];
}

/** The parameters of a block as its author wrote them, at any depth; undefined for a block without parameters. */
export function parametersOf(definition: unknown, blockId: string): unknown {
  const { blocks } = Object(definition) as DefinedPart;
  for (const { id, params, cases, body } of Array.isArray(blocks) ? blocks : []) {
    if (id === blockId) return params ?? cases;
    const inner = body === undefined ? undefined : parametersOf(body, blockId);
    if (inner !== undefined) return inner;
  }
  return undefined;
}
