/** The number of chunks in a segment of a document. A word has at most one row in `chunk_words` for each segment. */
export const segmentSize = 1024;

/** The segment of a chunk, from 0. */
export function toSegment(index: number): number {
  return Math.floor(index / segmentSize);
}

/** The place of a chunk within its segment. */
export function toOffset(index: number): number {
  return index % segmentSize;
}
