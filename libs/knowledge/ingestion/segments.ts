/** Chunks whose words are kept in one line. The numbers of the chunks of a document are cut into segments of so many. */
export const segmentSize = 1024;

export function segmentOf(index: number): number {
  return Math.floor(index / segmentSize);
}

/** The place of a chunk within its segment. */
export function placeOf(index: number): number {
  return index % segmentSize;
}
