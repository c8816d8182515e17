interface DefinedPart {
  blocks?: { id?: unknown; params?: unknown; cases?: unknown; body?: DefinedPart }[];
}

/** The parameters of a block as its author wrote them, wherever it is nested; undefined for one that has none. */
export function parametersOf(definition: unknown, blockId: string): unknown {
  const { blocks } = Object(definition) as DefinedPart;
  for (const { id, params, cases, body } of Array.isArray(blocks) ? blocks : []) {
    if (id === blockId) return params ?? cases;
    const inner = body === undefined ? undefined : parametersOf(body, blockId);
    if (inner !== undefined) return inner;
  }
  return undefined;
}
