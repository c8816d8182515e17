/** Thrown when the template of a parameter gave a value that the block cannot use. */
export class BadValue extends Error {
  readonly code = 'INVALID_VALUE';
}
