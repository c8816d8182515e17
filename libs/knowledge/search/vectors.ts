/** A vector as Postgres reads it. Six digits are more than half a float keeps. */
export function vectorText(vector: Float32Array): string {
  return `[${Array.from(vector, (value) => value.toFixed(6)).join(',')}]`;
}
