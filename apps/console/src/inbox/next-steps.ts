interface NextEdge {
  from?: string;
  to?: string;
  port?: string;
}

interface NextPart {
  blocks?: { id?: string; name?: string; type?: string; params?: { onExpiry?: string }; body?: NextPart }[];
  edges?: NextEdge[];
}

/** The blocks that follow an answer, and the blocks that follow an expiry. Null when the expiry fails the block. */
export function nextSteps(
  definition: unknown,
  blockId: string,
): { answer: string[]; expiry: string[] | null } | undefined {
  const part = partWith(Object(definition) as NextPart, blockId);
  if (!part) return undefined;
  const named = (port: string) =>
    (part.edges ?? [])
      .filter((edge) => edge.from === blockId && (edge.port ?? 'out') === port)
      .map(({ to = '' }) => findName(part, to));
  const goesOn = part.blocks?.find(({ id }) => id === blockId)?.params?.onExpiry === 'continue';
  return { answer: named('out'), expiry: goesOn ? named('expired') : null };
}

function partWith(part: NextPart, blockId: string): NextPart | undefined {
  if (part.blocks?.some(({ id }) => id === blockId)) return part;
  for (const { body } of part.blocks ?? []) {
    const found = body && partWith(body, blockId);
    if (found) return found;
  }
  return undefined;
}

function findName(part: NextPart, id: string): string {
  const block = part.blocks?.find((one) => one.id === id);
  return block ? `${block.name ?? id} (${block.type})` : id;
}
