/**
 * The id of a chunk: `chk_` and the document, the generation and the index of the chunk in hex. So ids of chunks are not stored. The chunks
 * of another processing have other ids.
 */
export function buildChunkId(documentId: string, generation: number, index: number): string {
  return `chk_${documentId.replace(/^doc_/, '')}${hex(generation)}${hex(index)}`;
}

/** The parts of a chunk id. Returns undefined for a text that is no chunk id. */
export function parseChunkId(
  id: string,
): { document: string; generation: number; index: number } | undefined {
  const found = /^chk_([0-9a-f]{32})([0-9a-f]{8})([0-9a-f]{8})$/.exec(id);
  if (!found) return undefined;
  const [, document = '', generation = '', index = ''] = found;
  return { document: `doc_${document}`, generation: parseInt(generation, 16), index: parseInt(index, 16) };
}

function hex(number: number): string {
  return number.toString(16).padStart(8, '0');
}
