/** A vector in the text form of pgvector. Six decimals are more than a `halfvec` stores. */
export function vectorText(vector: Float32Array): string {
  return `[${Array.from(vector, (value) => value.toFixed(6)).join(',')}]`;
}
