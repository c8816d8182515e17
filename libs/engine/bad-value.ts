/** A parameter that came out of its template with a value that the block cannot use. */
export class BadValue extends Error {
  readonly code = 'INVALID_VALUE';
}
